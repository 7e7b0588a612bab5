/** What `runBackend` reports of a backend, and in which order ids may be. */
import { expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { FilterError, type Filter } from '../../src/index.ts'
import { runBackend, type FixtureRow } from '../../src/kit/index.ts'

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

test('a refusal, an error and a missing feature are three different outcomes', async () => {
  const memory = memoryBackend()
  const issue = { code: 'backend_unsupported', fault: 'server', message: 'no text is matched', parameters: {} } as const
  const fault = new Error('out of order')
  const loaded: string[] = []
  const results = await runBackend({
    backend: {
      ...memory,
      capabilities: { ...memory.capabilities, features: [] },
      compile: (filter: Filter) => {
        if (filter.kind === 'match') throw new FilterError([issue])
        if (filter.kind === 'membership') throw fault
        return memory.compile(filter)
      },
    },
    load: ({ name, rows }) => (loaded.push(name), rows),
    select: (rows: readonly FixtureRow[], matches) => rows.filter(matches).map(({ id }) => id),
  })
  const resultOf = (query: string) => {
    const { case: _, ...result } = results.find((result) => result.case.query === query)!
    return result
  }
  expect(resultOf('text[startsWith]=BE')).toEqual({ outcome: 'refused', issues: [issue] })
  expect(resultOf('text[in]=beta,gamma+ray')).toEqual({ outcome: 'failed', error: fault })
  expect(resultOf('day[in]=2024-03-01,2024-03-02')).toEqual({ outcome: 'skipped', missing: ['date-objects'] })
  expect(resultOf('text=beta')).toEqual({ outcome: 'passed' })
  // A fixture is loaded once, and only for cases that run.
  expect(loaded).toEqual([...new Set(loaded)])
  expect(loaded).not.toContain('Date objects')
})
