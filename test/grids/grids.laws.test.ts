/** Compares the functions of `urlwhere/grids` with results by hand: the query string or the issues of each state. */
import { afterEach, describe, expect, test } from 'vitest'
import { fromAgGrid } from '../../src/clients/grids/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { defineCollection, defineSchema, field } from '../../src/index.ts'
import { collection, randomOf } from './compare.ts'
import { textOf, readers, seeds } from './grids.fixture.ts'

describe.each(Object.keys(readers))('%s', (name) => {
  const read = readers[name]!
  const seed = seeds[name]!

  test('never throws, whatever value replaces a part of a state', () => {
    const random = randomOf(7)
    const odd = () =>
      random.pick<unknown>([
        null,
        undefined,
        0,
        -1,
        1.5,
        NaN,
        Infinity,
        '',
        'a',
        '__proto__',
        'constructor',
        '\0',
        '\ud800',
        true,
        [],
        {},
        [[]],
        [null],
        { length: 3 },
        Object.create(null),
        Symbol.iterator,
        5n,
        new Date(NaN),
        () => 1,
        'x'.repeat(2000),
        new Array(600).fill('a'),
      ])
    const mutated = (value: unknown): unknown => {
      if (random.chance(0.1)) return odd()
      if (Array.isArray(value)) return value.map(mutated)
      if (typeof value !== 'object' || value === null) return value
      const entries = Object.entries(value).map(([key, one]) => [
        random.chance(0.02) ? random.pick(['__proto__', 'toString', 'x']) : key,
        mutated(one),
      ])
      return Object.assign(random.chance(0.2) ? Object.create(null) : {}, Object.fromEntries(entries))
    }
    for (let at = 0; at < 2000; at++) {
      const result = read(collection, mutated(seed))
      if (result.ok) expect(() => memoryBackend({ codegen: false }).compileQuery(result.query)).not.toThrow()
      else for (const issue of result.issues) expect(issue.message).not.toContain('undefined"')
    }
  })

  afterEach(() => {
    for (const key of ['filterModel', 'columnFilters', 'filters', 'where', 'value', 'operator', 'type', 'sort'])
      delete (Object.prototype as Record<string, unknown>)[key]
  })
})

describe('limits of a state', () => {
  const values = Array.from({ length: 500 }, (_, at) => `v${at}`)
  const fields = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`e${at}`, field.enumeration(values)]))
  const more = field.enumeration([...values, 'v500'])
  const wide = defineCollection(defineSchema({ id: field.integer(), more, ...fields }), { key: 'id', groups: true })
  const containing = (columns: readonly string[], filter = 'v') =>
    fromAgGrid(wide, {
      filterModel: Object.fromEntries(columns.map((name) => [name, { filterType: 'text', type: 'contains', filter }])),
    })
  const columns = (count: number) => Object.keys(fields).slice(0, count)

  test('operands in all, also those of an enumeration', () => {
    expect(containing(columns(16)).ok).toBe(true)
    expect(textOf(containing(columns(18)))).toEqual(['filterModel.e16.filter limit_list'])
    expect(containing(columns(17))).toMatchObject({ issues: [{ parameters: { found: 8_500, limit: 8_192 } }] })
    expect(containing(['more'])).toMatchObject({
      issues: [{ code: 'limit_list', parameters: { found: 501, limit: 500 } }],
    })
    expect(containing(['more'], 'v50').ok).toBe(true)
    expect(textOf(containing(['more'], 'v'.repeat(1_025)))).toEqual(['filterModel.more.filter limit_operand'])
  })
})
