/** Lines of statements and documents. */
import { describe, expect, test } from 'vitest'
import { examples } from '../../docs/playground/examples.ts'
import { inDocuments, notation, statementLines } from '../../docs/playground/notation.ts'
import { askOrders, orderDialects } from './asked.ts'

const answers = [
  ...examples.map(([, query]) => query),
  '',
  'not=(tags=a,items.price[range]=(1,5))&sort=-paidAt&limit=2',
].flatMap((text) => {
  const result = askOrders(text)
  return result.ok ? [result.answer] : []
})

describe('a statement', () => {
  test('is the same but for white space, and short in its lines', () => {
    const texts = answers.flatMap(({ sql }) =>
      orderDialects.map(sql).map((one) => ('output' in one ? one.output.text : '')),
    )
    expect(texts.length).toBe(35)
    for (const text of texts) {
      expect(text).not.toBe('')
      expect(statementLines(text, 60).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
    }
  })
  test('has a line for each clause and each condition', () => {
    const text = `SELECT "o".* FROM "orders" AS "o" WHERE ("a" = 'x AND (y' AND EXISTS (SELECT 1 FROM "i" WHERE "i"."o" = "o"."id")) ORDER BY "o"."id" ASC LIMIT 21`
    expect(statementLines(text, 50)).toBe(`SELECT "o".*
FROM "orders" AS "o"
WHERE (
  "a" = 'x AND (y'
  AND EXISTS (
    SELECT 1 FROM "i" WHERE "i"."o" = "o"."id"
  )
)
ORDER BY "o"."id" ASC
LIMIT 21`)
  })
})

describe('a list', () => {
  test('fills its lines', () => {
    const text = `SELECT "o"."id" AS c1, "o"."a,b" AS c2, f("o"."x", "o"."y") AS c3 FROM "orders" AS "o"`
    expect(statementLines(text, 40)).toBe(`SELECT "o"."id" AS c1, "o"."a,b" AS c2,
  f("o"."x", "o"."y") AS c3
FROM "orders" AS "o"`)
    expect(statementLines(text, 20)).toBe(`SELECT "o"."id" AS c1,
  "o"."a,b" AS c2,
  f(
    "o"."x", "o"."y"
  ) AS c3
FROM "orders" AS "o"`)
    expect(notation({ limit: 5, fields: { id: 1, total: 1, status: 1, gift: 1 } }, 30)).toBe(`{
  limit: 5,
  fields: {
    id: 1, total: 1,
    status: 1, gift: 1,
  },
}`)
  })
})

describe('a value', () => {
  test.each<[unknown, string]>([
    ["it's", String.raw`'it\'s'`],
    ['"', `'"'`],
    ['a\n\\', String.raw`'a\n\\'`],
    [{ 'a.b': [1, null, true], $c: {} }, `{ 'a.b': [1, null, true], $c: {} }`],
    [new Date(0), `new Date('1970-01-01T00:00:00.000Z')`],
    [/^a/i, '/^a/i'],
    [{ id: 9007199254740993n }, '{ id: 9007199254740993n }'],
    [[], '[]'],
  ])('%o', (value, expected) => {
    expect(notation(value, 80)).toBe(expected)
  })
  test('in lines where it is long, and read back as the same', () => {
    for (const { mongo } of answers) {
      const value = 'output' in mongo ? mongo.output : undefined
      const text = notation(value, 40)
      expect(text).toContain('\n')
      // oxlint-disable-next-line typescript/no-implied-eval -- The text is ours, and is to be JavaScript.
      expect(new Function(`return (${text})`)()).toEqual(value)
    }
  })
})

/** What the page colours as an operand, in the order of the text. */
const operandsOf = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ({ groups }) => groups!.operand).filter((operand) => operand !== undefined)

describe('what is coloured as an operand', () => {
  test.each<[unknown, string[]]>([
    [{ 'customer.name': { $in: ['a', 'b'] }, tags: { $nin: ['x'] } }, ["'a'", "'b'", "'x'"]],
    [{ "it's": "it's", 'a:b': ['c:d', ':'] }, [String.raw`'it\'s'`, "'c:d'", "':'"]],
    [{ $in: [/it's/i, /[/']\/ \\/, /a{2}/u], b: 'c' }, ["/it's/i", String.raw`/[/']\/ \\/`, '/a{2}/u', "'c'"]],
    [{ true: true, null: null, ñ1: 1, a$1: -1.5e-7, _2: 2 }, ['true', 'null', '1', '-1.5e-7', '2']],
    [{ paidAt: new Date(0) }, ["'1970-01-01T00:00:00.000Z'"]],
    [{ id: -9007199254740993n, n: 5 }, ['-9007199254740993n', '5']],
  ])('%o', (value, expected) => {
    for (const width of [10, 80]) expect(operandsOf(notation(value, width), inDocuments)).toEqual(expected)
  })
})
