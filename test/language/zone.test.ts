/** The time zones of the runtime. `test/values/zone.test.ts` compares their offsets. */
import { afterEach, expect, test, vi } from 'vitest'
import { zoneNamed, zoneNames } from '../../src/language/index.ts'

afterEach(() => void vi.restoreAllMocks())
const { DateTimeFormat } = Intl

test('all spellings of a name share a formatter', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function (locales, options) {
    return new DateTimeFormat(locales, options)
  })
  for (const name of ['Indian/Maldives', 'indian/maldives', 'INDIAN/MALDIVES', 'Indian/Maldives'])
    expect(zoneNamed(name)!(0)).toBe(5 * 3_600_000)
  expect(made).toHaveBeenCalledTimes(1)
})

test('a zone is unknown where the runtime does not format its times in digits', () => {
  vi.spyOn(Intl, 'DateTimeFormat').mockImplementation(function () {
    return { format: () => 'noon' } as Intl.DateTimeFormat
  })
  expect(zoneNamed('Indian/Mauritius')).toBeUndefined()
})

test('UTC needs no data of the runtime', () => {
  const made = vi.spyOn(Intl, 'DateTimeFormat')
  for (const name of ['UTC', 'utc']) expect(zoneNamed(name)!(1e12)).toBe(0)
  expect(made).not.toHaveBeenCalled()
})

test('the list of zones is the list of the runtime, if it has one', () => {
  expect(zoneNames()).toContain('Europe/Berlin')
  const all = vi.spyOn(Intl, 'supportedValuesOf')
  all.mockReturnValue(['a zone'])
  expect(zoneNames()).toEqual(['a zone'])
  expect(all).toHaveBeenCalledWith('timeZone')
  vi.stubGlobal('Intl', { DateTimeFormat })
  try {
    expect(zoneNames()).toEqual([])
  } finally {
    vi.unstubAllGlobals()
  }
})
