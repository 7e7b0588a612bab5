/** The rows that statements read, as the compiler knows them: by the schema, and by the fields that a query names or hides. */
import {
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  narrow,
  parseQueryOrThrow,
  restrict,
  toAnswer,
  where,
  type AnswerPage,
  type AnswerRow,
  type Collection,
  type RowCount,
  type FacetValue,
  type Query,
} from '../../../src/index.ts'
import { postgres, sqlBackend, table } from '../../../src/backends/sql/index.ts'

/** Both ways: a property that is missing, or optional, differs. */
type Same<A, B> = [A, B, Required<A>] extends [B, A, Required<B>] ? true : false
const same = <A, B>(..._same: Same<A, B> extends true ? [] : ['differ', A, B]): void => {}

const orders = defineSchema({
  id: field.bigint({ required: true }),
  seller: field.uuid(),
  status: field.enumeration(['paid', 'new'], { required: true }),
  arrival: field.datetime(),
  customer: field.object({ name: field.string({ required: true }), country: field.object({ code: field.string() }) }),
  tags: field.list(field.string()),
  items: field.list(field.object({ price: field.decimal({ required: true }), count: field.integer() })),
})
const orderTable = table('orders', { schema: orders })
const backend = sqlBackend({ dialect: postgres, table: orderTable })

export function check(): void {
  const all = defineCollection(orders, { key: 'id' })
  const { rows } = backend.select(restrict(parseQueryOrThrow(all, ''), where(orders).exists('id'))).page([])
  type Item = { readonly price: string; readonly count: number | null }
  type Order = {
    readonly id: string
    readonly seller: string | null
    readonly status: 'paid' | 'new'
    readonly arrival: string | null
    readonly customer: { readonly name: string; readonly country: { readonly code: string | null } | null } | null
    readonly tags: readonly (string | null)[] | null
    readonly items: readonly (Item | null)[] | null
  }
  same<(typeof rows)[number], Order>()

  // What a caller names is known to the running program alone.
  const some = backend
    .select(parseQueryOrThrow(defineCollection(orders, { key: 'id', fields: true }), 'fields=id'))
    .read({})
  same<typeof some.id, string | undefined>()
  same<
    typeof some.customer,
    { readonly name?: string; readonly country?: { readonly code?: string | null } | null } | null | undefined
  >()

  const named = buildQuery(defineCollection(orders, { key: 'id', fields: true }), {
    fields: ['id', 'customer.country.code', 'items.price'],
  })
  const picked = backend.select(named).read({})
  same<
    typeof picked,
    {
      readonly id: string
      readonly customer: { readonly country: { readonly code: string | null } | null } | null
      readonly items: readonly ({ readonly price: string } | null)[] | null
    }
  >()

  const hiding = defineCollection(orders, {
    key: 'id',
    hidden: ['seller', 'customer.name', 'items', 'tags', 'arrival'],
  })
  const shown = backend.select(parseQueryOrThrow(hiding, '')).read({})
  type Shown = {
    readonly id: string
    readonly status: 'paid' | 'new'
    readonly customer: { readonly country: { readonly code: string | null } | null } | null
  }
  same<typeof shown, Shown>()

  const hidesSome = defineCollection(orders, { key: 'id', hidden: ['seller', 'tags'] })
  const narrowed = narrow(hidesSome, { fields: { hide: ['customer.name', 'items', 'arrival'] } })
  const left = backend.select(parseQueryOrThrow(narrowed, '')).read({})
  same<typeof left, Shown>()
  const narrowedNamed = buildQuery(
    narrow(defineCollection(orders, { key: 'id', fields: true }), { fields: ['id', 'status'] }),
    { fields: ['status'] },
  )
  const ofNarrowed = backend.select(narrowedNamed).read({})
  same<typeof ofNarrowed, { readonly status: 'paid' | 'new' }>()

  // A query of an unknown collection may name fields.
  const unknown = backend.select(buildQuery(all) as Query).read({})
  same<typeof unknown.id, string | undefined>()

  // @ts-expect-error A collection has no such field to name.
  buildQuery(defineCollection(orders, { key: 'id', fields: ['id'] }), { fields: ['seller'] })

  // A query that may name fields shows no hidden one, and neither does an object that it names.
  const hidesAndShows = defineCollection(orders, { key: 'id', fields: true, hidden: ['seller', 'customer.name'] })
  const ofSome = backend.select(parseQueryOrThrow(hidesAndShows, 'fields=id'))
  type SomeShown = ReturnType<typeof ofSome.read>
  same<SomeShown['id'], string | undefined>()
  same<SomeShown['customer'], { readonly country?: { readonly code?: string | null } | null } | null | undefined>()
  // @ts-expect-error The field is hidden.
  void ((row: SomeShown) => row.seller)
  const wholeObject = backend.select(buildQuery(hidesAndShows, { fields: ['customer'] })).read({})
  same<
    typeof wholeObject,
    { readonly customer: { readonly country: { readonly code: string | null } | null } | null }
  >()
}

