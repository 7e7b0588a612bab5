/** Queries of clients become queries of urlwhere, and docs/reference/notations.md has the reason of each refusal. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defineCollection, parseQuery, parseQueryOrThrow } from '../../src/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { issuesIn } from '../issues.ts'
import { notations } from './orders.ts'
import { keyed as orders } from '../orders.ts'

const collection = defineCollection(orders, {
  ...{ key: 'id', sort: true, offset: { max: 10_000 }, count: true, groups: true, fields: true, search: ['note'] },
})
const guide = readFileSync(join(import.meta.dirname, '../../docs/reference/notations.md'), 'utf8')

/** Returns the first two cells of each row of a table. */
function rowsOf(table: string): readonly (readonly [request: string, result: string])[] {
  const [, rows = ''] = new RegExp(`<!-- ${table} -->\\n\\n(?:.*\\n){2}((?:\\|.*\\n)*)`).exec(guide) ?? []
  const cells = rows.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\|/gm)
  const found = Array.from(cells, ([, request, result]) => [request!, result!] as const)
  expect(found.length).toBe(rows.split('\n').length - 1)
  expect(found.length).toBeGreaterThan(3)
  return found
}

/** Whole queries of each client, and the same in the language of urlwhere. */
const moved: Readonly<Record<string, readonly (readonly [before: string, after: string])[]>> = {
  jsonServer: [
    [
      'status=paid&total_gte=5&_sort=total&_order=desc&_start=20&_end=40',
      'status=paid&total[gte]=5&sort=-total&limit=20&offset=20',
    ],
    ['id=1&id=2&id=3', 'id[in]=1,2,3&limit=100'],
    ['note_ne=surf&_page=1&_limit=10', 'note[notEqual]=surf&note[exists]=true&limit=10'],
    ['q=surf&_page=1&_limit=10', 'search=surf&limit=10'],
  ],
  jsonServer1: [
    [
      'status=paid&total:gte=5&_sort=-total&_page=2&_per_page=20',
      'status=paid&total[gte]=5&sort=-total&limit=20&offset=20',
    ],
    ['id:in=1,2,3', 'id[in]=1,2,3&limit=100'],
    ['note:ne=surf&_page=1&_per_page=10', 'note[notEqual]=surf&note[exists]=true&limit=10'],
    ['_where={"or":[{"total":{"lt":5}},{"note":{"contains":"a"}}]}', 'or=(total[lt]=5,note[contains]=a)&limit=100'],
  ],
  reactAdmin: [
    [
      'filter={"status":"paid","total_gte":5}&sort=["total","DESC"]&range=[20,39]',
      'status=paid&total[gte]=5&sort=-total&limit=20&offset=20',
    ],
    ['filter={"id":[1,2,3]}', 'id[in]=1,2,3&limit=100'],
    ['filter={"note_neq":"surf"}&range=[0,9]', 'note[notEqual]=surf&limit=10'],
    ['filter={"note":null,"tags":["sea","vip"]}&range=[0,9]', 'note[exists]=false&tags[all]=sea,vip&limit=10'],
  ],
  strapi: [
    [
      'filters[status][$eq]=paid&filters[total][$gte]=5&sort=total:desc&pagination[page]=2&pagination[pageSize]=20',
      'status=paid&total[gte]=5&sort=-total&limit=20&offset=20',
    ],
    [
      'filters[$or][0][note][$containsi]=surf&filters[$or][1][total][$gt]=5&pagination[pageSize]=10',
      'or=(note[contains]=surf,total[gt]=5)&limit=10',
    ],
    [
      'filters[status][$notIn][0]=paid&filters[status][$notIn][1]=held&pagination[pageSize]=10',
      'status[nin]=paid,held&status[exists]=true&limit=10',
    ],
    [
      'filters[note][$notContains]=surf&pagination[pageSize]=10',
      'not=(note[containsExact]=surf)&note[exists]=true&limit=10',
    ],
  ],
  jsonApi: [
    [
      'filter[status]=paid&filter[total][gte]=5&sort=-total&page[size]=20',
      'status=paid&total[gte]=5&sort=-total&limit=20',
    ],
    ['filter[status]=paid,held&page[number]=2&page[size]=20', 'status[in]=paid,held&limit=20&offset=20'],
    ['page[offset]=30&page[limit]=20', 'limit=20&offset=30'],
    ['filter[note][ne]=surf', 'note[notEqual]=surf&limit=20'],
    ['fields[orders]=id,total', 'limit=20&fields=id,total'],
  ],
  nestPaginate: [
    [
      'filter.status=$eq:paid&filter.total=$gte:5&sortBy=total:DESC&page=2&limit=20',
      'status=paid&total[gte]=5&sort=-total&limit=20&offset=20',
    ],
    ['filter.status=$not:$in:paid,held', 'status[nin]=paid,held&status[exists]=true&limit=20'],
    ['filter.note=$ilike:surf&search=kayak', 'note[contains]=surf&search=kayak&limit=20'],
    ['filter.note=$not:$null&select=id,total', 'note[exists]=true&limit=20&fields=id,total'],
  ],
}

describe.each(Object.entries(notations))('%s', (name, notation) => {
  test.each(moved[name]!)('%s becomes %s', (before, after) => {
    const { count, ...query } = parseQueryOrThrow(collection, before, { notation })
    const { filter, ...others } = parseQueryOrThrow(collection, after)
    expect(count).toBe(true)
    expect(sameFilter(query.filter, filter)).toBe(true)
    const plain = (value: object): unknown =>
      JSON.parse(JSON.stringify(value, (key, one: unknown) => (key === 'span' || key === 'filter' ? undefined : one)))
    expect(plain(query)).toEqual(plain({ ...others, count: undefined }))
  })
  test.each(rowsOf(`refused: ${name}`))('%s is refused: %s', (request, issue) => {
    const said = issuesIn(parseQuery(collection, request, { notation })).map(({ message, hint }) => [
      message,
      `${message}: ${hint}`,
    ])
    expect(said.flat()).toContain(issue)
    expect(said.length).toBe(1)
  })
})
