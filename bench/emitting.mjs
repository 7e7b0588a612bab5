/** Filters as SQL and as documents of MongoDB, against what peers make of the same conditions. */
import { CompoundCondition, FieldCondition } from '@ucast/core'
import { MongoQueryParser, allParsingInstructions } from '@ucast/mongo'
import { allInterpreters, createSqlInterpreter, pg } from '@ucast/sql'
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
  Q6: (at, name) => [`s-${at}`, ...span(at), ...name, 'paid', 'held', at],
}

const emission = {
  cases: [{}],
  processes: 3,
  run(_, settings) {
    const contenders = {
      // It writes no EXISTS: the caller joins the items, and an order with two of them comes twice.
      '@ucast/sql': ({ condition }) => interpret(condition, dialect),
      urlwhere: ({ filter }) => backend.compile(filter),
    }
    const sets = setsOf((filter, name, at) => {
      const input = { filter, condition: both(ucast(at).slice(0, fieldCounts[name])) }
      const [, ofUcast] = contenders['@ucast/sql'](input)
      check(String(ofUcast) === String(parametersOf[name](at, ['^jo'])), `@ucast/sql, ${name}, ${ofUcast}`)
      const { parameters } = contenders.urlwhere(input)
      check(String(parameters) === String(parametersOf[name](at, ['jo', 'jp'])), `urlwhere, ${name}, ${parameters}`)
      return input
    })
    return rowsOf(time(contenders, sets, settings), [{ contender: 'urlwhere', base: '@ucast/sql', target: 1 }])
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
