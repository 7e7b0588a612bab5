/** Compares every word of each notation with its meaning in the language of this library. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseQuery, printQuery } from '../../src/index.ts'
import type { Notation } from '../../src/clients/notations/index.ts'
import { casesIn, rowsIn } from '../rows.ts'
import { collection, notations } from './orders.ts'

function meaningOf(notation: Notation, text: string): string {
  const result = parseQuery(collection, text, { notation })
  if (!result.ok)
    return result.issues.map(({ code, span }) => `${code} ${text.slice(span!.start, span!.end)}`).join(' | ')
  // Other tests cover pages.
  return printQuery(collection, { ...result.query, count: false }).replace(/(?:^|&)limit=40(?=$|&search)&?/, '')
}

const file = new URL('words.txt', import.meta.url)
/** Refused texts that are long, with the code and the piece of the issue. */
const long: Readonly<Record<string, readonly (readonly [text: string, issue: string])[]>> = {
  strapi: [
    [`filters${'[$not]'.repeat(9)}[id]=1`, 'limit_depth $not'],
    [`filters${'[$or][0]'.repeat(800)}[id]=1`, 'limit_depth $or'],
  ],
  jsonApi: [[`sort=${'id,'.repeat(510)}id`, `limit_list ${'id,'.repeat(10)}id`]],
}

/** Returns the rows of a table in the guide. */
const tableOf = (name: string): readonly (readonly [text: string, meaning: string])[] => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/reference/notations.md'), 'utf8')
  const [, table = ''] = new RegExp(`<!-- table: ${name} -->\\n\\n(?:.*\\n){2}((?:\\|.*\\n)*)`).exec(guide) ?? []
  return Array.from(
    table.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\|$/gm),
    ([, text, meaning]) => [text!, meaning!] as const,
  )
}

describe.each(Object.entries(notations))('%s', (name, notation) => {
  const decoded = (text: string) => decodeURIComponent(text)
  test.each(rowsIn(file, name))('$cells.0 means $cells.1', ({ cells: [text, meaning], place }) => {
    expect(decoded(meaningOf(notation, text!)), place).toBe(meaning === '-' ? '' : meaning)
  })
  const refusals = casesIn(file, `${name}, refused`).map(({ text, expected, place }) => ({
    ...{ text, place },
    issues: expected.map(([code, piece = '']) => `${code} ${piece}`).join(' | '),
  }))
  test.each([...refusals, ...(long[name] ?? []).map(([text, issues]) => ({ text, issues, place: 'long' }))])(
    '$text is refused: $issues',
    ({ text, issues, place }) => expect(meaningOf(notation, text), place).toBe(issues),
  )
  test('the table of the guide has a row for each operator', () => {
    const table = tableOf(name)
    expect(table.length).toBeGreaterThan(8)
    for (const [text, meaning] of table)
      expect(decoded(meaningOf(notation, text)).replace(/^limit=40&/, ''), text).toBe(meaning)
  })
  test('an empty text selects all visible rows', () => {
    expect(meaningOf(notation, '')).toBe('')
  })
})

test.each([
  ['strapi', 'filters[paidAt][$lte]=2024-01-31', 'paidAt[lte]=2024-01-30T15:00:00.000Z'],
  ['nestPaginate', 'filter.paidAt=$gt:2024-01-31', 'paidAt[gt]=2024-01-30T15:00:00.000Z'],
  // The client compares texts, and those of moments are in UTC.
  ['jsonServer', 'paidAt_lte=2024-01-31', 'paidAt[lt]=2024-01-31'],
  ['jsonApi', 'filter[paidAt][lte]=2024-01-31', 'paidAt[lt]=2024-01-31T15:00:00.000Z'],
])('a day in the time zone of the service: %s', (name, text, meaning) => {
  const result = parseQuery(collection, text, { notation: notations[name], timeZone: 'Asia/Tokyo' })
  if (!result.ok) throw new Error(result.issues[0].message)
  expect(decodeURIComponent(printQuery(collection, result.query))).toContain(meaning)
})

test('the message about a day that no moment equals', () => {
  const result = parseQuery(collection, 'paidAt=2024-01-31', { notation: notations['jsonServer'] })
  expect(result.ok || result.issues[0].message).toBe(
    'invalid value for paidAt: expected a moment, such as 2024-01-31T10:00:00Z: in jsonServer, no moment equals a day',
  )
})
