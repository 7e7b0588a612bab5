/** The JSON of `serve` becomes the list that it describes, without its hidden fields. */
import { expect, test } from 'vitest'
import { postgres, sqlBackend } from '../../src/backends/sql/index.ts'
import { parseQueryOrThrow, printQuery } from '../../src/index.ts'
import { revive, type ListData } from '../../docs/playground/revive.ts'
import { collection, mapped, wideList as data } from './lists.ts'

test('has no hidden field, and no column of one', () => {
  expect(JSON.stringify(data)).not.toMatch(/secret|token/)
})

test('gives the same queries and statements', () => {
  const revived = revive(data)
  const dialect = revived.dialects.PostgreSQL!
  expect([revived.name, dialect]).toEqual(['orders', postgres])
  const queries = [
    '',
    'state[eq]=paid&total[gte]=5&sort=-total&size=7&offset=3',
    'or=(items(price[gt]=5),places(city=a,since[gte]=2024-01-01),labels=a,tags=b,codes=c,notes.text=d)&timeZone=Asia/Tokyo&paidAt=2024-01-01',
    'search=jo&facets=status&count=true&fields=id,place,customer',
  ]
  for (const text of queries) {
    const [before, after] = [parseQueryOrThrow(collection, text), parseQueryOrThrow(revived.collection, text)]
    const { hidden, ...rest } = before
    expect(hidden).toHaveLength(3)
    expect(after).toEqual(rest)
    expect(printQuery(revived.collection, after)).toBe(printQuery(collection, before))
    const statement = sqlBackend({ dialect, table: mapped }).select(before)
    expect(sqlBackend({ dialect, table: revived.table }).select(after).text).toBe(statement.text)
  }
  for (const text of ['secret=a', 'total[gt]=5', 'size=51', 'offset=101', 'sort=id,status'])
    expect(() => parseQueryOrThrow(revived.collection, text)).toThrow()
})

test.each<readonly [string, Partial<ListData>]>([
  ['an unknown dialect', { dialect: 'oracle' }],
  ['a field of an unknown type', { fields: { id: { type: 'money' } as never } }],
  ['a key that the schema does not contain', { collection: { key: 'nothing' } }],
])('refuses %s', (_, part) => {
  expect(() => revive({ ...data, ...part })).toThrow(TypeError)
})
