/**
 * Compares two builds, whose calls take turns in one process, so that a change shows although machines drift:
 *
 *     node bench/builds.mjs DIST_BEFORE DIST_AFTER [--quick]
 *
 * Each argument is the `dist` of a checkout. A ratio below 1 means that the second build is faster. The engine compiles the code that
 * it meets first in another way, so half of the processes begin with the second build. Compare a build with a copy of itself: its
 * ratios show the noise of the machine.
 */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { conditions, encode, fieldsOf, flat, textsOf } from './queries.mjs'
import { check, median, settingsOf, time } from './timing.mjs'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, one: { type: 'boolean', default: false } },
})
if (positionals.length !== 2) {
  console.error('node bench/builds.mjs DIST_BEFORE DIST_AFTER [--quick]')
  process.exit(2)
}

const texts = Object.values(textsOf(conditions)).flat()
const inJsonApi = (at) =>
  `filter[seller]=s-${at}&filter[total][gte]=${at}&filter[status][in]=paid,held&sort=-total&page[size]=20`
const inObject = (at) => ({
  seller: `s-${at}`,
  'total[gte]': at,
  'status[in]': ['paid', 'held'],
  sort: ['-total'],
  limit: 20,
})
const each = (make) => Array.from({ length: 32 }, (_, at) => make(at))
/** Pairs of about so many characters, each with a field of its own. */
const pairsOf = (length) => flat(Array.from({ length: Math.floor(length / 12) }, (_, at) => `f${at}=${at}`).join('&'))
const pairs = { 'pairs of 64 kB, a character': pairsOf(64_000), 'pairs of 1 MB, a character': pairsOf(1_000_000) }

/** The inputs by their names in the table. */
const inputs = {
  'parseFilter raw': texts,
  'parseFilter encoded': texts.map(encode),
  'parseFilter of groups': each(
    (at) => `or=(seller=s-${at},and(total[gt]=${at},status[in]=(paid,held)))&total[lt]=${at + 9}`,
  ),
  'parseFilter, rejected': each((at) => `selller=s-${at}&total[gt]=${at}&status=pade`),
  'parseFilter, rejected pairs of 8 kB': [`${'nobody=1&'.repeat(900)}total=1`],
  parseQuery: each((at) => `${conditions(at).join('&')}&sort=-total&limit=20`),
  'parseQuery of JSON:API': each(inJsonApi),
  parseObject: each(inObject),
  select: each((at) => `${conditions(at).join('&')}&sort=-total&limit=20`),
  'predicate of 100 rows': texts.slice(0, 32),
  'page of 20 rows': each((at) => at),
  ...Object.fromEntries(Object.entries(pairs).map(([name, text]) => [name, [text]])),
}

