/** JSON:API 1.1. */
import type { Notation } from '../../reading/index.ts'
import { readBracketed } from './brackets.ts'
import { notation } from './notation.ts'

const headers = { 'content-type': 'application/vnd.api+json' }

/** The operators with the names of this library. */
/* @__NO_SIDE_EFFECTS__ */ function ownNames(): Readonly<Record<string, string>> {
  const plain = 'gt gte lt lte range in nin contains doesNotContain startsWith endsWith equalsIgnoreCase exists all'
  const names = `${plain} equals notEqual containsExact startsWithExact endsWithExact atLeast atMost`.split(' ')
  return Object.fromEntries(names.map((name) => [name, name]))
}

/**
 * JSON:API 1.1: `filter[total][gte]=5&filter[status]=paid,held&sort=-total&page[size]=10`. The answer contains resources in `data` and
 * other pages in `links`. The links contain `page[after]` and `page[before]`, or `page[number]` or `page[offset]` if the request does.
 * The operators have the names of this library's operators, and `eq` and `ne`.
 *
 * `ne`, `nin` and `doesNotContain` also select the rows without a value, as in the language of this library.
 *
 * @example
 * const text = 'filter[total][gte]=5&filter[status]=paid,held&sort=-total&page[size]=10'
 * const result = parseQuery(numberedCollection, text, { notation: jsonApi })
 */
export const jsonApi: Notation = /* @__PURE__ */ notation({
  name: 'jsonApi',
  pair: 'filter[@path][@word]=@value',
  list: ',',
  operators: {
    eq: 'equals',
    '': 'equals',
    ne: 'notEqual',
    ...ownNames(),
  },
  prefix: 'filter',
  day: 'whole',
  parameters: {
    sort: 'sort',
    'page[size]': 'size',
    'page[number]': 'page',
    'page[after]': 'cursor',
    'page[before]': 'cursor',
    'page[offset]': 'start',
    'page[limit]': 'size',
    'fields[*]': 'fields',
  },
  severals: { '': 'in' },
  pages: [
    ['page[number]', 'page[size]'],
    ['page[after]', 'page[size]'],
    ['page[before]', 'page[size]'],
    ['page[offset]', 'page[limit]'],
    ['page[after]', 'page[limit]'],
    ['page[before]', 'page[limit]'],
  ],
  sort: 'signs',
  unpaged: 'default',
  needs: [],
  taken: ['type', 'id'],
  isTyped: true,
  links: {
    page: 'page[number]',
    start: 'page[offset]',
    next: 'page[after]',
    previous: 'page[before]',
    isNumbered: false,
  },
  read: readBracketed,
  answer: {
    body: {
      jsonapi: { version: '1.1' },
      data: '@items',
      links: { self: '@self', first: '@first', prev: '@previous', next: '@next', last: '@last' },
      meta: { page: { total: '@count' } },
    },
    item: { type: '@name', id: '@id', attributes: '@attributes' },
    headers,
  },
  one: { body: { jsonapi: { version: '1.1' }, data: '@item', links: { self: '@self' } }, headers },
  fault: {
    body: { jsonapi: { version: '1.1' }, errors: '@items' },
    item: { status: '@code', code: '@problem', title: '@title', detail: '@detail', source: '@source' },
    headers,
    isWhole: true,
  },
})
