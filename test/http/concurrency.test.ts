/** The gate before password checks: how many run, how many wait, and that every place comes back. */
import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { limitConcurrency } from '../../src/service/concurrency.ts'

/** Calls that end when they are told to. */
function makeCalls() {
  const started: number[] = []
  const ends = new Map<number, PromiseWithResolvers<number>>()
  const call = (at: number) => () => {
    started.push(at)
    const end = Promise.withResolvers<number>()
    ends.set(at, end)
    return end.promise
  }
  return {
    started,
    call,
    end: (at: number) => ends.get(at)!.resolve(at),
  }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('limitConcurrency', () => {
  test('runs so many at once, lets so many wait, refuses the rest at once', async () => {
    const { started, call, end } = makeCalls()
    const admit = limitConcurrency(2, 3)
    const answers = [0, 1, 2, 3, 4, 5, 6].map((at) => admit(call(at)))
    expect(answers.map((answer) => answer !== undefined)).toEqual([true, true, true, true, true, false, false])
    expect(started).toEqual([0, 1])
    end(1)
    await settle()
    expect(started).toEqual([0, 1, 2])
    expect(admit(call(7))).toBeDefined()
    expect(admit(call(8))).toBeUndefined()
    for (const at of [0, 2, 3, 4, 7]) {
      end(at)
      await settle()
    }
    expect(started).toEqual([0, 1, 2, 3, 4, 7])
    expect(await Promise.all(answers.slice(0, 5).map((answer) => answer!))).toEqual([0, 1, 2, 3, 4])
  })

  test('a call that throws frees its place', async () => {
    const admit = limitConcurrency(1, 0)
    const broken = () => {
      throw new Error('broken')
    }
    for (let at = 0; at < 3; at++) await expect(admit(broken)).rejects.toThrow('broken')
    expect(await admit(() => 'free')).toBe('free')
  })

  test('a call that comes when a place is handed over waits its turn', async () => {
    const { started, call, end } = makeCalls()
    const admit = limitConcurrency(1, 1)
    void admit(call(0))
    void admit(call(1))
    end(0)
    // The handover takes a few turns of the queue of promises: in none of them may two run.
    for (let turn = 0; turn < 5; turn++) {
      void admit(call(2 + turn))
      expect(started.length).toBeLessThanOrEqual(2)
      await Promise.resolve()
    }
    expect(started.slice(0, 2)).toEqual([0, 1])
    expect(started).toHaveLength(2)
  })

  test('a call whose signal aborts leaves the queue and never runs; another gets its place', async () => {
    const { started, call, end } = makeCalls()
    const admit = limitConcurrency(1, 2)
    const [gone, early] = [new AbortController(), AbortSignal.abort(new Error('early'))]
    const first = admit(call(0))
    const left = expect(admit(call(1), gone.signal)).rejects.toThrow('gone')
    const second = admit(call(2), new AbortController().signal)
    expect(admit(call(3))).toBeUndefined()
    gone.abort(new Error('gone'))
    await left
    const third = admit(call(4), null)
    expect([third, admit(call(5))]).toEqual([expect.any(Promise), undefined])
    for (const at of [0, 2, 4]) {
      end(at)
      await settle()
    }
    expect([started, await first, await second, await third]).toEqual([[0, 2, 4], 0, 2, 4])
    await expect(admit(call(6), early)).rejects.toThrow('early')
    expect(await admit(() => 'free')).toBe('free')
  })

  test('a signal that aborts between a place and its call hands the place on', async () => {
    const admit = limitConcurrency(1, 2)
    const [gone, ending] = [new AbortController(), Promise.withResolvers<void>()]
    const never = vi.fn()
    void admit(() => ending.promise)
    const left = expect(admit(never, gone.signal)).rejects.toThrow('gone')
    const third = admit(() => 'third')
    // The gate awaits this promise first, so it has handed the place over when the signal aborts.
    void ending.promise.then(() => gone.abort(new Error('gone')))
    ending.resolve()
    await left
    expect([await third, never.mock.calls]).toEqual(['third', []])
  })

  test('a call that has run leaves no listener on its signal', async () => {
    const admit = limitConcurrency(1, 1)
    const { signal } = new AbortController()
    await Promise.all([admit(() => settle(), signal), admit(() => settle(), signal)])
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
