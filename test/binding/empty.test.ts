/** Pairs without a value, which forms send: the pairs that `empty: 'ignore'` ignores, and the pairs that it never ignores. */
import { describe, expect, test } from 'vitest'
import {
  FilterError,
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  narrow,
  parseFilter,
  parseObject,
  parseQuery,
  parseQueryOrThrow,
  printQuery,
  toPage,
  type CollectionOptions,
} from '../../src/index.ts'
import {
  jsonApi,
  jsonServer,
  nestPaginate,
  reactAdmin,
  strapi,
  type Notation,
} from '../../src/clients/notations/index.ts'
import { createListService } from '../../src/service/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { issuesIn } from '../issues.ts'
import { applied } from '../issue/suggestions.ts'
import { sameFilter } from '../../src/tree.ts'

const schema = defineSchema({
  key: field.integer(),
  total: field.number(),
  status: field.enumeration(['new', 'paid']),
  customerName: field.string(),
  at: field.datetime(),
  secret: field.string(),
  tags: field.list(field.string()),
})
const options: CollectionOptions<typeof schema.fields> = {
  ...{ key: 'key', sort: ['total'], fields: true, count: true, offset: { max: 1_000 }, search: ['customerName'] },
  ...{ facets: ['status'], timeZone: true, groups: true, hidden: ['secret'] },
  aliases: { fields: { name: 'customerName' } },
}
const strict = defineCollection(schema, options)
const lenient = defineCollection(schema, { ...options, empty: 'ignore' })

const printed = (text: string, collection = lenient) => printQuery(collection, parseQueryOrThrow(collection, text))
const issuesOf = (text: string, collection = lenient, more = {}) =>
  issuesIn(parseQuery(collection, text, more)).map(({ code, span }) => [code, text.slice(span!.start, span!.end)])

describe('a pair without a value is left out', () => {
  test.each([
    ['status='],
    ['customerName='],
    ['name='],
    ['customerName[contains]='],
    ['customerName%5Bcontains%5D='],
    ['customerName[notEqual]='],
    ['total[range]='],
    ['status[in]='],
    ['status[nin]='],
    ['tags[all]='],
    ['tags[atLeast]='],
    ['status[exists]='],
    ['search='],
    ['sort='],
    ['limit='],
    ['offset='],
    ['cursor='],
    ['fields='],
    ['count='],
    ['facets='],
    ['timeZone='],
    ['status=&search=&sort=&limit=&cursor=&offset='],
  ])('%s', (text) => {
    expect(parseQueryOrThrow(lenient, text)).toEqual(parseQueryOrThrow(lenient, ''))
    expect(printed(`${text}&total=5&key[gt]=1`)).toBe('total=5&key[gt]=1')
    expect(printed(`?total=5&${text}`)).toBe('total=5')
  })

  test('it does not count as a repetition of another pair', () => {
    expect(printed('status=&status=paid&status=')).toBe('status=paid')
    expect(printed('sort=&sort=-total&limit=5&limit=')).toBe('sort=-total&limit=5')
    expect(printed('search=&search=jo')).toBe('search=jo')
  })

  test('the zone and the cursor are those of the pairs with a value', () => {
    const today = (text: string) =>
      parseQueryOrThrow(lenient, text, { now: new Date('2024-06-01T23:30:00Z'), timeZone: 'UTC' }).clock?.timeZone
    expect(today('timeZone=&timeZone=Asia/Tokyo&at[gte]=today')).toBe('Asia/Tokyo')
    const first = 'timeZone=Asia/Tokyo&at[gte]=today&limit=1'
    const { next } = toPage(parseQueryOrThrow(lenient, first), [{ key: 1 }, { key: 2 }])
    expect(today(`at[gte]=today&limit=1&cursor=&cursor=${next}`)).toBe('Asia/Tokyo')
  })

  test('it adds nothing to a list of repeated pairs', () => {
    const repeated = defineCollection(schema, { ...options, empty: 'ignore', lists: 'repeated' })
    expect(printed('status=&status=new&status=paid', repeated)).toBe('status[in]=new,paid')
    expect(printed('status[]=&status[]=paid', repeated)).toBe('status[in]=paid')
    expect(printed('status=&status=paid', repeated)).toBe('status=paid')
    expect(printed('status[]=', repeated)).toBe('')
  })

  test('its deprecated name is not reported', () => {
    const old = defineCollection(schema, { ...options, empty: 'ignore', deprecated: { name: { since: '2024-01-01' } } })
    expect(parseQuery(old, 'name=').deprecated).toEqual([])
    expect(parseQuery(old, 'name=jo').deprecated).toMatchObject([{ name: 'name' }])
  })
})

