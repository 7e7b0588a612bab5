/**
 * Inputs that have broken other libraries, each with its source and with what must come of it here: issues, or a literal
 * meaning. The parser reads them, the service answers them, and every backend compiles them.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import {
  jsonColumn,
  duckdb,
  mariadb,
  mysql,
  postgres,
  sqlBackend,
  sqlite,
  table,
} from '../../src/backends/sql/index.ts'
import { makeAccounts } from '../../docs/demo/accounts.ts'
import { orderCollection, orders } from '../../docs/demo/data.ts'
import { makeService } from '../../docs/demo/service.ts'
import { memoryStore } from '../../docs/demo/store.ts'
import { and, or, parseQuery, printFilter, where, type Filter, type IssueCode } from '../../src/index.ts'

/** The codes of its issues, or `{ means }`: the query as `printFilter` writes what was read. */
type Outcome = readonly IssueCode[] | { readonly means: string }
type Line = readonly [query: string, outcome: Outcome]

const unknown: Outcome = ['field_unknown']
const means = (query: string): Outcome => ({ means: query })

const corpus: readonly (readonly [what: string, source: string, lines: readonly Line[]])[] = [
  [
    'prototypes as names',
    'qs CVE-2022-24999; feathers-sequelize GHSA-p5m3-27vh-52j4; CVE-2025-23061',
    [
      [
        'a[__proto__]=b&a[__proto__]&a[length]=100000000',
        ['field_unknown', 'operator_unknown', 'syntax_missing_equals', 'field_unknown', 'operator_unknown'],
      ],
      ['__proto__[polluted]=1', ['field_unknown', 'operator_unknown']],
      ['constructor[prototype][x]=1', ['syntax_bracket']],
      ['seller.__proto__.b[equals]=1', unknown],
      ['seller.constructor.name=Object', unknown],
      ['toString=1&hasOwnProperty[exists]=true&valueOf[gt]=1', ['field_unknown', 'field_unknown', 'field_unknown']],
      ['customerName=__proto__', means('customerName=__proto__')],
    ],
  ],
  [
    'steps into lists and texts',
    'sift, mingo: property walks reach what texts and lists have',
    [
      ['seller.length=3', unknown],
      ['tags.0=a&tags.length=1', ['field_unknown', 'field_unknown']],
      ['tags[0]=a', ['operator_unknown']],
      ['items[0].product=x', ['syntax_bracket']],
      ['tags[999999999]=x', ['operator_unknown']],
    ],
  ],
  [
    'operators of another language, in keys',
    'sequelize#7310, mongoose#3944, loopback#4195, CVE-2024-53900',
    [
      ['seller[$gt]=', ['operator_unknown']],
      ['seller[$ne]=&customerName[$ne]=', ['operator_unknown', 'operator_unknown']],
      ['token[gt]=1', unknown],
      ['seller={"neq":"foo"}', means('seller=%7B%22neq%22%3A%22foo%22%7D')],
      ['$where=while(1){}', unknown],
      ['filter={"where":{"$where":"function(){sleep(5000)}"}}', unknown],
      [
        '$expr=1&$function=1&$accumulator=1&$text=1&$jsonSchema=1',
        ['field_unknown', 'field_unknown', 'field_unknown', 'field_unknown', 'field_unknown'],
      ],
      ['seller=$where', means('seller=$where')],
    ],
  ],
  [
    'objects and lists in the place of values',
    'CVE-2016-20018 (knex, mysql), Drupal CVE-2026-9082',
    [
      ['seller[equals][$ne]=x', ['syntax_bracket']],
      ['seller[equals][gte]=x', ['syntax_bracket']],
      ['seller[]=a&seller[]=b', ['syntax_bracket', 'syntax_bracket']],
      ['seller[a][b][c]=1', ['syntax_bracket']],
      ['where[secret][name]=admin', ['syntax_bracket']],
      ['filter[t][condition][value][%60]=x', ['syntax_bracket']],
      ['seller[0||1/(SELECT CASE WHEN (1=1) THEN 0 END)]=x', ['syntax_bracket']],
    ],
  ],
  [
    'SQL in values and names',
    'Ghost CVE-2026-26980; parse-server GHSA-qpr4-jrj4-6f27; sequelize PR 11329, #13817; nestjsx/crud#849',
    [
      ["customerName[in]=slug:[test',test]", means("customerName[in]=slug%3A%5Btest'%2Ctest%5D")],
      ['seller"%20OR%201=1--=x', unknown],
      ["seller';--[gte]=1", unknown],
      ['seller`=1', unknown],
      ['seller]=1', ['syntax_bracket']],
      ['seller\u0000=1', ['syntax_character']],
      ['sort=id;drop', unknown],
      ['sort=(select 1)', unknown],
      ["customer.id')) AS DECIMAL) = 1 DELETE--[equals]=1", unknown],
      [
        'customerName=some:foo&seller=$1&customer.name=?&customer.email=:id',
        means('customerName=some%3Afoo&seller=$1&customer.name=%3F&customer.email=%3Aid'),
      ],
    ],
  ],
  [
    'questions that tell what may not be seen',
    'Strapi CVE-2026-27886, Directus CVE-2024-34708, Flask-AppBuilder#1860',
    [
      ['where[updatedBy][email][$startsWith]=a', ['syntax_bracket']],
      ['_flt_0_password=p%25', unknown],
      ['x:password=a', unknown],
      ['fields=*&populate=*&sort=password&cursor=abc', ['field_unknown', 'field_unknown', 'field_unknown']],
    ],
  ],
  [
    'groups that would widen',
    'Ghost#10398; strapi#17001, typeorm#9316',
    [
      ['or[0][seller]=me&or[1][seller]=victim', ['syntax_bracket', 'syntax_bracket']],
      ['not[seller]=mine', ['field_unknown']],
      ['seller[in]=', ['operand_empty']],
      ['seller[in]=,', ['operand_empty', 'operand_empty']],
      ['or=(seller.eq.x)', ['syntax_missing_equals']],
      ['or=(seller=me,seller=victim)', means('or=(seller=me,seller=victim)')],
      ['not=(seller=me)', means('seller[notEqual]=me')],
      ['or=(seller=me)),or=(and=(seller=victim)', ['syntax_group']],
      ['or=()', ['syntax_group']],
    ],
  ],
  [
    'patterns and their bombs',
    'loopback#1781; liqe; prisma#19506; sequelize#12519; CVE-2025-15284',
    [
      ['customerName[contains]=(a%2B)%2B$', means('customerName[contains]=(a%2B)%2B$')],
      ['customerName[startsWith]=^(a%2B)%2B$', means('customerName[startsWith]=%5E(a%2B)%2B$')],
      ['customerName[contains]=.*.*.*.*=', means('customerName[contains]=.*.*.*.*=')],
      ['customerName[contains]=[', means('customerName[contains]=%5B')],
      ['customerName[contains]=%25', means('customerName[contains]=%25')],
      ['customerName[contains]=_', means('customerName[contains]=_')],
      ['customerName[contains]=%5C', means('customerName[contains]=%5C')],
      ['customerName[contains]=a*a*a*a*a*a*b', means('customerName[contains]=a*a*a*a*a*a*b')],
      [`customerName[contains]=${'a'.repeat(100_000)}`, ['limit_length']],
      [`customerName[contains]=${'a'.repeat(2_000)}`, ['limit_operand']],
    ],
  ],
  [
    'depth and size',
    'parse-server GHSA-cgxm-vr2f-6fj8; qdrant GHSA-h4mh-v26f-h4x8; SCIM#138; qs CVE-2026-2391, CVE-2026-82562',
    [
      ['not['.repeat(20_000), ['limit_length']],
      ['('.repeat(10_000), ['syntax_missing_equals']],
      // The outermost is open, eight have no name before them, and the ninth is too deep.
      [`or=${'('.repeat(10_000)}`, ['syntax_group', ...Array<IssueCode>(8).fill('syntax_name'), 'limit_depth']],
      [`or=${'(not'.repeat(3_000)}`, ['syntax_group', 'limit_depth']],
      [`or=(${'a=1,'.repeat(101)}a=1)`, ['limit_pairs']],
      [`${'a.'.repeat(8_000)}a=1`, ['limit_depth']],
      [`${'a=1&'.repeat(101)}`, ['limit_pairs']],
      [`total[in]=${'1,'.repeat(600)}1`, ['limit_list']],
      [`total[in]=${','.repeat(10_000)}`, ['limit_list']],
      [`total[in]=${','.repeat(499)}`, [...Array<IssueCode>(19).fill('operand_empty'), 'limit_issues']],
      [`${'seller=x&'.repeat(30)}`, [...Array<IssueCode>(19).fill('duplicate_condition'), 'limit_issues']],
    ],
  ],
  [
    'what is no page',
    'feathers: 1e9 is 1',
    [
      ['limit=1e9&limit=-1&offset=9e15', ['parameter_invalid', 'parameter_duplicate', 'field_unknown']],
      ['guests=1e9', ['operand_invalid']],
      ['guests=0x10', ['operand_invalid']],
      ['guests=１０', ['operand_invalid']],
      ['total=1e400', ['operand_invalid']],
    ],
  ],
  [
    'encodings',
    'WHATWG URL; PostgreSQL and U+0000; json-api#1302',
    [
      ['seller=%E0%A4%A', ['syntax_encoding']],
      ['seller=%', ['syntax_encoding']],
      ['seller=%00', ['syntax_character']],
      ['seller=%ff', ['syntax_encoding']],
      ['seller=%c0%ae', ['syntax_encoding']],
      ['seller=a+b', means('seller=a+b')],
      ['total%5Bgte%5D=1', means('total[gte]=1')],
      ['total%255Bgte%255D=1', unknown],
      ['seller=a;total=1', means('seller=a%3Btotal%3D1')],
      ['=x', ['syntax_name']],
      ['&&seller=x&&', means('seller=x')],
      ['seller', ['syntax_missing_equals']],
      ['seller=', means('seller=')],
      ['[gte]=1', ['syntax_name']],
      ['total[=1', ['syntax_bracket']],
      ['total]=1', ['syntax_bracket']],
      ['total[gte]x=1', ['syntax_bracket']],
      ['total[gte][gte]=1', ['syntax_bracket']],
      ['total[ GTE ]=1', ['operator_unknown']],
    ],
  ],
  [
    'days that are none',
    'api-query-params, query-to-mongo: 2024-02-30 is the first of March',
    [
      ...['2024-02-30', '2024-13-01', '0000-00-00', '2024-1-1', '2023-02-29', '%2B002024-01-01', '２０２４-01-01'].map(
        (day): Line => [`arrival=${day}`, ['operand_invalid']],
      ),
      ['paidAt=2024-01-01T00:00:00', ['operand_invalid']],
    ],
  ],
  [
    'numbers that are near ones',
    'api-query-params#117; query-to-mongo: 12345678901234567890 loses digits',
    [
      ...['01234', '%2B123', '1e3', '0x10', 'Infinity', 'NaN', '9007199254740993', '12345678901234567890'].map(
        (number): Line => [`guests=${number}`, ['operand_invalid']],
      ),
      ['guests=-0', means('guests=0')],
      ['customerName=01234', means('customerName=01234')],
    ],
  ],
  [
    'lists and their quotes',
    'PostgREST#1943',
    [
      ['customerName[in]=a,,b', ['operand_empty']],
      ['customerName[in]="x,y",z', means('customerName[in]=%22x%2Cy%22,z')],
      ['customerName[in]="unterminated', ['operand_quote']],
      ['total[range]=5,1', means('total[range]=5,1')],
      ['total[range]=1', ['operand_count']],
      ['total[range]=1,2,3', ['operand_count']],
    ],
  ],
  [
    'credentials in the wrong place',
    'api-query-params: apiKey lands in the filter',
    [
      ['apiKey[gte]=1', unknown],
      ['%61piKey=office-key', means('')],
      ['apikey=office-key', unknown],
    ],
  ],
]
const lines = corpus.flatMap(([what, source, lines]) =>
  lines.map(([query, outcome]) => ({ what, source, query, outcome })),
)

