/** The bookings of the demo: the same on every start and every store. */
import {
  defineCollection,
  defineSchema,
  field,
  narrow,
  type CollectionOptions,
  type InferRow,
} from '../../src/index.ts'

export const orders = defineSchema({
  id: field.integer(),
  seller: field.string({ required: true }),
  arrival: field.date(),
  customerName: field.string(),
  status: field.enumeration(['paid', 'held', 'new']),
  total: field.number(),
  guests: field.integer(),
  // Every store has whole milliseconds.
  paidAt: field.datetime({ digits: 3 }),
  gift: field.boolean(),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string(), email: field.string() }),
  items: field.list(field.object({ arrival: field.date(), product: field.string(), price: field.number() })),
})

export const experiences = /* @__PURE__ */ defineSchema({
  id: field.integer(),
  seller: field.string({ required: true }),
  name: field.string({ required: true }),
  price: field.number(),
})

/** What queries of both may have: everything but an offset. */
const asked = {
  key: 'id',
  sort: true,
  limit: { default: 20, max: 200 },
  fields: true,
  count: true,
  groups: true,
} as const satisfies CollectionOptions
export const orderOptions = {
  ...asked,
  search: ['customerName', 'customer.name', 'customer.email', 'items.product', 'tags'],
  timeZone: true,
  facets: ['status', 'tags', 'seller', 'gift'],
  facetLimit: 20,
} as const satisfies CollectionOptions
// With the `@__PURE__` marks, the bundler drops each collection that the playground does not use.
export const orderCollection = /* @__PURE__ */ defineCollection(orders, orderOptions)
/** Orders of callers who do not know that there is a total. */
export const orderCollectionWithoutTotal = /* @__PURE__ */ narrow(orderCollection, { fields: { hide: ['total'] } })
export const experienceCollection = /* @__PURE__ */ defineCollection(experiences, asked)

export type Order = InferRow<typeof orderCollection>
export type Experience = InferRow<typeof experienceCollection>

/** A stream of numbers in [0, 1) that is the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const sellers = ['s-north', 's-south', 's-east', 's-west']
const customers = [
  'John Smith',
  'Joanna Müller',
  'Jörg Weiß',
  'Ana María Ñáñez',
  'ΝΙΚΟΣ ΠΑΠΠΑΣ',
  'Νίκος Παππάς',
  'Дарья Иванова',
  'İpek Yılmaz',
  '山田 太郎',
  'Zoë "Zed" O’Neil',
  'Smith, Lee & Sons',
  '100% Surf Club',
  'under_score [team]',
  'Émile 🏄 Rider',
]
const products = [
  'Surf lesson',
  'SURFBOARD rental',
  'Kayak tour',
  'Whale watching',
  'Café stop',
  'Night dive',
  'Bike & Brunch',
]
const tags = ['sea', 'Sea', 'family', 'früh', 'winter sale', 'vip']

/** 2,400 orders, many without some of their values, or with empty lists. A missing value is null on every store. */
export function makeOrders(): Order[] {
  const random = randomNumbers(20_240_101)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]!
  const day = (offset: number) => new Date(Date.UTC(2024, 0, 1 + offset)).toISOString().slice(0, 10)
  const cents = (limit: number) => below(limit * 100) / 100
  const orNull = <T>(make: () => T): T | null => (random() < 0.12 ? null : make())

  return Array.from({ length: 2400 }, (_, index) => {
    const arrival = below(366)
    const name = pick(customers)
    const item = () => ({
      arrival: orNull(() => day(arrival + below(8) - 3)),
      product: orNull(() => pick(products)),
      price: orNull(() => cents(300)),
    })
    return {
      id: index + 1,
      seller: pick(sellers),
      arrival: orNull(() => day(arrival)),
      customerName: orNull(() => name),
      status: orNull(() => pick(['paid', 'held', 'new'] as const)),
      total: orNull(() => cents(900)),
      guests: orNull(() => below(9)),
      paidAt: orNull(() => new Date(Date.UTC(2024, 0, 1 + arrival, 0, 0, 0, below(86_400_000))).toISOString()),
      gift: orNull(() => random() < 0.3),
      tags: orNull(() => Array.from({ length: below(4) }, () => (random() < 0.05 ? null : pick(tags)))),
      customer: orNull(() =>
        orNone({ name: orNull(() => name), email: orNull(() => `guest${below(500)}@example.org`) }),
      ),
      items: orNull(() => Array.from({ length: below(5) }, item).filter(orNone)) ?? [],
    }
  })
}

/** 120 experiences. */
export function makeExperiences(): Experience[] {
  const random = randomNumbers(7)
  return Array.from({ length: 120 }, (_, index) => ({
    id: index + 1,
    seller: sellers[index % sellers.length]!,
    name: `${products[index % products.length]} ${Math.floor(index / products.length) + 1}`,
    price: index % 10 === 9 ? null : Math.floor(random() * 20_000) / 100,
  }))
}

/** Null for an object without a value: columns cannot tell the two apart. */
function orNone<T extends object>(object: T): T | null {
  return Object.values(object).some((value) => value !== null) ? object : null
}
