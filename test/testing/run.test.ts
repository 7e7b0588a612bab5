/** What `runBackend` takes of a backend, and what it does not mind. */
import { expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { runBackend, type FixtureRow } from '../../src/testing/index.ts'

test.each<[order: string, arrange: (ids: number[]) => number[]]>([
  ['as they are stored', (ids) => ids],
  ['the last first', (ids) => ids.toReversed()],
  ['as texts are sorted', (ids) => Array.from(ids, String).sort().map(Number)],
])('ids may be selected in any order: %s', async (_, arrange) => {
  const results = await runBackend({
    backend: memoryBackend(),
    load: ({ rows }) => rows,
    select: (rows: readonly FixtureRow[], matches) => arrange(rows.filter(matches).map(({ id }) => id)),
  })
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})