describe('everything else stays', () => {
  test.each([
    ['customerName=+', 'customerName=+'],
    ['customerName[in]=""', 'customerName[in]=%22%22'],
    ['customerName[in]=a,""', 'customerName[in]=a,%22%22'],
    ['or=(customerName="",total=5)', 'or=(customerName=%22%22,total=5)'],
    // Written as a pair, it would be left out.
    ['and=(customerName="")', 'and=(customerName=%22%22)'],
    ['total=5&and=(customerName[contains]="",tags="")', 'total=5&and=(customerName[contains]=%22%22,tags=%22%22)'],
  ])('a text is a value: %s', (text, expected) => {
    expect(printed(text)).toBe(expected)
  })

  test.each([
    // Names that nobody knows.
    ['statsu=', ['field_unknown', 'statsu']],
    ['secret=', ['field_unknown', 'secret']],
    ['status[eqq]=', ['operator_unknown', 'eqq']],
    ['total[contains]=', ['operator_not_applicable', 'contains']],
    ['=', ['syntax_name', '']],
    ['status[in=', ['syntax_bracket', '[']],
    // No "=".
    ['status', ['syntax_missing_equals', 'status']],
    // Items of lists, and groups.
    ['status[in]=,', ['operand_empty', ''], ['operand_empty', '']],
    ['sort=,', ['operand_empty', ''], ['operand_empty', '']],
    ['or=', ['syntax_group', '']],
    ['not=', ['syntax_group', '']],
    ['or=(status=,total=5)', ['operand_empty', '']],
    ['or=(status[in]=())', ['operand_empty', '']],
    ['search=""', ['operand_empty', '""']],
    ['limit=+', ['parameter_invalid', '+']],
  ])('%s is an issue', (text, ...issues) => {
    expect(issuesOf(text)).toEqual(issues)
  })

  test('a reserved pair keeps its empty value', () => {
    const { reserved, ok } = parseQuery(lenient, 'view=&status=', { reserved: ['view'] })
    expect([ok, reserved.get('view')]).toEqual([true, ['']])
  })

  test('a pair that is left out counts for the limits of a text', () => {
    const limits = { pairs: 2 }
    expect(issuesOf('status=&status=&status=', lenient, { limits })).toEqual([['limit_pairs', 'status=']])
    expect(issuesOf('status=&sort=&total=1', lenient, { limits })).toEqual([['limit_pairs', 'total=1']])
    expect(issuesOf('customerName[contains]=&search=', lenient, { limits: { searches: 0 } })).toEqual([])
  })

  test('without the option, each is read or refused', () => {
    expect(printed('customerName=', strict)).toBe('customerName=')
    expect(issuesOf('status=&limit=', strict)).toEqual([
      ['operand_invalid', ''],
      ['parameter_invalid', ''],
    ])
    expect(strict.empty).toBeUndefined()
  })

  test('parseFilter has no such option: restrictions are never left out', () => {
    expect(parseFilter(schema, 'customerName=')).toMatchObject({ ok: true, filter: { kind: 'comparison' } })
    expect(parseFilter(schema, 'status=').ok).toBe(false)
    expect(() => parseFilter(schema, '', { empty: 'ignore' } as object)).toThrow(TypeError)
  })

  test.each([
    ['customerName=', 'and=(customerName=%22%22)'],
    ['customerName[notEqual]=', 'and=(customerName[notEqual]=%22%22)'],
    ['total=5&customerName[contains]=', 'total=5&and=(customerName[contains]=%22%22)'],
    ['customerName[range]="",x', 'customerName[range]=%22%22,x'],
    ['tags=', 'and=(tags=%22%22)'],
    ['or=(customerName="",total=5)', 'or=(customerName=%22%22,total=5)'],
  ])('a query with an empty text is written so that it is read again: %s', (asked, expected) => {
    const query = buildQuery(lenient, { filter: parseQueryOrThrow(strict, asked).filter })
    const text = printQuery(lenient, query)
    expect(text).toBe(expected)
    expect(sameFilter(parseQueryOrThrow(lenient, text).filter, query.filter)).toBe(true)
  })

  test('without groups, nothing writes it: it is refused and never left out', () => {
    const plain = defineCollection(schema, { ...options, groups: false, empty: 'ignore' })
    const query = buildQuery(plain, { filter: parseQueryOrThrow(strict, 'total=5&customerName=').filter })
    expect(() => printQuery(plain, query)).toThrow(FilterError)
    expect(() => printQuery(plain, query)).toThrow(
      'a condition on customerName with an empty text needs a group: the collection ignores pairs without a value',
    )
    const listed = buildQuery(plain, { filter: parseQueryOrThrow(strict, 'customerName[in]=""').filter })
    expect(printQuery(plain, listed)).toBe('customerName[in]=%22%22')
  })
})

