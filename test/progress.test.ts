/** A long job renews one line on a terminal, and writes one line a minute into a log. */
import { expect, test } from 'vitest'
import { openProgress } from './progress.ts'

function stage(isTTY: boolean) {
  const written: string[] = []
  const clock = { now: 0 }
  const screen = { isTTY, columns: 40, write: (text: string) => written.push(text) }
  return { written, clock, progress: openProgress(screen, () => clock.now) }
}

test('a terminal has one line, which renews itself', () => {
  const { written, clock, progress } = stage(true)
  progress.tell('ast', 0)
  clock.now = 100
  progress.tell('ast, too soon', 0.01)
  clock.now = 60_000
  progress.tell('ast', 0.25)
  progress.clear()
  progress.clear()
  expect(written).toEqual(['\r\u001b[Kast: 0 s', '\r\u001b[Kast: 60 s, about 3 min left', '\r\u001b[K'])
})

test('a line is no longer than the terminal', () => {
  const { written, progress } = stage(true)
  progress.tell('x'.repeat(100))
  expect(written).toEqual([`\r\u001b[K${'x'.repeat(39)}`])
})

test('a log has one line a minute', () => {
  const { written, clock, progress } = stage(false)
  for (; clock.now <= 150_000; clock.now += 10_000) progress.tell('SQLite', clock.now / 200_000)
  progress.clear()
  expect(written).toEqual(['SQLite: 60 s, about 2 min left\n', 'SQLite: 2 min, about 80 s left\n'])
})

test('a job whose whole nobody knows has its time alone', () => {
  const { written, clock, progress } = stage(false)
  clock.now = 61_000
  progress.tell('stateful')
  expect(written).toEqual(['stateful: 61 s\n'])
})
