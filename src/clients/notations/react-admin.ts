/** react-admin: the convention of `ra-data-simple-rest`. */
import type { Notation } from '../../reading/index.ts'
import { readJson, readJsonSort } from './json.ts'
import { notation } from './notation.ts'

/**
 * The convention of `ra-data-simple-rest`: `filter={"total_gte":5}&sort=["total","DESC"]&range=[0,9]`, with the operators of FakeRest. The
 * answer is the list of rows. `Content-Range` contains the range of the page and the number of matching rows.
 *
 * `_neq` also selects the rows without a value, as in FakeRest.
 *
 * @example
 * const text = new URLSearchParams({ filter: '{"status":["paid","held"]}', range: '[0,9]' })
 * const result = parseQuery(numberedCollection, text, { notation: reactAdmin })
 */
export const reactAdmin: Notation = /* @__PURE__ */ notation({
  name: 'reactAdmin',
  pair: 'filter={"@path@word":@value}',
  list: '[]',
  operators: {
    '': 'equals',
    _eq: 'equals',
    _neq: 'notEqual',
    _gt: 'gt',
    _gte: 'gte',
    _lt: 'lt',
    _lte: 'lte',
    _eq_any: 'in',
    _neq_any: 'nin',
    _inc: 'all',
    _q: 'contains',
  },
  severals: { '': 'all' },
  day: 'text',
  parameters: { filter: 'filter', range: 'range', sort: 'sort' },
  search: 'q',
  pages: [['range']],
  sort: 'json',
  endsAtLast: true,
  unpaged: 'max',
  needs: ['offset', 'count'],
  read: readJson,
  readSort: readJsonSort,
  answer: {
    body: '@items',
    headers: { 'content-range': '@name @places/@count', 'access-control-expose-headers': 'Content-Range' },
  },
  fault: { body: { message: '@message' } },
})