describe('the option', () => {
  test('has one value', () => {
    expect(() => defineCollection(schema, { ...options, empty: 'drop' as 'ignore' })).toThrow(
      new TypeError("empty must be 'ignore', or absent"),
    )
  })
  test('a narrowed collection keeps it, and cannot change it', () => {
    expect(printed('status=&total=5', narrow(lenient, { fields: { hide: ['at'] } }) as typeof lenient)).toBe('total=5')
    expect(() => narrow(strict, { empty: 'ignore' } as object)).toThrow(TypeError)
    expect(issuesOf('at=', narrow(lenient, { fields: { hide: ['at'] } }) as typeof lenient)).toEqual([
      ['field_unknown', 'at'],
    ])
  })
})

describe('an object', () => {
  test.each([
    [{ status: '' }],
    [{ total: '' }],
    [{ 'total[gte]': '' }],
    [{ 'customerName[contains]': '' }],
    [{ 'status[in]': '' }],
    [{ search: '', sort: '', limit: '', fields: '' }],
  ])('leaves out members with an empty text: %j', (object) => {
    const result = parseObject(lenient, { ...object, 'total[gt]': 5 })
    expect(result.ok && printQuery(lenient, result.query)).toBe('total[gt]=5')
  })
  test.each<readonly [object, readonly string[]]>([
    [{ statsu: '' }, ['field_unknown']],
    [{ status: null }, ['operand_invalid']],
    [{ status: {} }, ['operand_invalid']],
    [{ status: undefined }, ['operand_invalid']],
    // A list without values selects nothing: it is not the same as no condition.
    [{ 'status[in]': [] }, ['operand_invalid']],
    [{ 'status[in]': [''] }, ['operand_invalid']],
    [{ sort: [] }, ['parameter_invalid']],
    [{ search: null }, ['parameter_invalid']],
    [{ or: '' }, ['syntax_group']],
  ])('refuses %j', (object, codes) => {
    expect(issuesIn(parseObject(lenient, object)).map(({ code }) => code)).toEqual(codes)
  })
  test('a list keeps an empty text', () => {
    const result = parseObject(lenient, { 'customerName[in]': [''] })
    expect(result.ok && printQuery(lenient, result.query)).toBe('customerName[in]=%22%22')
  })
})

