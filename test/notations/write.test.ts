/** Writes queries in notations: each text parses to the same query, and `printNotation` refuses parts that the client cannot express. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseQueryOrThrow, printQuery, type Query } from '../../src/index.ts'
import { jsonApi, jsonServer, printNotation } from '../../src/clients/notations/index.ts'
import { collection, notations, orders } from './orders.ts'
import { written, check } from './write.fixture.ts'

/** For each query: the decoded text in each notation, or the reason of the refusal. */
const cases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'status=paid&sort=-total': {
    jsonServer1: 'status=paid&_sort=-total',
    jsonServer: 'status=paid&_sort=total&_order=desc',
    reactAdmin: 'filter={"status":"paid"}&sort=["total","DESC"]',
    strapi: 'filters[status][$eq]=paid&sort=total:DESC',
    jsonApi: 'filter[status][eq]=paid&sort=-total&page[size]=40',
    nestPaginate: 'filter.status=$eq:paid&sortBy=total:DESC&limit=40',
  },
  'status[in]=paid,held&sort=-total,id': {
    jsonServer1: 'status:in=paid,held&_sort=-total,id',
    jsonServer: 'status=paid&status=held&_sort=total,id&_order=desc,asc',
    reactAdmin: '✗ reactAdmin has no order of several fields',
    strapi: 'filters[status][$in][0]=paid&filters[status][$in][1]=held&sort=total:DESC&sort=id:ASC',
    jsonApi: 'filter[status][in]=paid,held&sort=-total,id&page[size]=40',
    nestPaginate: 'filter.status=$in:paid,held&sortBy=total:DESC&sortBy=id:ASC&limit=40',
  },
  'day[range]=2024-01-02,2024-01-05': {
    jsonServer1: 'day:gte=2024-01-02&day:lte=2024-01-05',
    jsonServer: 'day_gte=2024-01-02&day_lte=2024-01-05',
    reactAdmin: 'filter={"day_gte":"2024-01-02","day_lte":"2024-01-05"}',
    strapi: 'filters[day][$between][0]=2024-01-02&filters[day][$between][1]=2024-01-05',
    jsonApi: 'filter[day][range]=2024-01-02,2024-01-05&page[size]=40',
    nestPaginate: 'filter.day=$btw:2024-01-02,2024-01-05&limit=40',
  },
  'paidAt[gt]=2024-01-31': {
    jsonServer: 'paidAt_gte=2024-02-01T00:00:00.000Z',
    reactAdmin: 'filter={"paidAt_gte":"2024-02-01T00:00:00.000Z"}',
    strapi: 'filters[paidAt][$gte]=2024-02-01T00:00:00.000Z',
    jsonApi: 'filter[paidAt][gt]=2024-01-31&page[size]=40',
    nestPaginate: 'filter.paidAt=$gte:2024-02-01T00:00:00.000Z&limit=40',
  },
  'paidAt[gte]=2024-01-31': {
    jsonServer: 'paidAt_gte=2024-01-31T00:00:00.000Z',
    reactAdmin: 'filter={"paidAt_gte":"2024-01-31T00:00:00.000Z"}',
    strapi: 'filters[paidAt][$gte]=2024-01-31T00:00:00.000Z',
    jsonApi: 'filter[paidAt][gte]=2024-01-31&page[size]=40',
    nestPaginate: 'filter.paidAt=$gte:2024-01-31T00:00:00.000Z&limit=40',
  },
  'paidAt[lt]=2024-01-31': {
    jsonServer: 'paidAt_lte=2024-01-31',
    reactAdmin: 'filter={"paidAt_lt":"2024-01-31T00:00:00.000Z"}',
    strapi: 'filters[paidAt][$lt]=2024-01-31T00:00:00.000Z',
    jsonApi: 'filter[paidAt][lt]=2024-01-31&page[size]=40',
    nestPaginate: 'filter.paidAt=$lt:2024-01-31T00:00:00.000Z&limit=40',
  },
  'paidAt[lte]=2024-01-31': {
    jsonServer1: 'paidAt:lt=2024-02-01T00:00:00.000Z',
    jsonServer: 'paidAt_lte=2024-02-01',
    reactAdmin: 'filter={"paidAt_lt":"2024-02-01T00:00:00.000Z"}',
    strapi: 'filters[paidAt][$lt]=2024-02-01T00:00:00.000Z',
    jsonApi: 'filter[paidAt][lte]=2024-01-31&page[size]=40',
    nestPaginate: 'filter.paidAt=$lt:2024-02-01T00:00:00.000Z&limit=40',
  },
  'paidAt=2024-01-31': {
    jsonServer: 'paidAt_gte=2024-01-31T00:00:00.000Z&paidAt_lte=2024-02-01',
    reactAdmin: 'filter={"paidAt_gte":"2024-01-31T00:00:00.000Z","paidAt_lt":"2024-02-01T00:00:00.000Z"}',
    strapi: 'filters[paidAt][$gte]=2024-01-31T00:00:00.000Z&filters[paidAt][$lt]=2024-02-01T00:00:00.000Z',
    jsonApi: 'filter[paidAt][eq]=2024-01-31&page[size]=40',
    nestPaginate: 'filter.paidAt=$gte:2024-01-31T00:00:00.000Z&filter.paidAt=$lt:2024-02-01T00:00:00.000Z&limit=40',
  },
  'paidAt[notEqual]=2024-01-31': {
    jsonServer: '✗ jsonServer cannot express notEqual on paidAt with this operand',
    reactAdmin: '✗ reactAdmin cannot express notEqual on paidAt with this operand',
    strapi: '✗ strapi cannot express notEqual on paidAt with this operand',
    jsonApi: 'filter[paidAt][ne]=2024-01-31&page[size]=40',
    nestPaginate: '✗ nestPaginate cannot express notEqual on paidAt with this operand',
  },
  'paidAt[in]=2024-01-30,2024-01-31': {
    jsonServer: '✗ jsonServer cannot express in on paidAt with this operand',
    reactAdmin: '✗ reactAdmin cannot express in on paidAt with this operand',
    strapi: '✗ strapi cannot express in on paidAt with this operand',
    jsonApi: 'filter[paidAt][in]=2024-01-30,2024-01-31&page[size]=40',
    nestPaginate: '✗ nestPaginate cannot express in on paidAt with this operand',
  },
  'paidAt[range]=2024-01-30,2024-01-31': {
    jsonServer: 'paidAt_gte=2024-01-30T00:00:00.000Z&paidAt_lte=2024-02-01',
    reactAdmin: 'filter={"paidAt_gte":"2024-01-30T00:00:00.000Z","paidAt_lt":"2024-02-01T00:00:00.000Z"}',
    strapi: 'filters[paidAt][$gte]=2024-01-30T00:00:00.000Z&filters[paidAt][$lt]=2024-02-01T00:00:00.000Z',
    jsonApi: 'filter[paidAt][range]=2024-01-30,2024-01-31&page[size]=40',
    nestPaginate: 'filter.paidAt=$gte:2024-01-30T00:00:00.000Z&filter.paidAt=$lt:2024-02-01T00:00:00.000Z&limit=40',
  },
  'paidAt=2024-01-31T00:00:00Z': {
    jsonServer: 'paidAt=2024-01-31T00:00:00.000Z',
    reactAdmin: 'filter={"paidAt":"2024-01-31T00:00:00.000Z"}',
    strapi: 'filters[paidAt][$eq]=2024-01-31T00:00:00.000Z',
    jsonApi: 'filter[paidAt][eq]=2024-01-31T00:00:00.000Z&page[size]=40',
    nestPaginate: 'filter.paidAt=$eq:2024-01-31T00:00:00.000Z&limit=40',
  },
  'note[notEqual]=a': {
    jsonServer:
      '✗ jsonServer has no operator for notEqual on note; its negations select only rows with a value: add note[exists]=true',
    reactAdmin: 'filter={"note_neq":"a"}',
    strapi:
      '✗ strapi has no operator for notEqual on note; its negations select only rows with a value: add note[exists]=true',
    jsonApi: 'filter[note][ne]=a&page[size]=40',
    nestPaginate:
      '✗ nestPaginate has no operator for notEqual on note; its negations select only rows with a value: add note[exists]=true',
  },
  'note[notEqual]=a&note[exists]=true': {
    jsonServer1: 'note:ne=a',
    jsonServer: 'note_ne=a',
    reactAdmin: '✗ reactAdmin cannot express the parts of this query together',
    strapi: 'filters[note][$ne]=a',
    jsonApi: 'filter[note][ne]=a&filter[note][exists]=true&page[size]=40',
    nestPaginate: 'filter.note=$not:$eq:a&limit=40',
  },
  'status[nin]=paid,held&status[exists]=true': {
    jsonServer: 'status_ne=paid&status_ne=held',
    reactAdmin: 'filter={"status_neq_any":["paid","held"],"status_neq":null}',
    strapi: 'filters[status][$notIn][0]=paid&filters[status][$notIn][1]=held',
    jsonApi: 'filter[status][nin]=paid,held&filter[status][exists]=true&page[size]=40',
    nestPaginate: 'filter.status=$not:$in:paid,held&limit=40',
  },
  'note[exists]=false&gift=true&total=5': {
    jsonServer: '✗ jsonServer has no operator for exists on note',
    reactAdmin: 'filter={"note":null,"gift":true,"total":5}',
    strapi: 'filters[note][$null]=true&filters[gift][$eq]=true&filters[total][$eq]=5',
    jsonApi: 'filter[note][exists]=false&filter[gift][eq]=true&filter[total][eq]=5&page[size]=40',
    nestPaginate: 'filter.note=$null&filter.gift=$eq:true&filter.total=$eq:5&limit=40',
  },
  'note[exists]=true&customer.name[contains]=Ann': {
    jsonServer: '✗ jsonServer has no operator for exists on note',
    reactAdmin: 'filter={"note_neq":null,"customer.name_q":"Ann"}',
    strapi: 'filters[note][$notNull]=true&filters[customer][name][$containsi]=Ann',
    jsonApi: 'filter[note][exists]=true&filter[customer.name][contains]=Ann&page[size]=40',
    nestPaginate: 'filter.note=$not:$null&filter.customer.name=$ilike:Ann&limit=40',
  },
  'not=(note[startsWith]=a)&note[exists]=true': {
    jsonServer:
      '✗ jsonServer has no operator for not startsWith on note | jsonServer has no operator for exists on note',
    reactAdmin: '✗ reactAdmin has no operator for not startsWith on note',
    strapi: 'filters[note][$not][$startsWithi]=a',
    jsonApi: '✗ jsonApi has no operator for not startsWith on note',
    nestPaginate: 'filter.note=$not:$sw:a&limit=40',
  },
  'or=(note=a,and(total[gt]=5,gift=true))&or=(id=1,id=2)': {
    jsonServer1: '✗ jsonServer1 cannot express the parts of this query together',
    jsonServer: '✗ jsonServer has no groups of or | jsonServer has no groups of or',
    reactAdmin: '✗ reactAdmin has no groups of or | reactAdmin has no groups of or',
    strapi:
      'filters[$and][0][$or][0][note][$eq]=a&filters[$and][0][$or][1][$and][0][total][$gt]=5&filters[$and][0][$or][1][$and][1][gift][$eq]=true&filters[$and][1][$or][0][id][$eq]=1&filters[$and][1][$or][1][id][$eq]=2',
    jsonApi: '✗ jsonApi has no groups of or | jsonApi has no groups of or',
    nestPaginate: '✗ nestPaginate has no groups of or | nestPaginate has no groups of or',
  },
  'or=(total[gt]=5.5,and(status[in]=(paid),gift=true))&customer.name=Ann': {
    jsonServer1:
      '_where={"or":[{"total":{"gt":5.5}},{"status":{"in":["paid"]},"gift":{"eq":true}}],"customer":{"name":{"eq":"Ann"}}}',
  },
  'not=(note=a,total=5)': {
    strapi: '✗ strapi has no negation of a group that selects rows without a value, too',
  },
  'note=a,"b"': {
    jsonServer: 'note=a,"b"',
    reactAdmin: 'filter={"note":"a,\\"b\\""}',
    strapi: 'filters[note][$eq]=a,"b"',
    jsonApi: 'filter[note][eq]=a,"b"&page[size]=40',
    nestPaginate: 'filter.note=$eq:a,"b"&limit=40',
  },
  'note[in]="a,b",c': {
    jsonServer1: '✗ jsonServer1 cannot express in on note with this operand',
    jsonServer: 'note=a,b&note=c',
    reactAdmin: 'filter={"note_eq_any":["a,b","c"]}',
    strapi: 'filters[note][$in][0]=a,b&filters[note][$in][1]=c',
    jsonApi: '✗ jsonApi cannot express in on note with this operand',
    nestPaginate: '✗ nestPaginate cannot express in on note with this operand',
  },
  'total[gte]=5': {
    jsonServer1: 'total:gte=5',
    jsonServer: '✗ jsonServer reads total_gte as the field of that name',
    reactAdmin: '✗ reactAdmin reads total_gte as the field of that name',
    nestPaginate: 'filter.total=$gte:5&limit=40',
  },
  'tags[all]=sea,vip&search=ann+surf': {
    jsonServer: '✗ jsonServer has no operator for all on tags',
    reactAdmin: 'filter={"tags_inc":["sea","vip"],"q":"ann+surf"}',
    strapi: '✗ strapi has no operator for all on tags',
    jsonApi: '✗ jsonApi has no search',
    nestPaginate: 'filter.tags=$contains:sea,vip&search=ann+surf&limit=40',
  },
  'search="ann+surf"': {
    jsonServer: '✗ jsonServer has no phrases in a search',
  },
  'fields=id,total': {
    jsonServer: '✗ jsonServer has no choice of fields',
    strapi: 'fields=id,total',
    jsonApi: 'page[size]=40&fields[rows]=id,total',
    nestPaginate: 'limit=40&select=id,total',
  },
}

