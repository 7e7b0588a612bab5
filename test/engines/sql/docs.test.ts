/** The tables and examples of the guides to SQL are what the code says, and each example runs. `UPDATE=1` writes them anew. */
import { afterAll, describe, expect, test } from 'vitest'
import {
  childTable,
  jsonColumn,
  type JsonColumn,
  duckdb,
  mariadb,
  mysql,
  postgres,
  postgres17,
  sqlBackend,
  sqlite,
  table,
  vitess,
  type Dialect,
} from '../../../src/backends/sql/index.ts'
import { defineCollection, parseFilterOrThrow, parseQueryOrThrow } from '../../../src/index.ts'
import { literalTypes } from '../../../src/tree.ts'
import { orders } from '../../../docs/demo/data.ts'
import { openDuckdb } from './duckdb.ts'
import { jsonIn, openEngines } from './engines.ts'
import { sectionsOf, tableOf, tableRows } from '../../package/page.ts'

const dialects: readonly Dialect[] = [postgres, mysql, mariadb, sqlite, duckdb]

test('the types of each dialect', () => {
  const rows = literalTypes.map((literal) => [
    literal,
    ...dialects.map(({ types, columnTypes }) => {
      const names = Object.keys(types).filter((one) => types[one]!.holds.includes(literal))
      const first = columnTypes[literal]
      const others = names.filter((one) => one !== first).map((one) => `\`${one}\``)
      // Without a default, a mapping must name one.
      return [...(first === undefined ? [] : [`**\`${first}\`**`]), ...others].join(', ')
    }),
  ])
  const head = ['field', ...dialects.map(({ name }) => `\`${name}\``)]
  sectionsOf('reference/column-types.md')('table: types', tableRows, tableOf(head, rows))
})

test('the preconditions of each dialect', () => {
  const all = [postgres, postgres17, ...dialects.slice(1), vitess]
  const texts = new Set(all.flatMap(({ preconditions }) => preconditions))
  const rows = Array.from(texts, (one) => [
    all.flatMap(({ name, preconditions }) => (preconditions.includes(one) ? [`\`${name}\``] : [])).join(', '),
    one,
  ])
  sectionsOf('guides/sql-engines.md')('table: preconditions', tableRows, tableOf(['dialects', 'precondition'], rows))
})

/** The mapping of the page, to tables of any name. */
const ordersIn = (name: string, items: string, json: (column: string) => JsonColumn = jsonColumn) =>
  table(name, {
    schema: orders,
    key: 'id',
    columns: {
      customerName: 'customer_name',
      paidAt: 'paid_at',
      customer: { name: 'contact_name', email: 'contact_email' },
      tags: json('tags'),
      items: childTable(items, { foreignKey: 'order_id', columns: { product: 'product_code' } }),
    },
  })
const queries = [
  '',
  'seller=s-1&total[gte]=10',
  'seller[notEqual]=s-1',
  'total[range]=10,20',
  'arrival[gt]=2024-01-01',
  'paidAt=2024-01-01',
  'gift=true&guests[exists]=false',
  'status[in]=paid,held',
  'guests[nin]=1,2,3',
  'customerName[startsWith]=jo',
  'customerName[contains]=100%25',
  'customerName[endsWith]=son',
  'customerName[doesNotContain]=x',
  'customerName[equalsIgnoreCase]=Jo',
  'customerName[startsWithExact]=Jo',
  'customerName[containsExact]=Jo',
  'customer.email[exists]=true',
  'customer[exists]=true',
  'items.arrival[gte]=2024-01-01&items.arrival[lte]=2024-01-03&items.product=surf',
  'items.price[notEqual]=5',
  'tags=sea',
  'tags[nin]=sea,vip',
]

const collection = defineCollection(orders, { key: 'id' })
const formsOf = (backend: ReturnType<typeof sqlBackend>, query: string) => {
  const { where } = backend.compileQuery(parseQueryOrThrow(collection, query))
  return { where, condition: backend.compile(parseFilterOrThrow(orders, query)) }
}

const unguarded = '-- compile: no guard'

test('the examples', () => {
  const shown = queries.map((query) => {
    const byText = Map.groupBy(dialects, (dialect) => {
      const { where, condition } = formsOf(sqlBackend({ dialect, table: ordersIn('orders', 'order_items') }), query)
      const guarded = condition.text.startsWith(`(${where.text} AND `)
        ? `-- compile: …${condition.text.slice(where.text.length + 1, -1)}\n`
        : `-- compile: ${condition.text}\n`
      const isGuarded = ![where.text, `(${where.text})`].includes(condition.text)
      return `${where.text}\n${isGuarded ? guarded : `${unguarded}\n`}-- ${JSON.stringify(where.parameters)}`.replaceAll(
        '`',
        '"',
      )
    })
    // Without the comments that the block before has, too.
    let before: readonly string[] = [unguarded]
    const lines = Array.from(byText, ([text, alike]) => {
      const all = text.split('\n')
      const shown = all.filter((line) => !line.startsWith('-- ') || !before.includes(line))
      before = all
      return [`-- ${alike.map(({ name }) => name).join(', ')}`, ...shown]
    })
    return `## \`${query || '(nothing)'}\`\n\n\`\`\`sql\n${lines.flat().join('\n')}\n\`\`\``
  })
  sectionsOf('internals/sql-text.md')('examples', '[^]', `\n${shown.join('\n\n')}`)
})

const engines = [...(await openEngines()), await openDuckdb()]
afterAll(async () => {
  for (const engine of engines) await engine.close()
})
describe.each(engines)('$name', (engine) => {
  const { dialect, declared, run } = engine
  test('runs them all', async () => {
    const name = `docs_${Math.random().toString(36).slice(2)}`
    const q = (name: string) => dialect.quote + name + dialect.quote
    const { string, integer, number, boolean, date, datetime, json } = declared
    const columns = {
      id: integer,
      seller: string,
      customer_name: string,
      status: string,
      total: number,
      guests: integer,
      gift: boolean,
      arrival: date,
      paid_at: datetime,
      tags: json,
      contact_name: string,
      contact_email: string,
    }
    const items = { order_id: integer, arrival: date, product_code: string, price: number }
    const create = (table: string, columns: object) =>
      run(
        `CREATE TABLE ${q(table)} (${Object.entries(columns)
          .map(([name, type]) => `${q(name)} ${type}`)
          .join(', ')})`,
      )
    await create(name, columns)
    await create(`${name}_items`, items)
    const mapped = ordersIn(name, `${name}_items`, jsonIn(engine))
    try {
      for (const query of queries) {
        for (const { text, parameters } of Object.values(formsOf(sqlBackend({ dialect, table: mapped }), query)))
          expect(await run(`SELECT * FROM ${q(name)} WHERE ${text}`, parameters)).toEqual([])
      }
    } finally {
      await run(`DROP TABLE ${q(`${name}_items`)}`)
      await run(`DROP TABLE ${q(name)}`)
    }
  })
})
