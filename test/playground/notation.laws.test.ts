/** Lines of statements and documents. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byEffort } from '../effort.ts'
import { orderCollection } from '../../docs/demo/data.ts'
import { inDocuments, inline, inSql, notation, statementLines } from '../../docs/playground/notation.ts'
import { rows } from '../../docs/playground/orders.ts'
import { someCollectionText } from '../../src/kit/arbitraries.ts'
import { askOrders, orderDialects } from './asked.ts'

/** What the page colours as an operand, in the order of the text. */
const operandsOf = (text: string, pattern: RegExp) =>
  Array.from(text.matchAll(pattern), ({ groups }) => groups!.operand).filter((operand) => operand !== undefined)

/** The values in a document that are no objects and no lists, as the text has them. */
function leavesOf(value: unknown): string[] {
  if (value instanceof Date) return [inline(value.toISOString())]
  if (value === null || typeof value !== 'object' || value instanceof RegExp) return [inline(value)]
  return Object.values(value).flatMap(leavesOf)
}

describe('what is coloured as an operand', () => {
  test('is each value of a document and nothing else, so none holds a brace of it or a newline', () => {
    fc.assert(
      fc.property(someCollectionText(orderCollection, rows), fc.constantFrom(20, 46), (text, width) => {
        const result = askOrders(text)
        if (!result.ok || !('output' in result.answer.mongo)) return
        const { filter } = result.answer.mongo.output
        expect(operandsOf(notation(filter, width), inDocuments)).toEqual(leavesOf(filter))
      }),
      { numRuns: byEffort(300, 20) },
    )
  })

  test('is each value of a row', () => {
    for (const row of rows) expect(operandsOf(notation(row, 46), inDocuments)).toEqual(leavesOf(row))
  })

  test('is each placeholder of a statement', () => {
    fc.assert(
      fc.property(someCollectionText(orderCollection, rows), (text) => {
        const result = askOrders(text)
        if (!result.ok) return
        for (const name of orderDialects) {
          const one = result.answer.sql(name)
          if (!('output' in one)) continue
          const { text: statement, parameters } = one.output
          expect(operandsOf(statementLines(statement, 60), inSql), name).toHaveLength(parameters.length)
        }
      }),
      { numRuns: byEffort(300, 20) },
    )
  })
})
