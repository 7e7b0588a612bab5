import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nearest } from '../src/suggest.ts'
import { byEffort } from './effort.ts'

test('distances are those of the whole table, of which only a part is computed', () => {
  const distance = (a: string, b: string): number => {
    const table = Array.from({ length: a.length + 1 }, (_, row) =>
      Array.from({ length: b.length + 1 }, (_, column) => (row === 0 ? column : column === 0 ? row : 0)),
    )
    for (let row = 1; row <= a.length; row++) {
      for (let column = 1; column <= b.length; column++) {
        const isSame = a[row - 1] === b[column - 1]
        const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
        table[row]![column] = Math.min(
          table[row - 1]![column]! + 1,
          table[row]![column - 1]! + 1,
          table[row - 1]![column - 1]! + (isSame ? 0 : 1),
          isSwap ? table[row - 2]![column - 2]! + 1 : Infinity,
        )
      }
    }
    return table[a.length]![b.length]!
  }
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 10 })
  fc.assert(
    fc.property(word, fc.array(word, { maxLength: 5 }), (name, candidates) => {
      // Two edits make any name of one with three letters.
      const distances = candidates.map((candidate) => {
        const edits = distance(name, candidate)
        return candidate.length <= 3 && edits > 1 ? Infinity : edits
      })
      const least = Math.min(...distances)
      const isNear = least <= (name.length + 1) / 3
      expect(nearest(name, candidates)).toBe(isNear ? candidates[distances.indexOf(least)] : undefined)
    }),
    { numRuns: byEffort(20_000, 170) },
  )
})
