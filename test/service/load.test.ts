/** The load in short: all is well with the service, and not with services that are wrong. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isComplete } from '../effort.ts'
import { load } from './load.ts'
import { growthOf } from './tally.ts'

const answered = [200, 400, 401, 404, 405, 413, 415, 431]
const statuses = { sqlite: [...answered, 503], memory: answered }

// At once: each of them mostly waits.
test.runIf(isComplete).concurrent.each(['sqlite', 'memory'] as const)('some seconds on %s', async (store) => {
  const { faults, kinds, failures, answered: number } = await load({ store, seconds: 6, seed: 1 })
  expect(faults).toEqual([])
  expect(number).toBeGreaterThan(100)
  // Worth something: all kinds, all statuses, all failures.
  expect(kinds.rows.size).toBe(15)
  for (const status of statuses[store]) expect(kinds.total(String(status)), String(status)).toBeGreaterThan(0)
  expect(failures.map(({ name }) => name)).toEqual(
    store === 'memory' ? [] : ['file locked', 'file cut by half', 'file emptied', 'file elsewhere', 'file removed'],
  )
  for (const { name, harmless, unavailable, right } of failures) {
    expect(harmless ? right : unavailable, name).toBeGreaterThan(0)
  }
})

/** What is wrong with a service, mostly with its 99th answer, and the report of it. */
type Wrong = readonly [fault: string, store: 'memory' | 'sqlite', told: RegExp]
const wrong: readonly Wrong[] = [
  ['unwell', 'sqlite', /^wrong answer .*status 503, not 200/],
  ['body', 'memory', /^wrong answer .*another body/],
  ['end', 'memory', /^the service ended by itself/],
  ['header', 'memory', /^wrong answer .*cache-control: public, not (no-store|private, no-cache)/],
  ['status', 'memory', /^wrong answer .*status 500, not 404/],
  ['silence', 'memory', /^wrong answer .*no answer/],
  ['reasons', 'sqlite', /^wrong answer .*another body/],
  ['words', 'memory', /^the service printed: Warning: something/],
  ['folder', 'memory', /^the service left its folder/],
]
describe.runIf(isComplete)('a service that is wrong', () => {
  test.concurrent.each(wrong)('%s', async (fault, store, told) => {
    const { faults } = await load({
      store,
      ...{ seconds: 1, answers: 250 },
      seed: 2,
      // Only silence is waited for: a busy machine may need seconds to answer.
      ...(fault === 'silence' && { patience: 2_500 }),
      preload: [join(import.meta.dirname, 'faults.ts')],
      env: { FAULT: fault },
    })
    expect(faults).toContainEqual(expect.stringMatching(told))
  })
})

describe('growth', () => {
  const minute = (value: (at: number) => number) => growthOf(Array.from({ length: 60 }, (_, at) => value(at))).growth
  test('is 0 for memory that goes up and down', () => expect(minute((at) => 100 + (at % 7))).toBeLessThan(0.02))
  test('is above 0 for memory that goes up steadily', () => expect(minute((at) => 100 + at)).toBeGreaterThan(0.1))
  test('is NaN without measurements, which is not less than any number', () => expect(growthOf([]).growth).toBeNaN())
})
