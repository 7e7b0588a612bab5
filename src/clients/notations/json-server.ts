/** json-server: the convention of `ra-data-json-server` and `@refinedev/simple-rest`. */
import type { Notation } from '../../reading/index.ts'
import { notation } from './notation.ts'
import { readSuffixed } from './suffix.ts'

/**
 * The convention of json-server 0.17: `total_gte=5&_sort=total&_order=desc&_start=0&_end=10`. `ra-data-json-server` of react-admin and
 * `@refinedev/simple-rest` send these requests. The answer is the list of rows. `X-Total-Count` contains the number of matching rows.
 *
 * A row without a value satisfies no condition, not even `_ne`, as in json-server.
 *
 * @example
 * const result = parseQuery(numberedCollection, 'total_gte=5&_sort=total&_order=desc', { notation: jsonServer })
 */
export const jsonServer: Notation = /* @__PURE__ */ notation({
  name: 'jsonServer',
  pair: '@path@word=@value',
  list: '&',
  operators: { '': 'equals', _ne: '!equals', _gte: 'gte', _lte: 'lte', _like: 'contains' },
  day: 'text',
  parameters: {
    _sort: 'sort',
    _order: 'order',
    _start: 'start',
    _end: 'end',
    _limit: 'size',
    _page: 'page',
    q: 'search',
  },
  severals: { '': 'in', _ne: '!in' },
  pages: [
    ['_start', '_end'],
    ['_start', '_limit'],
    ['_page', '_limit'],
  ],
  sort: 'second',
  unpaged: 'max',
  needs: ['offset', 'count'],
  read: readSuffixed,
  answer: {
    body: '@items',
    headers: { 'x-total-count': '@count', 'access-control-expose-headers': 'X-Total-Count' },
  },
  fault: { body: { message: '@message' } },
})
