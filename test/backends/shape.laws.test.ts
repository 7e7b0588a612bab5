/** Values are kept by shape: what a filter finds was kept for a filter that differs from it in nothing but its operands. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shapeCache } from '../../src/backends/shape.ts'
import { and, not, or, type Filter } from '../../src/index.ts'
import { comparison, match, membership, presence, some, type Literal, type Membership } from '../../src/tree.ts'
import { someFilter } from '../../src/kit/arbitraries.ts'
import { keyed as schema } from '../orders.ts'

const text = (value: string): Literal => ({ type: 'string', value })
const is = (name: string, value: string) => comparison([name], 'eq', text(value))

/** A membership of one value has the shape of an equality. */
const isOfOne = (value: unknown): value is Membership =>
  (value as Filter | null)?.kind === 'membership' &&
  new Set((value as Membership).operands.map(({ value }) => value)).size === 1

/** A filter without its operands, as text. */
const bare = (filter: Filter): string =>
  JSON.stringify(filter, (key, node: unknown) => {
    const value = isOfOne(node) ? comparison(node.path, 'eq', node.operands[0]!) : node
    if (key === 'span' || key === 'value' || key === 'text') return undefined
    return key === 'operands' ? (value as unknown[]).slice(0, 1) : value
  })

test('filters have the same shape only if they differ in their operands alone', () => {
  const hard: readonly Filter[] = [
    ...['and', 'or', 'not', 'some', 'eq', 'in', 'exists', 'string', '1', '2'].map((name) => is(name, 'x')),
    presence(['string'], 'string'),
    presence(['string', 'string'], 'string'),
    presence(['exists', 'string', 'string'], 'string'),
    some(['string'], presence([], 'string')),
    some(['some', 'exists'], presence(['string'], 'string')),
    // Not by the builder, which makes them flat.
    { kind: 'and', filters: [{ kind: 'and', filters: [is('a', 'x')] }, is('b', 'x')] },
    { kind: 'and', filters: [{ kind: 'and', filters: [is('a', 'x'), is('b', 'x')] }] },
    and(is('a', 'x'), or(is('b', 'x'), is('c', 'x'))),
    or(is('a', 'x'), and(is('b', 'x'), is('c', 'x'))),
    and(is('a', 'x'), is('b', 'x'), is('c', 'x')),
    or(presence(['a'], 'string'), presence(['b', 'exists', 'string', 'c'], 'string')),
    or(presence(['a', 'exists', 'string', 'b'], 'string'), presence(['c'], 'string')),
    presence([], 'string'),
    presence(['a'], 'string'),
    presence(['a'], 'number'),
    comparison(['a'], 'eq', { type: 'number', value: 1 }),
    comparison(['a'], 'gt', { type: 'number', value: 1 }),
    comparison(['a'], 'gt', text('x')),
    ...(['prefix', 'suffix', 'substring'] as const).map((mode) => match(['a'], mode, 'x')),
    membership(['a'], [{ type: 'number', value: 1 }]),
    membership(['a'], []),
    membership(['a'], [text('x')]),
    not(is('a', 'x')),
  ]
  fc.assert(
    fc.property(fc.array(someFilter(schema), { maxLength: 20 }), (filters) => {
      const cache = shapeCache<string>(1_000)
      const all = [...hard, ...filters]
      for (const filter of all) {
        const known = cache.get(filter, [])
        if (known === undefined) cache.set(filter, bare(filter))
        else expect(known).toBe(bare(filter))
      }
      // Each of them is found, and one that came first is found by all that are bare alike.
      for (const filter of all) expect(cache.get(filter, [])).toBe(bare(filter))
      for (const filter of all) cache.set(filter, `${bare(filter)} again`)
      for (const filter of all) expect(cache.get(filter, [])).toBe(`${bare(filter)} again`)
    }),
    { numRuns: 50 },
  )
})
