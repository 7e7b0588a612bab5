/** Relative times of other software, from a new copy of the module: the module makes its patterns at load time. */
import { describe, expect, test, vi } from 'vitest'

const fresh = () => {
  vi.resetModules()
  return import('../../src/hints/relative.ts')
}

describe('advice', () => {
  const meanings = {
    now: ['now', 'NOW', 'now()', 'Now()', 'current_timestamp', 'CURRENT_TIMESTAMP()', 'getdate()', 'sysdate', 'utcNow'],
    today: ['today', 'TODAY()', 'current_date', 'curdate()', 'CURDATE', 'startOfDay'],
    'today-1d': ['yesterday', 'Yesterday()'],
    'today+1d': ['tomorrow'],
  }
  test.each(Object.entries(meanings))('%s', async (meant, texts) => {
    const { relativeAdvice } = await fresh()
    for (const text of texts) {
      expect(relativeAdvice('datetime', text), text).toEqual([{ kind: 'did_you_mean', name: meant }])
      const day = meant === 'now' ? 'today' : meant
      expect(relativeAdvice('date', text), text).toEqual([{ kind: 'did_you_mean', name: day }])
    }
  })
  test('describes the form of a time', async () => {
    const { relativeAdvice } = await fresh()
    for (const text of [
      ...['now-7d/d', 'NOW -1 DAY', 'today-90m', 'now-1', '-7d', '+17d', '7d', '7 days', '7 days ago', '123456789d'],
      ...['P7D', '-P7D', 'PT5M', '-pt5m', 't5m', 'last7days', 'last 7', 'past_7', 'next-7', 'Last 7 days'],
    ]) {
      expect(relativeAdvice('datetime', text), text).toEqual([{ kind: 'relative_time' }])
      expect(relativeAdvice('date', text), text).toEqual([{ kind: 'relative_day' }])
    }
  })
  test('is absent for any other text', async () => {
    const { relativeAdvice } = await fresh()
    for (const text of [
      ...[
        '',
        'x',
        'nowhere',
        'todayish',
        'a now',
        'x7d',
        '7d!',
        '7',
        '7-d',
        '1234567890d',
        '7 days agox',
        '--7d',
        '7  d',
      ],
      ...['last', 'last week', 'xlast7', 'last__7', 'yester()day', '()now', '2024-01-01', 'toString'],
    ])
      for (const type of ['date', 'datetime'] as const) expect(relativeAdvice(type, text), text).toEqual([])
  })
})

describe('an edit', () => {
  const units = {
    s: ['s', 'S', 'sec', 'secs', 'Second', 'seconds'],
    m: ['m', 'min', 'mins', 'MIN', 'minute', 'minutes'],
    h: ['h', 'H', 'hr', 'hrs', 'hour', 'hours'],
    d: ['d', 'D', 'day', 'Days'],
    w: ['w', 'W', 'week', 'weeks'],
    mo: ['mo', 'M', 'Mo', 'MO', 'mon', 'month', 'Months'],
    y: ['y', 'Y', 'yr', 'yrs', 'year', 'years'],
  }
  test.each(Object.entries(units))('writes the unit %s', async (unit, names) => {
    const { relativeEdit } = await fresh()
    for (const name of names) {
      const written =
        name === unit ? { start: 0, end: 3, insert: 'now' } : { start: 6, end: 6 + name.length, insert: unit }
      expect(relativeEdit(`now-12${name}`, false), name).toEqual(written)
      const day =
        name === unit ? { start: 0, end: 5, insert: 'today' } : { start: 8, end: 8 + name.length, insert: unit }
      expect(relativeEdit(`today-12${name}`, true), name).toEqual('smh'.includes(unit) ? undefined : day)
    }
  })
  test.each<[raw: string, isDay: boolean, edit: readonly [start: number, end: number, insert: string]]>([
    ['NOW-1d', false, [0, 3, 'now']],
    ['TODAY-1d', false, [0, 5, 'today']],
    ['today-90m', false, [0, 5, 'now']],
    ['now-7d', true, [0, 3, 'today']],
    ['NOW+1mo', true, [0, 3, 'today']],
    ['now%2b7D', false, [7, 8, 'd']],
    ['now%2B7D', false, [7, 8, 'd']],
    ['today+123456789Y', false, [15, 16, 'y']],
    ['now-1seconds', false, [5, 12, 's']],
  ])('of %s', async (raw, isDay, [start, end, insert]) => {
    expect((await fresh()).relativeEdit(raw, isDay)).toEqual({ start, end, insert })
  })
  test('is absent where a word and a unit differ, and for any other text', async () => {
    const { relativeEdit } = await fresh()
    for (const raw of ['NOW-7D', 'today-90min', 'TODAY-1Week']) expect(relativeEdit(raw, false), raw).toBeUndefined()
    for (const raw of ['now-7D', 'now-90m', 'today-90m']) expect(relativeEdit(raw, true), raw).toBeUndefined()
    for (const raw of [
      ...[
        '',
        'now',
        'now-1',
        'now-d',
        'now1d',
        'now--1d',
        'xnow-1d',
        'now-1d ',
        'now-1d2',
        'now-1234567890d',
        'now 1d',
      ],
      ...['x', 'mont', 'monthly', 'secon', 'secx', 'xs', 'mi', 'minx', 'ms', 'hou', 'our', 'hx', 'da', 'xd', 'dx'].map(
        (unit) => `now-1${unit}`,
      ),
      ...['wee', 'xw', 'weekx', 'ye', 'yea', 'xy', 'yrsx', 'xM', 'Mx', 'xmo', 'secondsx'].map((unit) => `now-1${unit}`),
    ])
      expect(relativeEdit(raw, false), raw).toBeUndefined()
  })
})
