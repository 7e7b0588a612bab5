/** What must come of the inputs in corpus.txt: the parser reads them, the service answers them, and every backend compiles them. */
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
import { issuesIn } from '../issues.ts'
import { rowsIn } from '../rows.ts'

/** The codes of its issues, or the query as `printFilter` writes what was read. */
type Outcome = readonly IssueCode[] | { readonly means: string }

const inFile = rowsIn(new URL('corpus.txt', import.meta.url), 'corpus').map(
  ({ cells: [query, codes, means = ''], place }): readonly [string, Outcome, string] => [
    query!,
    codes === 'means' ? { means } : (codes!.split(', ') as IssueCode[]),
    place,
  ],
)
// Source: parse-server GHSA-cgxm-vr2f-6fj8; qdrant GHSA-h4mh-v26f-h4x8; SCIM#138; qs CVE-2025-15284, CVE-2026-2391, CVE-2026-82562.
const long: readonly (readonly [query: string, outcome: Outcome])[] = [
  ['seller\u0000=1', ['syntax_character']],
  [`customerName[contains]=${'a'.repeat(100_000)}`, ['limit_length']],
  [`customerName[contains]=${'a'.repeat(2_000)}`, ['limit_operand']],
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
]
const short = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text)
const named = [...inFile, ...long].map(([query, outcome, place = 'long']) => ({
  ...{ query, outcome, title: `${place}: ${short(query)}` },
}))

const codesOf = (query: string): readonly string[] =>
  issuesIn(parseQuery(orderCollection, query, { reserved: ['apiKey'] })).map(({ code }) => code)
const readOf = (query: string): Filter | undefined => {
  const result = parseQuery(orderCollection, query, { reserved: ['apiKey'] })
  return result.ok ? result.query.filter : undefined
}

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
