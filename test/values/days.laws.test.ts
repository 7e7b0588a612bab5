/** Days, and moments to the millisecond. */
import { describe, expect, test } from 'vitest'
import { dayAfter, dayBefore, isDay } from '../../src/values/time.ts'
import { byEffort } from '../effort.ts'

describe('days', () => {
  test('every day to the last has its next, and that its day before', () => {
    // From the first day; in a quick run those of the last 400 years, after which the calendar repeats itself.
    let day: string | undefined = byEffort('0001-01-01', '9599-12-31')
    let count = 1
    for (let next = dayAfter(day); next !== undefined; next = dayAfter(day)) {
      if (count % 1000 === 0) expect(isDay(next) && dayBefore(next) === day && next > day).toBe(true)
      day = next
      count++
    }
    expect(day).toBe('9999-12-31')
    expect(count).toBe(byEffort(3_652_059, 146_098)) // in the proleptic Gregorian calendar
    expect(dayBefore('0001-01-01')).toBeUndefined()
  })
})
