/** Hostile strings as keys of records: each engine answers exactly, or the key is refused. No statement contains one. */
import { afterAll, describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { mongoBackend } from '../../src/backends/mongo/index.ts'
import { defineSchema, field, FilterError, not, parseFilter, type Filter } from '../../src/index.ts'
import { comparison, match, membership, presence } from '../../src/tree.ts'
import { attacks } from './attacks.ts'
import { departuresOf } from './mongo/departures.ts'
import * as mongo from './mongo/engines.ts'
import { openDuckdb } from './sql/duckdb.ts'
import { openPglite, openSqlite, storeOf, type Engine } from './sql/engines.ts'

const schema = defineSchema({ id: field.integer(), record: field.record(field.string()) })
/** Keys that no path has, and a key that is one UTF-16 unit too long. */
const refused = ['', '__proto__', 'a.b', 'a[0]', '[]', 'x'.repeat(129)]
const unstored = ['a\0', '\ud800', 'a\udc00', '\0']
const keys = [...new Set([...attacks, ...refused, 'hasOwnProperty', 'isPrototypeOf', 'x'.repeat(128), ...unstored])]
const isRefused = (key: string): boolean =>
  key === '' || key === '__proto__' || /[.[\]\0]/.test(key) || !key.isWellFormed() || key.length > 128

/** A row for each key, a row with all keys, and rows without a key. */
const stored = keys.filter((key) => !unstored.includes(key))
const rows = [
  ...stored.map((key, at) => ({ id: at + 1, record: Object.fromEntries([[key, 'x']]) })),
  { id: 1_000, record: Object.fromEntries(stored.map((key) => [key, 'x'])) },
  { id: 1_001, record: {} },
  { id: 1_002, record: Object.fromEntries([['a', 'y']]) },
  { id: 1_003 },
]
const all = rows.map(({ id }) => id)
const asks: Readonly<Record<string, (path: readonly string[]) => Filter>> = {
  equals: (path) => comparison(path, 'eq', { type: 'string', value: 'x' }),
  exists: (path) => presence(path, 'string'),
  contains: (path) => match(path, 'substring', 'X'),
  nin: (path) => not(membership(path, [{ type: 'string', value: 'x' }])),
}
function expectedOf(key: string, name: string): readonly number[] {
  const ids = stored.includes(key) ? [stored.indexOf(key) + 1, 1_000] : []
  // Of all keys, row 1002 has `a` with another value.
  const others = key === 'a' && name === 'exists' ? [1_002] : []
  return name === 'nin' ? all.filter((id) => !ids.includes(id)) : [...ids, ...others]
}

const kindOf = (error: unknown): string =>
  error instanceof FilterError ? 'FilterError' : error instanceof TypeError ? 'TypeError' : `wrong: ${String(error)}`
/** By key and condition: the ids, or the class of the error. `compile` alone may throw. */
async function answers<Output>(
  compile: (filter: Filter) => Output,
  select: (output: Output) => Promise<readonly number[]> | readonly number[],
): Promise<Readonly<Record<string, unknown>>> {
  const found: [string, unknown][] = []
  for (const key of keys) {
    for (const [name, ask] of Object.entries(asks)) {
      let output: Output
      try {
        output = compile(ask(['record', key]))
      } catch (error) {
        found.push([`${JSON.stringify(key)} ${name}`, kindOf(error)])
        continue
      }
      found.push([`${JSON.stringify(key)} ${name}`, [...(await select(output))].sort((a, b) => a - b)])
    }
  }
  return Object.fromEntries(found)
}
/** @param other the error for a key that a path can have, if the backend refuses it. */
const expectedAnswers = (other: (key: string) => string | undefined) =>
  Object.fromEntries(
    keys.flatMap((key) =>
      Object.keys(asks).map((name) => {
        const error = isRefused(key) && key.length <= 128 ? 'TypeError' : other(key)
        return [`${JSON.stringify(key)} ${name}`, error ?? expectedOf(key, name)] as const
      }),
    ),
  )
const tooLong = (key: string) => (isRefused(key) ? (/[.[\]\0]/.test(key) ? 'TypeError' : 'FilterError') : undefined)

test.each(['', '[equals]'])('a query with %j after a key names the key, or has an issue', (end) => {
  const read = keys.map((key) => {
    const result = parseFilter(schema, `record.${encodeURIComponent(key.toWellFormed())}${end}=x`)
    return [key, result.ok ? (result.filter as { path?: unknown }).path : 'issues']
  })
  const isIssue = (key: string) => isRefused(key) || (end === '' && /[<>!~]$/.test(key))
  expect(read).toEqual(
    keys.map((key) => [key, isIssue(key.toWellFormed()) ? 'issues' : ['record', key.toWellFormed()]]),
  )
})

test.each([{}, { codegen: true }, { codegen: false }])('in memory: %o', async (options) => {
  const { compile } = memoryBackend(options)
  const found = await answers(compile, (matches) => rows.filter(matches).map(({ id }) => id))
  // Without a schema, no key is too long.
  expect(found).toEqual(expectedAnswers((key) => (/[.[\]\0]/.test(key) ? 'TypeError' : undefined)))
})

const opened: Engine[] = [openSqlite(), await openPglite(), await openDuckdb()]
afterAll(async () => {
  for (const engine of opened) await engine.close()
})
describe.each(opened)('$name', (engine) => {
  test('answers exactly, and no statement has a key', { timeout: 120_000 }, async () => {
    const store = storeOf(engine, schema, 'json')
    await store.fill(rows)
    const texts = new Map<string, Set<string>>()
    const found = await answers((filter) => {
      const condition = store.backend.compile(filter)
      const kind = JSON.stringify(filter.kind)
      texts.set(kind, (texts.get(kind) ?? new Set()).add(condition.text))
      return condition
    }, store.select)
    expect(found).toEqual(expectedAnswers(tooLong))
    expect(Array.from(texts.values(), ({ size }) => size)).toEqual([1, 1, 1, 1])
    await store.drop()
  })
})

describe('documents', async () => {
  const engines = (await mongo.openEngines()).filter(({ name }) => ['mingo', 'sift'].includes(name))
  test.each(engines)('$name', async (engine) => {
    const store = mongo.storeOf(engine, schema, 'texts')
    await store.fill(rows)
    const documents = store.documentsOf(rows)
    const expected = expectedAnswers((key) => (key.startsWith('$') && key.length <= 128 ? 'FilterError' : tooLong(key)))
    const departed = new Set<string>()
    const found = await answers(
      (filter) => store.backend.compile(filter),
      async (document) => {
        if (departuresOf(engine, document, documents).length === 0) return store.select(document)
        departed.add(Object.keys(document).join())
        return []
      },
    )
    const isAsked = ([name]: [string, unknown]) =>
      !Array.from(departed).some((path) => name.startsWith(JSON.stringify(path.slice('record.'.length))))
    expect(Object.fromEntries(Object.entries(found).filter(isAsked))).toEqual(
      Object.fromEntries(Object.entries(expected).filter(isAsked)),
    )
    expect(departed.size).toBeLessThan(4)
  })
  test('without a schema, a path with an operator of MongoDB is refused, too', () => {
    for (const key of keys.filter((one) => one.startsWith('$') && !isRefused(one)))
      expect(() => mongoBackend().compile(asks['equals']!(['record', key]))).toThrow(FilterError)
  })
})
