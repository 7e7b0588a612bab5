/** The statements of a shape of sql-shapes.mjs for a database: ours, and those by hand. */
import { sqlBackend } from '../src/backends/sql/index.ts'
import { defineCollection, parseQueryOrThrow, toPage } from '../src/index.ts'
import { count, schema, sellers } from './databases.mjs'
import { formOf } from './sql-by-hand.mjs'
import { check } from './timing.mjs'

/** A piece of a statement by hand, with the placeholders of the database. */
function written(placeholder, piece) {
  const parameters = []
  const textOf = ({ strings, values }) =>
    strings.reduce((text, next, at) => {
      const value = values[at - 1]
      const isPiece = Array.isArray(value?.strings)
      return text + (isPiece ? textOf(value) : placeholder(parameters.push(value))) + next
    })
  const text = textOf(piece)
  return { text, parameters }
}

const facetPaths = ['status', 'seller', 'labels', 'items.product', 'customer.country']
const collectionOf = ({ of, key = 'id', max, search }) =>
  defineCollection(of === 'sellers' ? sellers : schema, {
    ...{ key, sort: true, groups: true, fields: true, offset: { max: count }, limit: { default: 20, max: 1000 } },
    ...{ count: max === undefined ? true : { max }, search, facets: of === 'sellers' ? undefined : facetPaths },
  })

/** The parameters of the page after the place, or before it, and the row at the place. */
async function placeOf({ after, back = false, query: text, key = 'id' }, parse, backend, { prepare }, size) {
  if (after === undefined) return { cursor: '' }
  const fields = [key, ...parse(text).sort.map(({ path }) => path.join('.'))]
  const where =
    typeof after === 'string'
      ? `${after}&limit=1`
      : text.replace(/limit=\d+/, `limit=1&offset=${Math.round((after * size) / count) - 1}`)
  const query = parse(`${where}&fields=${[...new Set(fields)]}`)
  const statement = backend.select(query)
  const [row] = statement.page(await prepare(statement.text)(statement.parameters)).rows
  const { next } = toPage({ ...parse(text), limit: 1 }, [row, row])
  const cursor = back ? toPage(parse(`${text}&cursor=${next}`), [row]).previous : next
  return { row, cursor: `&cursor=${cursor}` }
}

const countOf = (count) => (typeof count === 'object' ? `${count.atLeast} at least` : count)

/** The statements of a shape, and how the ids of their rows are read; `undefined` where the database has nothing of the kind. */
export async function statementsOf(shape, { dialect, tables, family, placeholder }, opened, size = count) {
  const { of = 'orders', query: text, hand, fields = ['name', 'total'], counts, facet, max, timeZone } = shape
  const form = formOf(family)
  if (hand.every((write) => write(form, sample) === undefined)) return undefined
  const collection = collectionOf(shape)
  const parse = (text) => parseQueryOrThrow(collection, text, timeZone === undefined ? undefined : { timeZone })
  const backend = sqlBackend({ dialect, table: tables[of] })
  const asked = counts ? `${text}&count=true` : facet || fields === 'all' ? text : `${text}&fields=${['id', ...fields]}`
  const { row, cursor } = await placeOf(shape, parse, backend, opened, size)
  const query = parse(`${asked}${cursor}`.replace(/^&/, ''))
  const byHand = hand.flatMap((write) => {
    const piece = write(form, row)
    return piece === undefined ? [] : [written(placeholder, piece)]
  })
  const handIds = counts
    ? ([{ id }]) => [Number(id) > max ? `${max} at least` : id]
    : facet
      ? (rows) => rows.map(({ value, count }) => `${value} ${Number(count)}`)
      : (rows) => rows.map(({ id }) => id)
  const own = facet ? backend.facets(query)[0] : counts ? backend.select(query).count : backend.select(query)
  const ownIds = counts
    ? ([row]) => [countOf(own.read(row))]
    : facet
      ? (rows) => own.read(rows).map(({ value, count }) => `${value} ${count}`)
      : (rows) => rows.map((row) => own.read(row).id)
  return {
    ours: { text: own.text, parameters: own.parameters, idsOf: ownIds },
    hands: byHand.map((one) => ({ ...one, idsOf: handIds })),
  }
}
/** A row for statements that are only asked for. */
const sample = { discount: 1, customer: { name: '' }, created: '', ref: '' }

export const now = () => Number(process.hrtime.bigint())

export const laneOf = ({ prepare }, { text, parameters, idsOf }) => ({
  read: prepare(text),
  text,
  parameters,
  idsOf,
  samples: [],
})
export async function once({ read, parameters, samples }) {
  const begun = now()
  const rows = await read(parameters)
  samples.push(now() - begun)
  return rows
}
export const fastest = ({ samples }) => Math.min(...samples)

/** The fastest of the statements by hand, each of which must return the same rows. */
export async function bestOf(lanes, wanted) {
  for (const lane of lanes) {
    const found = lane.idsOf(await once(lane)).join()
    check(found === wanted, `${wanted || 'nothing'}, by hand ${found || 'nothing'}: ${lane.text}`)
  }
  const limit = 3 * Math.min(...lanes.map(fastest))
  const near = lanes.filter((lane) => fastest(lane) <= limit)
  if (near.length > 1 && limit < 1e9) for (let turn = 0; turn < 4; turn++) for (const lane of near) await once(lane)
  return near.toSorted((a, b) => fastest(a) - fastest(b))[0]
}
