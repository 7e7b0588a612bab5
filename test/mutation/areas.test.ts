/** The areas name tests that are there, and all of src but the demo, the playground and what holds no code to change. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { areas, filesOf, testsOf } from './areas.ts'

const root = join(import.meta.dirname, '../..')

test('every name of an area is a file', () => {
  for (const { mutate, tests } of Object.values(areas)) {
    expect(mutate.filter((glob) => globSync(`src/${glob}.ts`, { cwd: root }).length === 0)).toEqual([])
    expect(tests.filter((glob) => globSync(`test/${glob}.test.ts`, { cwd: root }).length === 0)).toEqual([])
  }
  for (const area of Object.keys(areas)) expect([area, testsOf(area, root).length > 0]).toEqual([area, true])
})

test('every file of src is in an area, but for those that hold no code to change', () => {
  const mutated = new Set(Object.keys(areas).flatMap((area) => filesOf(area, root)))
  const others = globSync('src/**/*.ts', { cwd: root }).filter((file) => !mutated.has(file))
  expect(others.filter((file) => !/^src\/(kit\/cases|kit\/index|index|filter|tree)\b/.test(file))).toEqual([])
})
