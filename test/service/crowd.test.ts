/** The crowd in short: every request of two hundred connections is answered and right, good ones in time. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { byEffort, isComplete } from '../effort.ts'
import { crowd } from './crowd.ts'

test('two hundred connections, good, bad, hostile, slow and cancelled', async () => {
  const { faults, tally, quiet, crowded } = await crowd({
    ...{ store: 'sqlite', connections: 200, seed: 1 },
    seconds: byEffort(20, 3),
  })
  expect(faults).toEqual([])
  expect(tally.unanswered).toBe(0)
  const answersOf = (manner: string, status: string) => tally.manners.rows.get(manner)?.get(status) ?? 0
  for (const [manner, status] of [
    ['good', '200'],
    ['bad', '400'],
    ['bad', '401'],
    ['hostile', '400'],
    ['hostile', '200'],
    ['by the byte', '200'],
    ['read slowly', '200'],
    ['aborted', 'none'],
  ] as const) {
    expect(answersOf(manner, status), `${manner} ${status}`).toBeGreaterThan(5)
  }
  expect(answersOf('good', 'none')).toBe(0)
  for (const times of [quiet, crowded]) expect(times.length).toBeGreaterThan(50)
})

test.runIf(isComplete)('a service that is wrong is found out', async () => {
  const { faults } = await crowd({
    ...{ store: 'memory', connections: 40, seed: 2, seconds: 2 },
    preload: [join(import.meta.dirname, 'faults.ts')],
    env: { FAULT: 'body' },
  })
  expect(faults).toContainEqual(expect.stringMatching(/^wrong answer .*another body/))
})
