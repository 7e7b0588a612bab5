/** Strapi: the convention of `@refinedev/strapi-v4`. */
import type { Notation } from '../../reading/index.ts'
import { readNested } from './brackets.ts'
import { notation } from './notation.ts'

/**
 * The convention of Strapi 4 and 5: `filters[total][$gte]=5&sort=total:desc&pagination[page]=1`. `@refinedev/strapi-v4` sends these
 * requests. The answer contains the rows in `data` and the number of matching rows in `meta.pagination`.
 *
 * A row without a value satisfies neither a condition nor its `$not`, as in Strapi.
 *
 * @example
 * const text = 'filters[status][$ne]=paid&filters[total][$gte]=5&sort=total:desc'
 * const result = parseQuery(numberedCollection, text, { notation: strapi })
 */
export const strapi: Notation = /* @__PURE__ */ notation({
  name: 'strapi',
  pair: 'filters[@path][@word]=@value',
  list: '&',
  operators: {
    $eq: 'equals',
    '': 'equals',
    $ne: '!equals',
    $gt: 'gt',
    $gte: 'gte',
    $lt: 'lt',
    $lte: 'lte',
    $in: 'in',
    $notIn: '!in',
    $nin: '!in',
    $eqi: 'equalsIgnoreCase',
    $nei: '!equalsIgnoreCase',
    $between: 'range',
    $null: '!exists',
    $notNull: 'exists',
    $contains: 'containsExact',
    $notContains: '!containsExact',
    $containsi: 'contains',
    $notContainsi: '!contains',
    $startsWith: 'startsWithExact',
    $startsWithi: 'startsWith',
    $endsWith: 'endsWithExact',
    $endsWithi: 'endsWith',
  },
  groups: { $and: 'and', $or: 'or', $not: 'not' },
  prefix: 'filters',
  day: 'moment',
  parameters: {
    sort: 'sort',
    'sort[*]': 'sort',
    fields: 'fields',
    'fields[*]': 'fields',
    _q: 'search',
    'pagination[page]': 'page',
    'pagination[pageSize]': 'size',
    'pagination[start]': 'start',
    'pagination[limit]': 'size',
    'pagination[withCount]': 'counted',
  },
  pages: [
    ['pagination[page]', 'pagination[pageSize]'],
    ['pagination[start]', 'pagination[limit]'],
  ],
  sort: 'words',
  repeats: true,
  unpaged: 'max',
  needs: ['offset', 'count'],
  read: readNested,
  answer: {
    body: {
      data: '@items',
      meta: { pagination: { page: '@number', pageSize: '@limit', pageCount: '@pages', total: '@count' } },
    },
  },
  one: { body: { data: '@item', meta: {} } },
  fault: {
    body: {
      data: null,
      message: '@message',
      error: { status: '@status', name: '@title', message: '@message', details: {} },
    },
  },
})