const codesOf = (query: string): readonly string[] => {
  const result = parseQuery(orderCollection, query, { reserved: ['apiKey'] })
  return result.ok ? [] : result.issues.map(({ code }) => code)
}
const readOf = (query: string): Filter | undefined => {
  const result = parseQuery(orderCollection, query, { reserved: ['apiKey'] })
  return result.ok ? result.query.filter : undefined
}
const short = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text)
const named = lines.map((line) => ({ ...line, title: `${line.what}: ${short(line.query)}` }))

describe('read', () => {
  test.each(named)('$title', ({ query, outcome }) => {
    const before = Reflect.ownKeys(Object.prototype)
    if ('means' in outcome) {
      expect(codesOf(query)).toEqual([])
      expect(decodeURIComponent(printFilter(orders, readOf(query)!, { groups: true }))).toBe(
        decodeURIComponent(outcome.means),
      )
    } else expect(codesOf(query)).toEqual(outcome)
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
  })
})

describe('asked of the service', () => {
  let ask: (query: string) => Promise<Response>
  beforeAll(async () => {
    const service = makeService(memoryStore(), await makeAccounts(2), (error) => {
      throw error
    })
    ask = (query) => service(new Request(`http://x/api/orders?${query}`, { headers: { 'X-API-KEY': 'north-key' } }))
  })
  // A URL that a client made has some characters escaped, so that spans are others; the codes are not.
  test.each(named)('$title', async ({ query, outcome }) => {
    const answer = await ask(query)
    const body = (await answer.json()) as { issues?: { code: string }[]; data?: { seller: string }[] }
    if ('means' in outcome && query.includes('piKey')) expect(answer.status).toBe(400)
    else if ('means' in outcome) {
      expect(answer.status).toBe(200)
      expect(body.data!.every(({ seller }) => seller === 's-north')).toBe(true)
    } else {
      expect(answer.status).toBe(400)
      expect(body.issues!.map(({ code }) => code)).toEqual(outcome)
    }
  })
})

