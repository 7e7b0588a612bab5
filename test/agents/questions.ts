/** Reads docs/questions.json: ten orders, and a hundred questions with the ids of the rows that answer them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Order } from '../../docs/demo/data.ts'

export interface Question {
  readonly question: string
  readonly object: Readonly<Record<string, unknown>>
  /** The ids of the rows in the order of the answer. */
  readonly ids: readonly number[]
  readonly count?: number
  readonly facets?: Readonly<Record<string, readonly object[]>>
}

const file = join(import.meta.dirname, '../../docs/questions.json')
const read = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly now: string
  readonly rows: readonly Order[]
  readonly questions: readonly Question[]
}
export const { rows, questions } = read
export const now = new Date(read.now)
