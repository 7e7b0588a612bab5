/** Every text of up to five tokens, in CI of up to six, against a reading of its own: what is accepted, what it then means, where faults stand. */
import { expect, test } from 'vitest'
import { and, defineSchema, field, parseFilter, type Filter } from '../../src/index.ts'
import { comparison, membership, type Literal } from '../../src/tree.ts'
import { byEffort } from '../effort.ts'

const schema = defineSchema({ a: field.string() })
/** The marks of the grammar, a name that is a field, one that is none (both are hex digits), and an operator. */
const tokens = ['a', 'b', 'in', '[', ']', '=', '&', '.', ',', '"', '%']

const literal = (value: string): Literal => ({ type: 'string', value })

/** The items of a list: quoted ones to the closing quote, bare ones as they are, none empty. */
function itemsOf(text: string): string[] | undefined {
  const items: string[] = []
  const item = /"([^"]*)"|([^",][^,]*)/y
  for (;;) {
    const [, quoted, bare] = item.exec(text) ?? []
    if (quoted === undefined && bare === undefined) return undefined
    items.push((quoted ?? bare)!)
    if (item.lastIndex === text.length) return items
    if (text[item.lastIndex] !== ',') return undefined
    item.lastIndex++
  }
}

/** The condition that a pair says, if it says one. No escape that these tokens make is UTF-8. */
function conditionOf(pair: string): Filter | undefined {
  const [, operator, value] = /^a(\[in\])?=(.*)$/.exec(pair) ?? []
  if (value === undefined || pair.includes('%')) return undefined
  if (operator === undefined) return comparison(['a'], 'eq', literal(value))
  const items = itemsOf(value)
  return items && membership(['a'], items.map(literal))
}

/** The filter that a text says: its conditions together, no operator twice. */
function filterOf(text: string): Filter | undefined {
  const conditions = text
    .split('&')
    .filter((pair) => pair !== '')
    .map(conditionOf)
  const kinds = new Set(conditions.map((condition) => condition?.kind))
  if (kinds.has(undefined) || kinds.size < conditions.length) return undefined
  return and(...(conditions as Filter[]))
}

const withoutSpans = (filter: Filter): string =>
  JSON.stringify(filter, (key, value: unknown) => (key === 'span' ? undefined : value))

function check(text: string): boolean {
  const result = parseFilter(schema, text)
  const expected = filterOf(text)
  if (result.ok !== (expected !== undefined))
    throw new Error(`${JSON.stringify(text)} is ${result.ok ? '' : 'not '}accepted`)
  if (result.ok) {
    if (withoutSpans(result.filter) === withoutSpans(expected!)) return true
    throw new Error(`${JSON.stringify(text)} is read as ${withoutSpans(result.filter)}`)
  }
  let last = 0
  for (const { span, code } of result.issues) {
    const { start, end } = span!
    if (!(start >= last && start <= end && end <= text.length))
      throw new Error(`${JSON.stringify(text)}: ${code}, ${start} to ${end}`)
    last = start
  }
  return false
}

const most = byEffort(6, 5)
test(`every text of up to ${most} tokens is accepted or not, and means, as it is read here`, () => {
  const seen = { accepted: 0, rejected: 0 }
  const visit = (text: string, left: number): void => {
    seen[check(text) ? 'accepted' : 'rejected']++
    if (left > 0) for (const token of tokens) visit(text + token, left - 1)
  }
  visit('', most)
  // 1 + 11 + 11² + …
  expect(seen.accepted + seen.rejected).toBe(byEffort(1_948_717, 177_156))
  expect(seen.accepted).toBeGreaterThan(byEffort(1_000, 500))
})