describe('compiled', () => {
  const columns = { tags: jsonColumn('tags'), items: jsonColumn('items'), customer: jsonColumn('customer') }
  const ordersTable = table('orders', { schema: orders, key: 'id', columns })
  const restriction = where(orders).equals('seller', 's-north')
  const accepted = named.filter(({ outcome }) => 'means' in outcome)
  test.each(accepted)('$title', ({ query }) => {
    const filter = readOf(query)!
    const rows = [{ seller: 's-south' }, { seller: null }, {}, null, 5]
    expect(rows.filter(memoryBackend().compile(and(restriction, filter)))).toEqual([])
    expect(rows.filter(memoryBackend().compile(and(restriction, or(filter, and()))))).toEqual([])
    for (const dialect of [postgres, mysql, mariadb, sqlite, duckdb]) {
      const { text } = sqlBackend({ dialect, table: ordersTable }).compile(filter)
      // Operands that are words: none of them is in the statement.
      expect(text).not.toMatch(/test|__proto__|foo|\$where|unterminated|neq/)
    }
    const keys = JSON.stringify(mongoBackend().compile(filter)).match(/"\$\w+":/g) ?? []
    expect(keys.filter((key) => !/"\$(and|or|ne|in|eq|gte|lte|regex|options|not|nor)":/.test(key))).toEqual([])
  })
})
