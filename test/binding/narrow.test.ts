/**
 * What callers of a narrowed collection can find out and do: what callers of the first collection can, and nothing of what is hidden.
 * Random schemas, collections and narrowings; then an attack by one who knows every name, in two worlds that differ in hidden values
 * alone.
 */
import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../src/index.ts'
import { forSellers, cursors } from './narrow.fixture.ts'

describe('an attack by one who knows every name', () => {
  test('with the cursors of the office is refused as with any text that is no cursor', () => {
    for (const cursor of cursors) {
      const refusal = parseQuery(forSellers, `sort=seller&cursor=${cursor}`)
      const other = parseQuery(forSellers, `sort=seller&cursor=${'A'.repeat(cursor.length)}`)
      expect(JSON.stringify(refusal)).toBe(JSON.stringify(other))
    }
  })
})
