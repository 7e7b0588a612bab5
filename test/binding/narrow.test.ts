/**
 * Callers of a narrowed collection can do the same as callers of the first collection, and learn nothing of hidden fields.
 * Random schemas, collections and narrowings; then an attack by one who knows every name, in two worlds that differ in hidden values
 * alone.
 */
import { describe, expect, test } from 'vitest'
import { parseQuery } from '../../src/index.ts'
import { forSellers, cursors } from './narrow.fixture.ts'

describe('an attacker who knows every name', () => {
  test('is refused with the cursors of the office as with an invalid cursor', () => {
    for (const cursor of cursors) {
      const refusal = parseQuery(forSellers, `sort=seller&cursor=${cursor}`)
      const other = parseQuery(forSellers, `sort=seller&cursor=${'A'.repeat(cursor.length)}`)
      expect(JSON.stringify(refusal)).toBe(JSON.stringify(other))
    }
  })
})
