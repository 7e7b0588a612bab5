/** Filters as SQL and as documents of MongoDB, against what peers make of the same conditions. */
import { CompoundCondition, FieldCondition } from '@ucast/core'
import { MongoQueryParser, allParsingInstructions } from '@ucast/mongo'
import { allInterpreters, createSqlInterpreter, pg } from '@ucast/sql'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { mongoBackend } from '../src/backends/mongo/index.ts'
import { childTable, postgres, sqlBackend, table } from '../src/backends/sql/index.ts'
import { parseFilterOrThrow } from '../src/index.ts'
import { conditions, dayFrom, dayTo, fieldCounts, orders, textsOf } from './queries.mjs'
import { check, rowsOf, time } from './timing.mjs'

const texts = textsOf(conditions)
const setsOf = (inputOf) =>
  Object.fromEntries(
    Object.entries(texts).map(([name, all]) => [
      name,
      all.map((text, at) => inputOf(parseFilterOrThrow(orders, text), name, at)),
    ]),
  )

// --- sql

const backend = sqlBackend({
  dialect: postgres,
  table: table('orders', {
    schema: orders,
    key: 'id',
    columns: { items: childTable('order_items', { foreignKey: 'order_id' }) },
  }),
})

const db = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const fromOrders = db.selectFrom('orders').select('orders.id')
const hasItem = (at) => (eb) =>
  eb.exists(
    eb
      .selectFrom('order_items as e1')
      .select(sql.lit(1).as('one'))
      .whereRef('e1.order_id', '=', 'orders.id')
      .where('e1.arrival', '>=', dayFrom(at))
      .where('e1.arrival', '<=', dayTo(at)),
  )
const lowerName = sql`lower("orders"."customerName")`
const ofSeller = (at) => fromOrders.where('orders.seller', '=', `s-${at}`)
const kysely = {
  Q1: ofSeller,
  Q3: (at) => ofSeller(at).where(hasItem(at)),
  Q6: (at) =>
    ofSeller(at)
      .where(hasItem(at))
      .where(lowerName, '>=', 'jo')
      .where(lowerName, '<', 'jp')
      .where('orders.status', 'in', ['paid', 'held'])
      .where('orders.total', '>', at),
}

const is = (operator, name, value) => new FieldCondition(operator, name, value)
const both = (conditions) => (conditions.length === 1 ? conditions[0] : new CompoundCondition('and', conditions))
/** One for each field. */
const ucast = (at) => [
  is('eq', 'seller', `s-${at}`),
  is('elemMatch', 'items', both([is('gte', 'arrival', dayFrom(at)), is('lte', 'arrival', dayTo(at))])),
  is('regex', 'customerName', /^jo/i),
  is('in', 'status', ['paid', 'held']),
  is('gt', 'total', at),
]
const interpret = createSqlInterpreter(allInterpreters)
const dialect = { ...pg, joinRelation: (name) => name === 'items' }

const span = (at) => [dayFrom(at), dayTo(at)]
const parametersOf = {
  Q1: (at) => [`s-${at}`],
  Q3: (at) => [`s-${at}`, ...span(at)],
  Q6: (at, name = ['jo', 'jp']) => [`s-${at}`, ...span(at), ...name, 'paid', 'held', at],
}

/** Contenders, as functions to text and parameters. */
const emitters = {
  urlwhere: ({ filter }) => backend.compile(filter),
  // The query is built beforehand, as the filter is.
  kysely: ({ query }) => query.compile(),
  // It writes no EXISTS: the caller joins the items, and an order with two of them comes twice.
  '@ucast/sql': ({ condition }) => interpret(condition, dialect),
}
const parametersIn = {
  urlwhere: ({ parameters }) => parameters,
  kysely: ({ parameters }) => parameters,
  '@ucast/sql': ([, parameters]) => parameters,
}

const emission = {
  cases: [{ peer: 'kysely' }, { peer: '@ucast/sql' }],
  processes: 3,
  run({ peer }, settings) {
    const contenders = { [peer]: emitters[peer], urlwhere: emitters.urlwhere }
    const sets = setsOf((filter, name, at) => {
      const condition = both(ucast(at).slice(0, fieldCounts[name]))
      const input = { filter, condition, query: kysely[name](at) }
      for (const contender of Object.keys(contenders)) {
        const expected = parametersOf[name](at, contender === '@ucast/sql' ? ['^jo'] : undefined)
        const seen = parametersIn[contender](emitters[contender](input))
        check(String(seen) === String(expected), `${contender}, ${name}, ${seen}`)
      }
      return input
    })
    return rowsOf(time(contenders, sets, settings), [{ contender: 'urlwhere', base: peer, target: 1, moonshot: 1 / 3 }])
  },
}

// --- mongo

const documents = mongoBackend()
const parser = new MongoQueryParser(allParsingInstructions)

const mongo = {
  cases: [{}],
  processes: 3,
  run(_, settings) {
    const sets = setsOf((filter, name, at) => {
      const document = documents.compile(filter)
      check(
        document.seller === `s-${at}` && Object.keys(document).length === fieldCounts[name],
        JSON.stringify(document),
      )
      return { filter, document }
    })
    // Nobody else writes documents out of trees: this is what it takes to read them.
    const contenders = {
      '@ucast/mongo parse': ({ document }) => parser.parse(document),
      urlwhere: ({ filter }) => documents.compile(filter),
    }
    return rowsOf(time(contenders, sets, settings), [{ contender: 'urlwhere', base: '@ucast/mongo parse' }])
  },
}

export const groups = { sql: emission, mongo }
