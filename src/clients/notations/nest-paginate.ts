/** nestjs-paginate. */
import type { Notation } from '../../reading/index.ts'
import { notation } from './notation.ts'
import { readWorded } from './values.ts'

/**
 * The convention of nestjs-paginate: `filter.total=$gte:5&sortBy=total:DESC&page=1&limit=10`. The answer contains the rows in `data`, the
 * numbers of rows and pages in `meta`, and other pages in `links`.
 *
 * `$any`, `$none` and `$all` before an operator compare the entries of a list of objects: one entry, no entry, or every entry. `$all` selects no
 * row whose list is empty.
 *
 * A row without a value satisfies neither a condition nor its `$not`, as in nestjs-paginate.
 *
 * @example
 * const text = 'filter.total=$gte:5&filter.status=$not:$in:paid,held&sortBy=total:DESC'
 * const result = parseQuery(numberedCollection, text, { notation: nestPaginate })
 */
export const nestPaginate: Notation = /* @__PURE__ */ notation({
  name: 'nestPaginate',
  pair: 'filter.@path=@word:@value',
  list: ',',
  operators: {
    $eq: 'equals',
    '': 'equals',
    $gt: 'gt',
    $gte: 'gte',
    $lt: 'lt',
    $lte: 'lte',
    $in: 'in',
    $btw: 'range',
    $ilike: 'contains',
    $sw: 'startsWith',
    $contains: 'all',
    $null: '!exists',
  },
  groups: { $not: 'not' },
  quantifiers: { $any: 'some', $none: 'none', $all: 'every' },
  prefix: 'filter.',
  day: 'moment',
  parameters: { sortBy: 'sort', select: 'fields', page: 'page', limit: 'size', cursor: 'cursor', search: 'search' },
  pages: [
    ['page', 'limit'],
    ['cursor', 'limit'],
  ],
  sort: 'words',
  repeats: true,
  unpaged: 'default',
  needs: ['offset', 'count'],
  links: { page: 'page', next: 'cursor', previous: 'cursor', isNumbered: true },
  read: readWorded,
  answer: {
    body: {
      data: '@items',
      meta: {
        itemsPerPage: '@limit',
        totalItems: '@count',
        currentPage: '@number',
        totalPages: '@pages',
        sortBy: '@order',
      },
      links: { first: '@first', previous: '@previous', current: '@self', next: '@next', last: '@last' },
    },
  },
  fault: { body: { statusCode: '@status', message: '@message', error: '@title' } },
})
