/** json-server 1: operators after a colon, groups in JSON, and pages in an envelope. */
import type { Notation } from '../../reading/index.ts'
import { readWhere } from './json.ts'
import { notation } from './notation.ts'
import { readSuffixed } from './suffix.ts'

/**
 * The convention of json-server 1: `total:gte=5&_sort=-total&_page=1&_per_page=10`, and `_where={"or":[{"total":{"gte":5}}]}` with groups.
 * With `_page`, the answer contains the rows in `data`, and the numbers of pages and rows. Without it, the answer is the list of rows.
 *
 * A row without a value satisfies no condition, not even `ne`, as in json-server.
 *
 * @example
 * const result = parseQuery(numberedCollection, 'total:gte=5&_sort=-total&_page=1', { notation: jsonServer1 })
 */
export const jsonServer1: Notation = /* @__PURE__ */ notation({
  name: 'jsonServer1',
  pair: '@path@word=@value',
  list: ',',
  operators: {
    '': 'equals',
    ':eq': 'equals',
    ':ne': '!equals',
    ':lt': 'lt',
    ':lte': 'lte',
    ':gt': 'gt',
    ':gte': 'gte',
    ':in': 'in',
    ':contains': 'contains',
    ':startsWith': 'startsWith',
    ':endsWith': 'endsWith',
  },
  groups: { or: 'or' },
  day: 'text',
  parameters: { _where: 'filter', _sort: 'sort', _page: 'page', _per_page: 'size' },
  pages: [['_page', '_per_page']],
  sort: 'signs',
  unpaged: 'max',
  needs: ['offset', 'count'],
  read: (client) => [...readSuffixed(client), ...readWhere(client)],
  answer: {
    body: { first: 1, prev: '@before', next: '@after', last: '@end', pages: '@end', items: '@count', data: '@items' },
    unpaged: '@items',
  },
  fault: { body: { error: '@message' } },
})
