import { describe, expect, test } from 'vitest'
import { isComplete } from '../effort.ts'
import { and, defineSchema, field, not, or, parseFilterOrThrow, type Filter } from '../../src/index.ts'
import { checkFilter, comparison, maxFilterNodes } from '../../src/tree.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'

const a = comparison(['a'], 'eq', { type: 'string', value: 'x' })

describe('a filter that was checked once', () => {
  const frozen = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
    return value
  }
  test('has a budget: filters that share a subtree count it each time', () => {
    const double = (of: (a: Filter, b: Filter) => unknown) => {
      let filter: Filter = a
      for (let doublings = 0; doublings < 22; doublings++) filter = of(filter, filter) as Filter
      return filter
    }
    const tooMany = `has more than ${maxFilterNodes} groups and conditions`
    const plain = double((one, other) => ({ kind: 'and', filters: [{ kind: 'not', filter: one }, other] }))
    expect(() => memoryBackend().compile(plain)).toThrow(new TypeError(`filter ${tooMany}`))
    expect(() => double((one, other) => and(not(one), other))).toThrow(tooMany)
    const most = or(...Array.from({ length: maxFilterNodes - 1 }, () => a))
    expect(memoryBackend().compile(most)({})).toBe(false)
    expect(() => not(most)).toThrow(new TypeError(`not ${tooMany}`))
    // Members that are replaced by their own count until they are.
    expect(() => or(most, a)).toThrow(new TypeError(`or ${tooMany}`))
    expect(() => checkFilter({ kind: 'not', filter: most })).toThrow(new TypeError(`filter ${tooMany}`))
  })
  test('has a budget, also where it was read from a text without limits', () => {
    const schema = defineSchema({ a: field.datetime() })
    // Each day is the time from its start to its end: three nodes. Around them are an and, a not and an or.
    const read = (days: number) => {
      const text = Array.from({ length: days }, (_, at) => new Date(at * 86_400_000).toISOString().slice(0, 10)).join()
      return parseFilterOrThrow(schema, `a[nin]=${text}`, { limits: { length: Infinity, list: Infinity } })
    }
    if (isComplete) expect(() => checkFilter(read(33_332))).not.toThrow()
    expect(() => checkFilter(read(33_333))).toThrow(`filter has more than ${maxFilterNodes} groups and conditions`)
  })
})