describe('notations', () => {
  const [some, all] = [lenient, strict]
  test.each<readonly [text: string, notation: Notation, expected: string]>([
    ['status=&total_gte=5&customerName_like=&_sort=&q=', jsonServer, 'total[gte]=5'],
    ['status=&status=paid', jsonServer, 'status=paid'],
    ['filter[status]=&filter[total][gte]=5&filter[customerName][contains]=&sort=', jsonApi, 'total[gte]=5'],
    ['filter.status=&filter.total=$gte:5&search=&sortBy=', nestPaginate, 'total[gte]=5'],
    ['filters[status][$eq]=&filters[total][$gte]=5&sort=', strapi, 'total[gte]=5'],
    ['filter={"status":"","total_gte":5,"q":""}&range=&sort=', reactAdmin, 'total[gte]=5'],
    ['filter=&range=', reactAdmin, ''],
  ])('%s', (text, notation, expected) => {
    const read = (one: string) => {
      const result = parseQuery(some, one, { notation })
      return result.ok ? printQuery(some, result.query) : result.issues
    }
    const without = parseQuery(some, '', { notation })
    const page = without.ok ? printQuery(some, without.query) : ''
    expect(read(text)).toBe([expected, page].filter((one) => one !== '').join('&'))
    expect(parseQuery(all, text, { notation })).not.toMatchObject({ query: { filter: { kind: 'and', filters: [] } } })
  })
  test.each<readonly [text: string, notation: Notation]>([
    ['statsu=', jsonServer],
    ['total_foo=', jsonServer],
    ['filter[statsu]=', jsonApi],
    // The value is an operator.
    ['filter.status=$eq:', nestPaginate],
    ['filter.status=$in:', nestPaginate],
    ['filters[$or][0][status][$eq]=', strapi],
    ['filter={"status":[]}', reactAdmin],
    ['filter={"status":null,"statsu":""}', reactAdmin],
  ])('%s is no missing value', (text, notation) => {
    expect(parseQuery(some, text, { notation }).ok).toBe(false)
  })
})

describe('a service', () => {
  const rows = [1, 2, 3].map((key) => ({ key, total: key, status: 'paid', customerName: key === 3 ? '' : 'Jo' }))
  const service = createListService({
    authenticate: () => ({}),
    collections: {
      orders: {
        collection: defineCollection(schema, {
          key: 'key',
          sort: ['total'],
          search: ['customerName'],
          empty: 'ignore',
        }),
        rows: { find: (query) => memoryBackend().compileQuery(query)(rows).rows },
        // A restriction with an empty text stays.
        restriction: () => parseQueryOrThrow(strict, 'customerName[notEqual]=').filter,
      },
    },
  })
  const answer = async (request: Request) => {
    const response = await service(request)
    const body = (await response.json()) as { readonly data: readonly { readonly key: number }[] }
    return { status: response.status, keys: body.data.map(({ key }) => key), link: response.headers.get('link') }
  }
  const empty = 'status=&customerName[contains]=&search=&cursor=&limit=1'

  test('reads the query of a form, and links to its next page', async () => {
    const first = await answer(new Request(`http://x/orders?${empty}`))
    expect(first).toMatchObject({ status: 200, keys: [1] })
    const next = /<([^>]*)>; rel="next"/.exec(first.link!)![1]!
    expect(await answer(new Request(`http://x/orders${next}`))).toMatchObject({ status: 200, keys: [2] })
  })

  test.each([
    ['application/x-www-form-urlencoded', 'status=&customerName=&sort=&limit='],
    ['application/json', '{"status":"","customerName":"","sort":"","limit":""}'],
  ])('reads a QUERY with the content of a form: %s', async (type, body) => {
    const request = new Request('http://x/orders', { method: 'QUERY', body, headers: { 'content-type': type } })
    expect(await answer(request)).toMatchObject({ status: 200, keys: [1, 2] })
  })
})

test('a hint to leave a pair out makes no edit: fewer conditions select more rows', () => {
  const text = 'status=&total[gte]='
  expect(
    issuesIn(parseQuery(strict, text)).flatMap(({ suggestion }) => (suggestion ? applied(text, suggestion) : [])),
  ).toEqual([])
})
