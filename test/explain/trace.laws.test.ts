/** Traces: by hand, and the same answer as the predicate at every node. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { trace, type Trace } from '../../src/tools/explain/index.ts'
import { someFilter, someRow, someSchema } from '../../src/kit/arbitraries.ts'
import { byEffort } from '../effort.ts'

test('every node has the result of its predicate', () => {
  const { compile } = memoryBackend()
  const check = (traced: Trace, value: unknown): void => {
    expect(traced.holds).toBe(compile(traced.filter)(value))
    if (traced.filter.kind !== 'some') for (const inner of traced.inner) check(inner, value)
  }
  const asked = someSchema.chain((schema) =>
    fc.tuple(someFilter(schema), fc.array(someRow(schema), { minLength: 10, maxLength: 10 })),
  )
  fc.assert(
    fc.property(asked, ([filter, rows]) => {
      for (const one of rows) check(trace(filter, one), one)
    }),
    { numRuns: byEffort(3_000, 20) },
  )
})
