/** What the tests of rows and its laws share. */
import { BSON, Decimal128, ObjectId } from 'mongodb'
import { mongoBackend, type MongoField, type MongoOptions } from '../../../src/backends/mongo/index.ts'
import { defineSchema, field, type Fields } from '../../../src/index.ts'
import { key, of } from '../../query/queries.ts'

/** A document as the driver gives it, after it was stored. */
export const found = (document: object, setting: BSON.DeserializeOptions): object =>
  BSON.deserialize(BSON.serialize(document, { ignoreUndefined: false }), setting)

export const decimal128: MongoField = { type: 'decimal', encode: (text: string) => Decimal128.fromString(text) }
export const hex = '65f000000000000000000001'

export const readerOf = (fields: Fields, options: MongoOptions) =>
  mongoBackend({ ...options, schema: defineSchema<Fields>({ ...fields, key: field.integer() }) }).compileQuery(
    of([{ ...key('key', 'integer'), required: true }]),
  )
export const document = {
  _id: new ObjectId(hex),
  meta: { seller: 's', more: 1 },
  total: new Decimal128('12.50'),
  secret: 'x',
  customer: { 'full name': 'Jo', email: 'a@b', more: 1, inner: null },
  empty: { more: 1 },
  lines: [{ p: 1, cost: 2, more: 3 }, null],
  tags: ['a'],
}
