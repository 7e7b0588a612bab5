/** The areas name tests that are there, and all of src but the demo and the playground. */
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { areas, filesOf } from './areas.ts'

const root = join(import.meta.dirname, '../..')

test('every test of an area is there', () => {
  const tests = Object.values(areas).flatMap(({ tests }) => tests)
  expect(tests.filter((name) => !existsSync(`${root}/test/${name}.test.ts`))).toEqual([])
})

test('every file of src is in an area, but for those that hold no code to change', () => {
  const mutated = new Set(Object.keys(areas).flatMap((area) => filesOf(area, root)))
  const others = globSync('src/**/*.ts', { cwd: root }).filter((file) => !mutated.has(file))
  expect(
    others.filter((file) => !/^src\/(demo\/|playground\/|testing\/cases|testing\/index|index|filter)/.test(file)),
  ).toEqual([])
})
