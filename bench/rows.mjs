/** Orders in memory, and the predicates that somebody would write by hand for Q1, Q3 and Q6. */

/** A generator of its own, so that every process has the same rows. */
export function newRandom() {
  let state = 1
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}

export const from = '2024-01-10'
export const to = '2024-01-20'
const fromMoment = Date.parse(from)
const untilMoment = Date.parse('2024-01-21')

const span = `items.arrival[gte]=${from}&items.arrival[lte]=${to}`
export const queries = {
  Q1: 'seller=s-1',
  Q3: `seller=s-1&${span}`,
  Q6: `seller=s-1&${span}&customerName[startsWith]=jo&status[in]=paid,held&total[gt]=10`,
}

const names = [
  'John Smith',
  'Peter Hall',
  'Maria Lopez',
  'Joanna Bell',
  'Ann Lee',
  'Zoe Young',
  'Carl Larsson',
  'Emma Fry',
]
const statuses = ['paid', 'held', 'new']
/** Of 60 in 100 a text, of 20 null, of 20 missing: the rows are of two shapes. */
const notes = [{ note: 'late arrival' }, { note: 'two children' }, { note: 'by boat' }, { note: null }, {}]
const DAY = 86_400_000

/**
 * Who is in the rows. Under H half of them are of seller s-1, without a pattern, and half of those have an item in
 * the span, so that no branch can be foreseen; S is the same, sorted. Under L there are 200 sellers and two years.
 */
const half = { seller: (below) => (below(2) === 0 ? 1 : 2 + below(199)), days: 36 }
const kinds = {
  H: half,
  S: { ...half, sorted: true },
  L: { seller: (below) => 1 + below(200), days: 730 },
}

/** How a day is stored. */
const stored = {
  text: (day) => day,
  Date: (day) => new Date(day),
  mixed: (day, below) => (below(2) === 0 ? day : new Date(day)),
}

const inOrder = (a, b) =>
  a.seller < b.seller ? -1 : a.seller > b.seller ? 1 : a.items[0].arrival < b.items[0].arrival ? -1 : 1

export function makeRows(count, { data, dates = 'text' }) {
  const below = newRandom()
  const { seller, days, sorted } = kinds[data]
  const made = Array.from({ length: count }, (_, at) => ({
    id: at,
    seller: `s-${seller(below)}`,
    customerName: names[below(names.length)],
    status: statuses[below(3)],
    total: below(1000) / 10,
    guests: 1 + below(6),
    ...notes[below(5)],
    items: Array.from({ length: 1 + below(3) }, () => ({
      product: `p-${below(500)}`,
      arrival: new Date(Date.UTC(2024, 0, 1) + below(days) * DAY).toISOString().slice(0, 10),
      price: below(1000) / 10,
    })),
  }))
  if (sorted) made.sort(inOrder)
  const rows = []
  for (let at = 0; at < count; at += 10_000) {
    // Parsed, as rows mostly are: objects of a literal share a shape that the engine knows too well. In slices, for a
    // text of a million is too long.
    rows.push(...JSON.parse(JSON.stringify(made.slice(at, at + 10_000))))
  }
  if (dates !== 'text') {
    for (const { items } of rows) for (const item of items) item.arrival = stored[dates](item.arrival, below)
  }
  return rows
}

const inSpan = {
  text: (items) => {
    for (const { arrival } of items) if (arrival >= from && arrival <= to) return true
    return false
  },
  Date: (items) => {
    for (const { arrival } of items) {
      const moment = arrival.getTime()
      if (moment >= fromMoment && moment < untilMoment) return true
    }
    return false
  },
  mixed: (items) => {
    for (const { arrival } of items) {
      if (typeof arrival === 'string') {
        if (arrival >= from && arrival <= to) return true
      } else {
        const moment = arrival.getTime()
        if (moment >= fromMoment && moment < untilMoment) return true
      }
    }
    return false
  },
}

/** The predicates of somebody who knows how days are stored, and that every order has a seller and items. */
export function byHand(dates = 'text') {
  const some = inSpan[dates]
  return {
    Q1: (row) => row.seller === 's-1',
    Q3: (row) => row.seller === 's-1' && some(row.items),
    Q6: (row) =>
      row.seller === 's-1' &&
      some(row.items) &&
      /^jo/i.test(row.customerName) &&
      (row.status === 'paid' || row.status === 'held') &&
      row.total > 10,
  }
}

const pool = [
  'seller=s-2',
  'seller[in]=s-1,s-2,s-3',
  'customerName[startsWith]=pe',
  'customerName[contains]=an',
  'customerName[endsWith]=a',
  'status[notEqual]=new',
  'status[nin]=paid,held',
  'total[gt]=50',
  'total[lte]=20',
  'total[range]=10,30',
  'note[exists]=true',
  'note[doesNotContain]=boat',
  'items.arrival[gte]=2024-01-15',
  'items.arrival[lt]=2024-01-12',
  'items.arrival[in]=2024-01-05,2024-01-06',
]
/** Fifty queries of one to four conditions, with every operator but two and both kinds of place. */
export const otherQueries = Array.from({ length: 50 }, (_, at) =>
  Array.from({ length: 1 + (at % 4) }, (_, next) => pool[(at * 7 + next * 3) % pool.length]).join('&'),
)
