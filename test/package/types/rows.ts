/** The rows that statements read, as the compiler knows them: by the schema, and by the fields that a query names or hides. */
import {
  buildQuery,
  defineCollection,
  defineSchema,
  field,
  narrow,
  parseQueryOrThrow,
  restrict,
  where,
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
}