describe.each(Object.entries(cases))('%s', (text, expected) => {
  test.each(Object.entries(expected))('%s: %s', (name, form) => {
    const query = parseQueryOrThrow(collection, `${text.replaceAll('"', '%22')}&limit=40`)
    const { text: found, refused } = written(notations[name]!, query)
    expect(found === undefined ? `✗ ${refused}` : decodeURIComponent(found)).toBe(form)
  })
})

describe('pages', () => {
  const pages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    '': {
      jsonServer1: '_page=1&_per_page=10',
      jsonServer: '_start=0&_end=10',
      reactAdmin: 'range=[0,9]',
      strapi: 'pagination[pageSize]=10',
      jsonApi: '',
      nestPaginate: '',
    },
    'limit=5&offset=10': {
      jsonServer1: '_page=3&_per_page=5',
      jsonServer: '_start=10&_end=15',
      reactAdmin: 'range=[10,14]',
      strapi: 'pagination[page]=3&pagination[pageSize]=5',
      jsonApi: 'page[number]=3&page[size]=5',
      nestPaginate: 'page=3&limit=5',
    },
    'limit=5&offset=3': {
      jsonServer1: '✗ jsonServer1 has no page that begins there',
      jsonServer: '_start=3&_end=8',
      reactAdmin: 'range=[3,7]',
      strapi: 'pagination[start]=3&pagination[limit]=5',
      jsonApi: 'page[offset]=3&page[limit]=5',
      nestPaginate: '✗ nestPaginate has no page that begins there',
    },
    'offset=0': { jsonApi: '', jsonServer: '_start=0&_end=10' },
  }
  const all = Object.entries(pages).flatMap(([text, forms]) =>
    Object.entries(forms).map(([name, form]) => [text, name, form] as const),
  )
  test.each(all)('%s in %s: %s', (text, name, form) => {
    const { text: found, refused } = written(notations[name]!, parseQueryOrThrow(collection, text))
    expect(found ?? `✗ ${refused}`).toBe(form)
  })

  test('cursors have the parameter of their direction', () => {
    const sort = parseQueryOrThrow(collection, 'sort=-total').sort
    for (const [toward, name] of [
      ['next', 'page[after]'],
      ['previous', 'page[before]'],
    ] as const) {
      const query: Query = {
        ...parseQueryOrThrow(collection, 'sort=-total&limit=5'),
        position: { toward, values: sort.map(({ type }) => ({ type, value: 3 }) as never) },
      }
      const cursor = /cursor=(\w+)$/.exec(printQuery(collection, query))![1]!
      expect(written(jsonApi, query).text).toBe(`sort=-total&${name}=${cursor}&page[size]=5`)
      expect(written(notations['nestPaginate']!, query).text).toBe(`sortBy=total:DESC&cursor=${cursor}&limit=5`)
      expect(written(jsonServer, query).refused).toBe('jsonServer has no cursors')
    }
  })
})

