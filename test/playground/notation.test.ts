/** Lines of statements and documents. */
import { describe, expect, test } from 'vitest'
import { answerTo } from '../../src/playground/answer.ts'
import { examples } from '../../src/playground/examples.ts'
import { notation, statementLines } from '../../src/playground/notation.ts'

const answers = [
  ...examples.map(([, query]) => query),
  '',
  'not=(tags=a,items.price[range]=(1,5))&sort=-paidAt&limit=2',
].flatMap((text) => {
  const result = answerTo(text)
  return result.ok ? [result.answer] : []
})

describe('a statement', () => {
  test('is the same but for white space, and short in its lines', () => {
    const texts = answers.flatMap(({ sql }) =>
      Object.values(sql).map((one) => ('output' in one ? one.output.text : '')),
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

describe('a value', () => {
  test.each<[unknown, string]>([
    ["it's", String.raw`'it\'s'`],
    ['"', `'"'`],
    ['a\n\\', String.raw`'a\n\\'`],
    [{ 'a.b': [1, null, true], $c: {} }, `{ 'a.b': [1, null, true], $c: {} }`],
    [new Date(0), `new Date('1970-01-01T00:00:00.000Z')`],
    [/^a/i, '/^a/i'],
    [[], '[]'],
  ])('%j', (value, expected) => {
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
