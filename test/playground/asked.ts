/** The playground's forms and rows of a query of the demo's orders. */
import { answerTo, hasOutput, type Answer } from '../../docs/playground/answer.ts'
import { orderSubject } from '../../docs/playground/orders.ts'
import type { StoreParts } from '../../docs/playground/subject.ts'

export const orderDialects = Object.keys(orderSubject.dialects)

export const askOrders = (text: string, notation?: string) => answerTo(orderSubject, text, notation)

/** @throws Error for a query with issues. */
export function answerOf(text: string): Answer {
  const result = askOrders(text)
  if (!result.ok) throw new Error(result.issues[0].message)
  return result.answer
}

/** Reads all parts of an answer from the demo's store, which is in memory. */
export function partsFor(answer: Answer) {
  let parts: StoreParts = {}
  orderSubject.store.read(answer, (part) => (parts = { ...parts, ...part }))
  const { page, count, facets } = parts
  if (page === undefined || !hasOutput(page)) throw new Error('the store has no page')
  return { page: page.output, count, facets }
}
