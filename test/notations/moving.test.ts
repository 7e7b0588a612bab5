/** Checks the tables of docs/guides/notations.md: the query string for each request, and the reason of each refusal. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defineCollection, parseQuery, parseQueryOrThrow } from '../../src/index.ts'
import { sameFilter } from '../../src/tree.ts'
import { issuesIn } from '../issues.ts'
import { notations } from './orders.ts'
import { keyed as orders } from '../orders.ts'

const collection = defineCollection(orders, {
  ...{ key: 'id', sort: true, offset: { max: 10_000 }, count: true, groups: true, fields: true, search: ['note'] },
})
const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/notations.md'), 'utf8')

/** Returns the first two cells of each row of a table. */
function rowsOf(table: string): readonly (readonly [request: string, result: string])[] {
  const [, rows = ''] = new RegExp(`<!-- ${table} -->\\n\\n(?:.*\\n){2}((?:\\|.*\\n)*)`).exec(guide) ?? []
  const cells = rows.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\|/gm)
  const found = Array.from(cells, ([, request, result]) => [request!, result!] as const)
  expect(found.length).toBe(rows.split('\n').length - 1)
  expect(found.length).toBeGreaterThan(3)
  return found
}

describe.each(Object.entries(notations))('%s', (name, notation) => {
  test.each(rowsOf(`moved: ${name}`))('%s becomes %s', (before, after) => {
    const { count, ...query } = parseQueryOrThrow(collection, before, { notation })
    const { filter, ...others } = parseQueryOrThrow(collection, after)
    expect(count).toBe(true)
    expect(sameFilter(query.filter, filter)).toBe(true)
    const plain = (value: object): unknown =>
      JSON.parse(JSON.stringify(value, (key, one: unknown) => (key === 'span' || key === 'filter' ? undefined : one)))
    expect(plain(query)).toEqual(plain({ ...others, count: undefined }))
  })
  test.each(rowsOf(`refused: ${name}`))('%s is refused: %s', (request, issue) => {
    const said = issuesIn(parseQuery(collection, request, { notation })).map(({ message, hint }) => [
      message,
      `${message}: ${hint}`,
    ])
    expect(said.flat()).toContain(issue)
    expect(said.length).toBe(1)
  })
})
