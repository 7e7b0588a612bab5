/** Lower-cases stored texts in the engine, and operands before they are sent, alike. */
import { own } from '../../own.ts'
import { simpleLowerCase } from '../../text/case.ts'
import type { Dialect } from './dialect/dialect.ts'
import { sql, type Sql } from './dialect/sql.ts'

export interface Lowering {
  ofValue(value: Sql): Sql
  ofText(text: string): string
  /** Whether every letter is lower-cased. */
  readonly isWhole: boolean
}

export function loweringOf({ lower, unlowered, textRules: { cased = (value) => value } }: Dialect): Lowering {
  const call = [`${lower}(`, ')']
  const left = own(unlowered, lower)
  const lowerCase = (character: string) => (left!.test(character) ? character : simpleLowerCase(character))
  return {
    ofValue: (value) => sql(call, cased(value)),
    ofText: left === undefined ? simpleLowerCase : (text) => Array.from(text, lowerCase).join(''),
    isWhole: left === undefined,
  }
}