/** Functions of one input by the same names, of one build. */
async function contendersOf(dist) {
  const load = (name) => import(pathToFileURL(resolve(dist, `${name}.js`)).href)
  const [
    { defineCollection, defineSchema, field, parseFilter, parseObject, parseQuery, parseQueryOrThrow },
    notations,
  ] = [await load('index'), await load('notations')]
  const [{ memoryBackend }, { childTable, postgres, sqlBackend, table }] = [await load('memory'), await load('sql')]
  const orders = defineSchema({ id: field.integer(), ...fieldsOf(field) })
  const collection = defineCollection(orders, {
    key: 'id',
    sort: ['total'],
    limit: { default: 20, max: 100 },
    offset: { max: 1_000 },
    count: true,
  })
  const items = childTable('items', { key: 'id', foreignKey: 'order_id' })
  const mapping = table('orders', { schema: orders, key: 'id', columns: { customerName: 'customer_name', items } })
  const sql = sqlBackend({ dialect: postgres, table: mapping })
  const memory = memoryBackend()
  const rows = Array.from({ length: 100 }, (_, id) => ({
    ...{ id, seller: `s-${id % 9}`, customerName: 'Jo', status: 'paid', total: id, note: '' },
    items: [{ arrival: '2024-01-05' }],
  }))
  const query = parseQueryOrThrow(collection, 'sort=-total&limit=20')
  const statement = sql.select(query)
  // As node-postgres returns them.
  const found = rows.slice(0, 20).map(({ id, seller, customerName, status, total, note, items: of }) => ({
    ...{ c1: id, c2: seller, c3: customerName, c4: status, c5: total, c6: note },
    c7: JSON.stringify(of.map(({ arrival }) => [arrival])),
  }))
  const notation = { notation: notations.jsonApi }
  const parse = (text) => parseFilter(orders, text)
  const all = {
    'parseFilter raw': parse,
    'parseFilter encoded': parse,
    'parseFilter of groups': (text) => parseFilter(orders, text, { groups: true }),
    'parseFilter, rejected': parse,
    'parseFilter, rejected pairs of 8 kB': parse,
    parseQuery: (text) => parseQuery(collection, text),
    'parseQuery of JSON:API': (text) => parseQuery(collection, text, notation),
    parseObject: (object) => parseObject(collection, object),
    select: (text) => sql.select(parseQueryOrThrow(collection, text)),
    'predicate of 100 rows': (text) => rows.filter(memory.compile(parse(text).filter)).length + 1,
    'page of 20 rows': () => statement.page(found),
    ...Object.fromEntries(
      Object.entries(pairs).map(([name, text]) => {
        const schema = defineSchema(
          Object.fromEntries(text.split('&').map((pair) => [pair.split('=')[0], field.string()])),
        )
        return [name, (text) => parseFilter(schema, text, { limits: { length: Infinity, pairs: Infinity } })]
      }),
    ),
  }
  for (const [name, contender] of Object.entries(all))
    for (const input of inputs[name]) {
      const answer = contender(input)
      check((answer.ok ?? true) !== name.includes('rejected'), `${name}, ${JSON.stringify(input)}`)
    }
  return all
}

/** Name → nanoseconds of each build, in one process. */
async function timesOf([first, second]) {
  const [before, after] = [await contendersOf(first), await contendersOf(second)]
  return Object.entries(inputs).map(([name, given]) => {
    const contenders = { first: before[name], second: after[name] }
    const { [name]: samples } = time(contenders, { [name]: given }, { ...settingsOf(options.quick), rounds: 21 })
    const ratio = median(samples.second.map((spent, round) => spent / samples.first[round]))
    const characters = pairs[name]?.length ?? 1
    return { name, first: median(samples.first) / characters, second: median(samples.second) / characters, ratio }
  })
}

/** The times of a process of its own. */
const apart = (builds) =>
  JSON.parse(
    execFileSync(process.execPath, [
      fileURLToPath(import.meta.url),
      ...builds,
      '--one',
      ...(options.quick ? ['--quick'] : []),
    ]),
  )

if (options.one) console.log(JSON.stringify(await timesOf(positionals)))
else {
  const runs = Array.from({ length: options.quick ? 2 : 6 }, (_, at) => {
    if (at % 2 === 0) return apart(positionals)
    return apart(positionals.toReversed()).map(({ first, second, ratio, ...row }) => ({
      ...{ ...row, first: second, second: first, ratio: 1 / ratio },
    }))
  })
  const middle = (at, of) => median(runs.map((run) => run[at][of]))
  const mean = (at) => Math.exp(runs.reduce((sum, run) => sum + Math.log(run[at].ratio), 0) / runs.length)
  console.table(
    Object.fromEntries(
      Object.keys(inputs).map((name, at) => [
        name,
        {
          'before, ns': Number(middle(at, 'first').toPrecision(3)),
          'after, ns': Number(middle(at, 'second').toPrecision(3)),
          ratio: Number(mean(at).toFixed(3)),
        },
      ]),
    ),
  )
}