test.each(Object.entries(notations))('%s writes each row of its table in the guide', (name, notation) => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/reference/notations.md'), 'utf8')
  const [, table = ''] = new RegExp(`<!-- table: ${name} -->\\n\\n(?:.*\\n){2}((?:\\|.*\\n)*)`).exec(guide) ?? []
  const texts = Array.from(table.matchAll(/^\| `([^`]+)`/gm), ([, text]) => text!)
  expect(texts.length).toBeGreaterThan(8)
  for (const text of texts) {
    const query = parseQueryOrThrow(collection, text, { notation })
    expect(check(collection, notation, query), `${text}: ${written(notation, query).refused}`).toBe(true)
  }
})

test('JSON:API writes options.name as the type', () => {
  const query = parseQueryOrThrow(collection, 'fields=id')
  expect(printNotation(collection, query, jsonApi, { name: 'orders' })).toBe('fields[orders]=id')
  expect(() => printNotation(collection, query, jsonApi, { name: 'a]' })).toThrow('options.name must be a name')
})

test('a negation of a client requires no groups in the collection', () => {
  const flat = defineCollection(orders, { key: 'id', sort: true, offset: { max: 100 }, count: true })
  const text = 'filters[note][$notContains]=a&pagination[pageSize]=20'
  const query = parseQueryOrThrow(flat, text, { notation: notations['strapi'] })
  expect(printNotation(flat, query, notations['strapi']!)).toBe(text)
})

test('a day of another zone is written as moments', () => {
  const schema = defineSchema({ id: field.integer(), at: field.datetime({ digits: 3 }) })
  const of = defineCollection(schema, { key: 'id', sort: true, offset: { max: 100 }, count: true })
  const query = parseQueryOrThrow(of, 'at[gte]=2024-01-02', { timeZone: 'Asia/Tokyo' })
  expect(printNotation(of, query, jsonApi)).toBe('filter[at][gte]=2024-01-01T15:00:00.000Z')
})

test('throws a TypeError for a missing option of the collection, and for every value but a notation', () => {
  const bare = defineCollection(orders, { key: 'id', sort: true })
  const query = parseQueryOrThrow(bare, '')
  expect(() => printNotation(bare, query, jsonServer)).toThrow(TypeError)
  for (const wrong of [undefined, null, {}, 'jsonApi', { ...jsonApi, bind: 1 }])
    expect(() => printNotation(bare, query, wrong as never)).toThrow(
      new TypeError('notation must be a notation of urlwhere/notations, such as jsonServer'),
    )
})
