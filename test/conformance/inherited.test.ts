/**
 * Whatever somebody gave to `Object.prototype`, every answer stays the same: nothing reads an option, an answer, or a part of a
 * query or an issue that an object inherits.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { names, readByScenario, scenarios } from './inherited.ts'

test('the names are those of options, queries, issues, answers, mappings and dialects', () => {
  expect(names.length).toBeGreaterThan(500)
  for (const name of [
    'encode',
    'notNull',
    'offset',
    'fields',
    'position',
    'principal',
    'status',
    'hint',
    'span',
    'cast',
  ]) {
    expect(names).toContain(name)
  }
})

test.each(Object.entries(scenarios))('%s', async (_, scenario) => {
  expect(await readByScenario(scenario)).toEqual([])
})

test('services', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'inherited.ts')])
  const { answers, read } = JSON.parse(stdout) as { answers: string; read: string[] }
  for (const status of [200, 400, 401, 403, 404, 405]) expect(answers).toContain(`[\n    ${status},`)
  expect(read).toEqual([])
})
