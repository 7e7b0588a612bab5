/** What backends share: what they refuse by their capabilities, and the run of the cases against them. */
import { expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { runBackend } from '../../src/kit/index.ts'

test('runBackend takes ids in any order', async () => {
  const load = ({ rows }: { rows: readonly { id: number }[] }) => rows
  const results = await runBackend({
    backend: memoryBackend(),
    load,
    select: (rows, matches) =>
      rows
        .filter(matches)
        .map(({ id }) => id)
        .toReversed(),
  })
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})
