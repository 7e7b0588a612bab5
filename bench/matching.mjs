/** Saved filters: the filters that select a row, against asking each one; the memory of a filter, and that of a matcher whose filters change. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { memoryBackend } from '../src/backends/memory/index.ts'
import { and, defineSchema, field, where } from '../src/index.ts'
import { matcher } from '../src/live/index.ts'
import { newRandom } from './rows.mjs'
import { check, rowsOf, time } from './timing.mjs'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc')

const schema = defineSchema({
  tenant: field.string(),
  status: field.string(),
  total: field.number(),
  name: field.string(),
})
const { equals, gte, range, contains, startsWith, endsWith } = where(schema)
const below = newRandom()
const random = () => below(2 ** 31) / 2 ** 31
const oneOf = (list) => list[below(list.length)]
const words = Array.from({ length: 2_000 }, () =>
  Array.from({ length: 6 }, () => String.fromCharCode(97 + below(26))).join(''),
)
const statuses = ['paid', 'held', 'new']

/** What users save. A hundred of each hundred tenants' filters have three statuses and a thousand totals. */
const populations = {
  'a tenant and two conditions': () =>
    and(equals('tenant', `t-${below(100)}`), equals('status', oneOf(statuses)), gte('total', below(1_000))),
  ranges: () => {
    const low = random() * 1_000
    return range('total', low, low + 10 * random())
  },
  texts: () => oneOf([contains, startsWith, endsWith])('name', oneOf(words)),
}
const row = () => ({
  tenant: `t-${below(100)}`,
  status: oneOf(statuses),
  total: random() * 1_000,
  name: `${oneOf(words)} ${oneOf(words)}`,
})

const match = {
  cases: Object.keys(populations).flatMap((population) =>
    [10, 1_000, 100_000, 10_000].map((count) => ({ population, count })),
  ),
  processes: 3,
  run({ population, count }, settings) {
    const filters = Array.from({ length: count }, populations[population])
    const predicates = filters.map((filter) => memoryBackend().compile(filter))
    const saved = matcher()
    filters.forEach((filter, id) => saved.add(id, filter))
    const oneByOne = (one) => {
      const ids = []
      for (let id = 0; id < predicates.length; id++) if (predicates[id](one)) ids.push(id)
      return ids
    }
    const rows = Array.from({ length: 100 }, row)
    const inOrder = (ids) => ids.toSorted((a, b) => a - b).join()
    for (const one of rows) check(inOrder(saved.match(one)) === inOrder(oneByOne(one)), `${population}, ${count}`)
    const target = population !== 'texts' && count === 10_000 ? 0.05 : undefined
    const contenders = { 'one by one': oneByOne, matcher: (one) => saved.match(one) }
    return rowsOf(time(contenders, { [`${population}, ${count.toLocaleString('en')}`]: rows }, settings), [
      { contender: 'matcher', base: 'one by one', target },
    ])
  },
}

const bytes = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
const memory = {
  cases: Object.keys(populations).map((population) => ({ population })),
  processes: 1,
  run({ population }) {
    const count = 10_000
    const filters = Array.from({ length: 3 * count }, populations[population])
    // Each filter has been compiled once: then only the matcher is new.
    const predicates = filters.map((filter) => memoryBackend().compile(filter))
    const before = bytes()
    const saved = matcher()
    for (let id = 0; id < count; id++) saved.add(id, filters[id])
    const once = bytes() - before
    for (let turn = 0; turn < 20; turn++)
      for (let id = 0; id < count; id++) {
        saved.delete(id)
        saved.add(id, filters[(turn * 7_919 + id) % filters.length])
      }
    const churned = bytes() - before
    for (let id = 0; id < count; id++) saved.delete(id)
    const empty = bytes() - before
    check(saved.size === 0 && predicates.length === filters.length, population)
    const line = (what, value) => ({
      what: `${population}: ${what}`,
      contender: 'matcher',
      unit: 'B',
      value: Math.round(value),
    })
    return [
      line('bytes a filter', once / count),
      line('after 20 changes of each', churned / count),
      line('of the filters when all went', Math.max(0, empty) / count),
    ]
  },
}

export const groups = { match, 'match-memory': memory }
