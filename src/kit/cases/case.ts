/** The form of cases, and functions that make tables of them. */
import type { Filter } from '../../tree/index.ts'
import type { Fields, Schema } from '../../language/index.ts'
import type { Feature } from '../../backends/backend.ts'

/** A schema, and rows to load into a backend's store. */
export interface Fixture {
  readonly name: string
  readonly schema: Schema
  readonly rows: readonly FixtureRow[]
}
/** A row of a fixture: an id, and the fields of the fixture's schema. */
export interface FixtureRow {
  readonly id: number
  readonly [field: string]: unknown
}

/** Rows as a table: the names of their fields, and the values of each. A value that is `undefined` is missing. */
export const rowsOf = (names: string, ...rows: readonly (readonly unknown[])[]): Record<string, unknown>[] =>
  rows.map((values) =>
    Object.fromEntries(names.split(' ').flatMap((name, at) => (values[at] === undefined ? [] : [[name, values[at]]]))),
  )

/** A query, or a filter that no query can express, and the ids of the rows that it selects. */
export interface Case {
  readonly name: string
  readonly fixture: Fixture
  /** A query string over the fixture's schema. */
  readonly query?: string
  /** A filter, if the case has no query. */
  readonly filter?: Filter
  /** The ids that are selected, ascending. */
  readonly expected: readonly number[]
  /** The features that a backend must declare for this case to run. */
  readonly requires: readonly Feature[]
  /** The rule that decides, in a line. */
  readonly why: string
}

/** A query or a filter, the ids that it selects in ascending order, and the rule that decides. */
export type Line = readonly [asked: string | Filter, expected: readonly number[], why: string]

/** Fields, rows that have values for them, and conditions on them with the rows that they select. */
export interface Table {
  /** The suffix of the names of the places. */
  readonly name: string
  readonly fields: Fields
  readonly requires: readonly Feature[]
  readonly valued: readonly Readonly<Record<string, unknown>>[]
  /** By field: the text after the path, and the rows with values that it selects. */
  readonly selected: Readonly<Record<string, readonly Line[]>>
  /** Complements but that of `exists`: the rows with values that their twins do not select. Rows without a value are added. */
  readonly excluded: Table['selected']
  /** Values of another form than their fields': near it, far from it, and objects. */
  readonly otherForms: Table['valued']
}
export function casesOf(requires: readonly Feature[], fixture: Fixture, lines: readonly Line[]): Case[] {
  return lines.map(([input, expected, why]) => ({
    name: `${fixture.name}: ${typeof input === 'string' ? input || '(empty)' : why}`,
    fixture,
    ...(typeof input === 'string' ? { query: input } : { filter: input }),
    expected,
    requires,
    why,
  }))
}
