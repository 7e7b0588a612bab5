/** Cursors: texts of positions, our own and those of strangers. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { positionOfCursor } from '../../src/query/cursor.ts'
import { byEffort } from '../effort.ts'
import { id, key } from './queries.ts'

describe('cursors', () => {
  const sort = [key('name', 'string', 'descending'), key('when', 'datetime'), key('flag', 'boolean'), id]
  test('of strangers never throw', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((json) => Buffer.from(json).toString('base64url')),
        ),
        (cursor) => {
          expect(positionOfCursor(cursor, sort)).toBeUndefined()
        },
      ),
      { numRuns: byEffort(5_000, 67) },
    )
  })
})
