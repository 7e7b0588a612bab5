/** What the tests of write and its laws share. */
import { expect } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { FilterError, parseQuery, type Collection, type Query } from '../../src/index.ts'
import { printNotation, type Notation } from '../../src/clients/notations/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { collection, idsOf, rows } from './orders.ts'

/** Returns the text in the notation, or the messages of its refusal. */
export function written(
  notation: Notation,
  query: Query,
  of: Collection = collection,
): { text?: string; refused?: string } {
  try {
    return { text: printNotation(of, query, notation) }
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    expect(error.issues.every(({ code, fault }) => code === 'print_unsayable' && fault === 'server')).toBe(true)
    return { refused: error.issues.map(({ message, hint }) => (hint ? `${message}; ${hint}` : message)).join(' | ') }
  }
}

// --- Random queries

export const { compile } = memoryBackend()
export const partsOf = ({ sort, limit, offset = 0, position, fields, search }: Query) => ({
  ...{ sort: sort.map(({ path, direction }) => [path, direction]), limit, offset, position, fields, search },
})

/** Checks that the text parses to the same query, which selects the same rows. @returns whether the notation expresses the query. */
export function check(of: Collection, notation: Notation, query: Query): boolean {
  const { text } = written(notation, query, of)
  if (text === undefined) return false
  const result = parseQuery(of, text, { notation })
  if (!result.ok) throw new Error(`${text}: ${result.issues[0].message}`)
  const again = result.query
  expect(sameFilter(again.filter, query.filter), text).toBe(true)
  expect(JSON.parse(JSON.stringify(partsOf(again)))).toEqual(JSON.parse(JSON.stringify(partsOf(query))))
  if (of === collection)
    expect(idsOf(rows.filter(compile(again.filter)))).toEqual(idsOf(rows.filter(compile(query.filter))))
  return true
}
