/** Two restrictions, one after the other, on queries of every kind. */
import { expect, test } from 'vitest'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  not,
  or,
  parseQueryOrThrow,
  restrict,
  where,
  type Filter,
  type Query,
} from '../../src/index.ts'
import { checkQuery } from '../../src/query/query.ts'
import { byHand } from '../by-hand.ts'

const schema = defineSchema({ id: field.integer(), seller: field.string(), status: field.string() })
const collection = defineCollection(schema, { key: 'id', groups: true })
const o = where(schema)
const mine = o.equals('seller', 's-1')
const read = (text: string) => parseQueryOrThrow(collection, text)
const revived = (query: object): Query => JSON.parse(JSON.stringify(query)) as Query

test('two calls of restrict give a valid query, for restrictions of every shape', () => {
  const shapes: readonly Filter[] = [
    and(),
    or(),
    mine,
    and(mine, o.gt('id', 1)),
    { kind: 'and', filters: [mine] },
    { kind: 'and', filters: [{ kind: 'and', filters: [mine, o.gt('id', 1)] }] },
    not(mine),
  ]
  const filters: readonly Query[] = [read(''), read('id=1'), read('id=1&status=paid'), read('and=(and(and(id=1)))')]
  for (const query of [
    ...filters,
    ...filters.map((one) => byHand(one, {})),
    ...filters.map((one) => byHand(one, { filter: { kind: 'and', filters: [{ kind: 'and', filters: [mine] }] } })),
  ])
    for (const first of shapes)
      for (const second of shapes) {
        const twice = restrict(restrict(query, first), second)
        expect(checkQuery(revived(twice))).toEqual(twice)
      }
})
