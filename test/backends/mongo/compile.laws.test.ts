/** Documents for all letters that have case, and as Mongoose and the driver read them. */
import { MongoClient } from 'mongodb'
import { model, sanitizeFilter, Schema as MongooseSchema } from 'mongoose'
import { describe, expect, test } from 'vitest'
import { parseFilterOrThrow } from '../../../src/index.ts'
import { byEffort } from '../../effort.ts'
import { match } from '../../../src/tree.ts'
import { simpleLowerCase } from '../../../src/values/case.ts'
import { compile, schema } from './compile.fixture.ts'

describe('text', () => {
  test('a pattern joins the letters that simple lower-casing joins, and no others', () => {
    // No letter from U+20000 on has case, today.
    const letters = Array.from({ length: byEffort(0x110000, 0x20000) }, (_, code) => code)
      .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
      .map((code) => String.fromCodePoint(code))
    // All that have case in some way: what folding, title case and full mappings join too.
    const cased = letters.filter(
      (letter) => /\p{Cased}|\p{CWCM}|\p{Case_Ignorable}/v.test(letter) && !/\p{M}/u.test(letter),
    )
    expect(cased.length).toBeGreaterThan(2_900)
    const byLower = new Map<string, string[]>()
    for (const letter of cased)
      byLower.set(simpleLowerCase(letter), [...(byLower.get(simpleLowerCase(letter)) ?? []), letter])
    const text = cased.join('')
    const wrong = [...byLower].filter(([lower, same]) => {
      const { $regex, $options = '' } = compile(match(['a'], 'substring', lower)).a as {
        $regex: string
        $options?: string
      }
      // As engines fold that go by ASCII, and as those do that go by Unicode.
      return ['', 'u'].some((unicode) => {
        const found = text.match(new RegExp($regex, `g${$options}${unicode}`))
        return found?.join('') !== same.join('')
      })
    })
    expect(wrong).toEqual([])
    expect(byLower.size).toBeGreaterThan(1_400)
  })
})

describe('a document', () => {
  const filter = parseFilterOrThrow(
    schema,
    'seller[in]=a,b&customer.name[endsWith]=x&tags[in]=a,b&items.price[gt]=1&items.price=2',
  )
  interface Order {
    seller: string
    paidAt: Date
    tags: string[]
    items: { product: string; price: number }[]
  }
  const orderSchema = new MongooseSchema<Order>({
    seller: String,
    paidAt: Date,
    tags: [String],
    items: [{ product: String, price: Number }],
  })
  const Orders = model('Order', orderSchema)

  test.each([
    'tags[startsWith]=a&tags[contains]=b&tags[range]=a,z&tags[gte]=b&tags[lt]=y',
    'seller[endsWith]=x&tags[doesNotContain]=y&seller[doesNotContain]=z',
    'seller=x&paidAt=2024-02-29',
    'seller[endsWith]=x&seller[notEqual]=y&tags[endsWith]=x&tags[in]=a,b',
    'items.price[gt]=1&items.product[endsWith]=x&items.price[notEqual]=2&tags[nin]=a,b',
    'seller[exists]=true&paidAt[exists]=false&items[exists]=true&tags[exists]=true',
    'paidAt[in]=2024-02-29,2024-03-01&seller[startsWith]=a&seller[contains]=b',
  ])('that Mongoose leaves as it is: %s', (query) => {
    const filter = parseFilterOrThrow(schema, query)
    const found = Orders.find(compile(filter))
    expect(found.cast(Orders)).toEqual(compile(filter))
  })

  test('as docs/guides/mongodb.md describes two settings of Mongoose', () => {
    const document = compile(filter)
    const strict = model('Strict', new MongooseSchema({ tags: [String] }, { strictQuery: true }))
    expect(strict.find({ seller: 'x' }).cast(strict)).toEqual({})
    const throwing = model('Throwing', new MongooseSchema({ tags: [String] }, { strictQuery: 'throw' }))
    expect(() => throwing.find({ seller: 'x' }).cast(throwing)).toThrow(/seller/)
    expect(sanitizeFilter(compile(filter))).toMatchObject({ tags: { $eq: document.tags } })
  })

  test('that the driver takes', async () => {
    const client = new MongoClient('mongodb://127.0.0.1:1')
    const typed = client.db('x').collection<Order>('orders')
    const cursors = [typed.find(compile(filter)), client.db('x').collection('orders').find(compile(filter))]
    for (const cursor of cursors) await cursor.close()
    await client.close()
  })
})
