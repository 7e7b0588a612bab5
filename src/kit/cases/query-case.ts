/** A case of order and pages, out of a line that states it. */
import type { Feature } from '../../backends/backend.ts'
import { defineCollection, defineSchema, field } from '../../language/index.ts'
import type { Collection, Field, Schema } from '../../language/index.ts'
import type { Position, Query, SortKey } from '../../query/index.ts'
import { parseQueryOrThrow } from '../../hints/index.ts'
import type { Fixture } from './case.ts'

/** A fixture, and the collection of its queries. */
export interface QueryFixture extends Fixture {
  readonly collection: Collection
}

/** A query, and the ids of the rows that a backend reads for it. */
export interface QueryCase {
  readonly name: string
  readonly fixture: QueryFixture
  readonly query: Query
  /**
   * The ids in the order of reading, at most `query.limit + 1`: a page toward `previous` is read backwards, and the extra row shows that
   * another page exists.
   */
  readonly expected: readonly number[]
  /** The features that a backend must declare for this case to run. */
  readonly requires: readonly Feature[]
  /** The rule that decides, in a line. */
  readonly why: string
}

/** A query string, the position if there is one, the ids that are read, and the rule that decides. */
export type Line = readonly [text: string, at: At | undefined, expected: readonly number[], why: string]
/** `at` a row: the row itself is on the page, too. */
type At = readonly [
  toward: Position['toward'] | 'at next' | 'at previous',
  ...values: (string | number | boolean | null)[],
]

const positionOf = (sort: readonly SortKey[], [toward, ...values]: At): Position => ({
  toward: toward.endsWith('next') ? 'next' : 'previous',
  ...(toward.startsWith('at ') && { inclusive: true }),
  values: values.map((value, at) => (value === null ? null : { type: sort[at]!.type, value })) as Position['values'],
})

export function casesOf(requires: readonly Feature[], fixture: QueryFixture, lines: readonly Line[]): QueryCase[] {
  return lines.map(([text, at, expected, why]) => {
    const query = parseQueryOrThrow(fixture.collection, text)
    return {
      name: `${fixture.name}: ${text || '(empty)'}${at === undefined ? '' : `, ${at.map(String).join(' ')}`}`,
      fixture,
      query: at === undefined ? query : { ...query, position: positionOf(query.sort, at) },
      expected,
      requires: ['queries', ...requires],
      why,
    }
  })
}

export function fixtureOf(
  name: string,
  fields: Readonly<Record<string, Field>>,
  rows: Fixture['rows'],
  key: readonly string[] = ['id'],
): QueryFixture {
  const schema: Schema = defineSchema({ id: field.integer(), ...fields })
  const collection = defineCollection(schema, { key, sort: true, offset: { max: 100 } })
  return { name, schema, rows, collection }
}
