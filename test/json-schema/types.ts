/** What the compiler knows of schemas of others: fields that are required, and their types. Checked by `tsc`; never run. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Type } from 'typebox'
import * as v from 'valibot'
import { z } from 'zod'
import { field, where, type Fields, type InferRow } from '../../src/index.ts'
import { fromJsonSchema, type JsonSchemaOptions } from '../../src/tools/json-schema/index.ts'

/** Holds when the two types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const same = <A, B>(_: Same<A, B>): void => {}
type Maybe<T> = T | null | undefined
const must = { required: true } as const

// --- zod

const zod = z.object({
  id: z.uuid(),
  views: z.bigint(),
  at: z.date(),
  any: z.any(),
  optional: z.string().optional(),
  nullable: z.string().nullable(),
  withDefault: z.number().default(1),
  status: z.enum(['paid', 'held']),
  customer: z.object({ name: z.string(), email: z.string().nullish() }).optional(),
  place: z.object({ id: z.uuid() }),
  items: z.array(z.object({ price: z.number(), product: z.string().nullable() })),
})
const fromZod = fromJsonSchema(zod, {
  fields: {
    id: field.uuid(must),
    views: field.bigint(must),
    at: field.datetime(),
    any: field.decimal(),
    'place.id': field.uuid(must),
    'items.product': field.uuid(),
  },
})
type ZodRow = InferRow<typeof fromZod>
same<ZodRow['id'], string>(true)
same<ZodRow['views'], bigint | number | string>(true)
same<ZodRow['at'], Maybe<string | Date>>(true)
same<ZodRow['any'], Maybe<string | number | bigint>>(true)
same<ZodRow['optional'], Maybe<string>>(true)
same<ZodRow['nullable'], Maybe<string>>(true)
same<ZodRow['withDefault'], number>(true)
same<ZodRow['status'], 'paid' | 'held'>(true)
same<NonNullable<ZodRow['customer']>['name'], string>(true)
same<NonNullable<ZodRow['customer']>['email'], Maybe<string>>(true)
same<ZodRow['place']['id'], string>(true)
type Entry = NonNullable<NonNullable<ZodRow['items']>[number]>
same<Entry['price'], number>(true)
const rows: ZodRow[] = [{ id: 'x', views: 1n, withDefault: 2, status: 'paid', nullable: null, place: { id: 'y' } }]
where(fromZod).in('views', [rows[0]!.views, 2n ** 53n])
where(fromZod).equals('at', new Date(0))
// @ts-expect-error the option fields has it as a uuid, which has no prefixes
where(fromZod).startsWith('id', 'a')
// @ts-expect-error the same, inside of an object
where(fromZod).startsWith('place.id', 'a')
// @ts-expect-error the same, in the entries of a list
where(fromZod).some('items', (item) => item.contains('product', 'a'))
where(fromZod).startsWith('nullable', 'a')

// Options that the compiler does not see change nothing.
declare const options: JsonSchemaOptions
const unseen = fromJsonSchema(zod, options)
same<InferRow<typeof unseen>['id'], string>(true)
same<InferRow<typeof unseen>['views'], bigint | number | string>(true)

// The compiler does not know the options of z.toJSONSchema.
const made = fromJsonSchema(z.toJSONSchema(zod, { io: 'input', unrepresentable: 'any' }))
same<typeof made.fields, Fields>(true)

// --- valibot, ArkType, TypeBox

const fromValibot = fromJsonSchema(
  toStandardJsonSchema(v.object({ id: v.string(), name: v.optional(v.string()), day: v.nullable(v.string()) })),
)
same<InferRow<typeof fromValibot>['id'], string>(true)
same<InferRow<typeof fromValibot>['name'], Maybe<string>>(true)
same<InferRow<typeof fromValibot>['day'], Maybe<string>>(true)

const fromArkType = fromJsonSchema(type({ id: 'string.uuid', 'name?': 'string', day: 'string | null' }))
same<InferRow<typeof fromArkType>['id'], string>(true)
same<InferRow<typeof fromArkType>['name'], Maybe<string>>(true)
same<InferRow<typeof fromArkType>['day'], Maybe<string>>(true)

const fromTypeBox = fromJsonSchema(
  Type.Object({
    id: Type.String({ format: 'uuid' }),
    name: Type.Optional(Type.String()),
    total: Type.Union([Type.Number(), Type.Null()]),
  }),
)
same<InferRow<typeof fromTypeBox>['id'], string>(true)
same<InferRow<typeof fromTypeBox>['name'], Maybe<string>>(true)
same<InferRow<typeof fromTypeBox>['total'], Maybe<number>>(true)

// --- A literal JSON Schema

const literal = fromJsonSchema({
  type: 'object',
  required: ['id', 'views', 'price', 'null', 'three', 'written', 'either', 'status', 'none', 'ref', 'maybe', 'o', 'l'],
  $defs: { text: { type: 'string' }, maybe: { type: ['string', 'null'] } },
  properties: {
    id: { type: 'string', format: 'uuid' },
    views: { type: 'string', format: 'int64' },
    price: { type: 'string', format: 'decimal' },
    count: { type: 'integer', format: 'int64' },
    null: { type: ['number', 'null'] },
    three: { type: 'number', nullable: true },
    written: { type: 'number', writeOnly: true },
    either: { anyOf: [{ type: 'null' }, { type: 'number' }] },
    status: { enum: ['paid', 'held'] },
    none: { enum: ['paid', null] },
    ref: { $ref: '#/$defs/text' },
    maybe: { $ref: '#/$defs/maybe' },
    o: { type: 'object', required: ['x'], properties: { x: { type: 'string' }, y: { type: 'string' } } },
    l: { type: 'array', items: { type: 'object', required: ['x'], properties: { x: { type: 'string' } } } },
  },
})
type Literal = InferRow<typeof literal>
same<Literal['id'], string>(true)
same<Literal['views'], bigint | number | string>(true)
same<Literal['price'], string | number | bigint>(true)
same<Literal['count'], Maybe<number>>(true)
same<Literal['null'], Maybe<number>>(true)
same<Literal['three'], Maybe<number>>(true)
// What is only written is left out.
same<'written' extends keyof Literal ? true : false, false>(true)
same<Literal['either'], Maybe<number>>(true)
same<Literal['status'], 'paid' | 'held'>(true)
same<Literal['none'], Maybe<'paid'>>(true)
same<Literal['ref'], string>(true)
same<Literal['maybe'], Maybe<string>>(true)
same<Literal['o']['x'], string>(true)
same<Literal['o']['y'], Maybe<string>>(true)
same<NonNullable<NonNullable<Literal['l']>[number]>['x'], string>(true)
// @ts-expect-error a uuid has no prefixes
where(literal).startsWith('id', 'a')

// What is only written is there where the options name it.
const account = {
  type: 'object',
  required: ['id', 'password'],
  properties: {
    id: { type: 'string' },
    password: { type: 'string', writeOnly: true },
    card: { writeOnly: true, type: 'object', properties: { number: { type: 'string' } } },
    token: { type: 'string', writeOnly: true },
  },
} as const
const accounts = fromJsonSchema(account, {
  pick: ['id', 'password', 'card.number'],
  fields: { token: field.uuid() },
})
type Account = InferRow<typeof accounts>
same<keyof Account, 'id' | 'password' | 'card' | 'token'>(true)
same<Account['password'], Maybe<string>>(true)
same<NonNullable<Account['card']>['number'], Maybe<string>>(true)