/** The rows and pages of answers. */
export function checkAnswers(): void {
  const keyed = defineSchema({
    ref: field.object({ id: field.integer(), batch: field.integer() }),
    day: field.date(),
    paidAt: field.datetime({ required: true }),
    total: field.decimal(),
    serial: field.bigint({ required: true }),
    status: field.enumeration(['paid', 'new']),
    tags: field.list(field.string()),
    customer: field.object({ name: field.string({ required: true }), secret: field.string() }, { required: true }),
    items: field.list(field.object({ price: field.decimal({ required: true }), cost: field.decimal() })),
  })
  const plain = defineCollection(keyed, { key: 'ref.id' })
  type Whole = {
    readonly ref: { readonly id: number; readonly batch?: number | null }
    readonly day?: string | null
    readonly paidAt: string
    readonly total?: string | null
    readonly serial: string
    readonly status?: 'paid' | 'new' | null
    readonly tags?: readonly (string | null)[] | null
    readonly customer: { readonly name: string; readonly secret?: string | null }
    readonly items?: readonly ({ readonly price: string; readonly cost?: string | null } | null)[] | null
  }
  same<AnswerRow<typeof plain>, Whole>()

  const all = defineCollection(keyed, { key: 'ref.id', fields: true })
  same<AnswerRow<typeof all>, Whole>()
  type Named = {
    readonly ref: { readonly id: number }
    readonly items?: readonly ({ readonly price: string } | null)[] | null
  }
  same<AnswerRow<typeof all, 'ref.id' | 'items.price'>, Named>()
  // Where the collection lists fields, answers have no other.
  const listed = defineCollection(keyed, { key: 'ref.id', fields: ['ref.id', 'items.price'] })
  same<AnswerRow<typeof listed>, Named>()

  const hiding = defineCollection(keyed, {
    key: 'ref.id',
    fields: true,
    facets: ['status', 'tags'],
    hidden: ['customer.secret', 'items.cost', 'serial'],
  })
  type Shown = {
    readonly ref: { readonly id: number; readonly batch?: number | null }
    readonly day?: string | null
    readonly paidAt: string
    readonly total?: string | null
    readonly status?: 'paid' | 'new' | null
    readonly tags?: readonly (string | null)[] | null
    readonly customer: { readonly name: string }
    readonly items?: readonly ({ readonly price: string } | null)[] | null
  }
  same<AnswerRow<typeof hiding>, Shown>()
  // An optional member more makes no other type: these are none.
  type Inside = Required<AnswerRow<typeof hiding>>
  same<keyof Inside['customer'], 'name'>()
  same<keyof NonNullable<NonNullable<Inside['items']>[number]>, 'price'>()
  same<AnswerRow<typeof hiding, 'customer'>, { readonly customer: { readonly name: string } }>()
  const narrowed = narrow(all, { fields: { hide: ['customer.secret', 'items.cost', 'serial'] } })
  same<AnswerRow<typeof narrowed>, Shown>()
  // @ts-expect-error The field is hidden.
  same<AnswerRow<typeof hiding, 'serial'>, {}>()

  type Page = AnswerPage<typeof hiding>
  same<Page['data'], readonly Shown[]>()
  same<Page['page'], { readonly next?: string; readonly previous?: string; readonly count?: RowCount }>()
  same<
    NonNullable<Page['facets']>,
    { readonly status?: readonly FacetValue<number>[]; readonly tags?: readonly FacetValue<number>[] }
  >()
  same<AnswerPage<typeof listed>['data'], readonly Named[]>()
  // Of a collection that the compiler does not know.
  same<AnswerRow<Collection>, { readonly [name: string]: unknown }>()

  // `toAnswer` knows the rows by the collection and by the query.
  const answer = toAnswer(hiding, parseQueryOrThrow(hiding, ''), [])
  same<(typeof answer)['data'][number]['day'], string | null | undefined>()
  same<keyof (typeof answer)['data'][number], keyof Shown>()
  const { data } = toAnswer(listed, buildQuery(listed, {}), [])
  same<(typeof data)[number], Named>()
  const price = toAnswer(all, buildQuery(all, { fields: ['items.price'] }), [])
  same<(typeof price)['data'][number], Pick<Named, 'items'>>()
  same<(typeof price)['page'], { readonly next?: string; readonly previous?: string }>()
  const some: Collection = all
  same<(typeof unknown)['data'][number], { readonly [name: string]: unknown }>()
  const unknown = toAnswer(some, parseQueryOrThrow(some, ''), [])
}
