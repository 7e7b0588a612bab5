/** Predicates and pages where a process forbids code made at run time, or has no `__proto__`. */
import { execFileSync } from 'node:child_process'
import { expect, test, vi } from 'vitest'
import type { Filter, Literal } from '../../../src/tree/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'

/** Both kinds of predicate, in a process of its own. */
const inProcess = (...flags: string[]) =>
  execFileSync(
    process.execPath,
    [
      ...flags,
      '--input-type=module',
      '-e',
      `import { memoryBackend } from ${JSON.stringify(new URL('../../../src/backends/memory/index.ts', import.meta.url).href)}
       const text = (path, value) => ({ kind: 'comparison', path, operator: 'eq', operand: { type: 'string', value } })
       const filter = { kind: 'and', filters: [text(['a'], 'x'), { kind: 'some', path: ['list'], filter: text(['b'], 'y') }] }
       const rows = [{ a: 'x', list: [{ b: 'y' }] }, { a: 'x', list: [{}] }, Object.create({ a: 'x', list: [{ b: 'y' }] }), null]
       // A text has a length of its own.
       filter.filters.push({ kind: 'not', filter: { ...text(['a', 'length']), operand: { type: 'integer', value: 1 } } })
       const predicates = [false, true].map((codegen) => memoryBackend({ codegen }).compile(filter))
       const all = { kind: 'and', filters: [] }
       const sort = [{ path: ['a'], type: 'string', direction: 'ascending' }]
       const page = memoryBackend({ codegen: true }).compileQuery({ filter: all, asked: [{ kind: 'filter', filter: all }], sort, limit: 1, count: false })
       if (page([{ a: 'z' }, { a: 'y' }, { a: 'x' }]).rows.map(({ a }) => a).join() !== 'x,y') throw new Error('wrong page')
       console.log(JSON.stringify(predicates.map((matches) => rows.map(matches))), String(predicates[0]) === String(predicates[1]))`,
    ],
    { encoding: 'utf8' },
  )
const right = '[[true,false,false,false],[true,false,false,false]]'
test.each([
  [[], `${right} false\n`],
  [['--disallow-code-generation-from-strings'], `${right} true\n`],
  [['--disable-proto=delete'], `${right} false\n`],
  [['--disable-proto=throw'], `${right} false\n`],
])('with node %j', (flags, printed) => expect(inProcess(...flags)).toBe(printed))

type Codegen = typeof import('../../../src/backends/memory/codegen.ts')
const rowsFile = '../../../src/backends/memory/rows.ts'
let loads = 0
/** The module anew, with what it imports: what a process allows is asked once. */
function loadAnew(): Promise<Codegen> {
  vi.resetModules()
  return import(/* @vite-ignore */ `../../../src/backends/memory/codegen.ts?${loads++}`) as Promise<Codegen>
}
const present = (...path: readonly string[]): Filter => ({ kind: 'presence', path, type: 'string' })

/** What a function gives, and how often it makes code. */
function madeBy<Answer>(work: () => Answer, code?: () => never): readonly [answer: Answer, times: number] {
  const spy = vi.spyOn(globalThis, 'Function')
  if (code !== undefined) spy.mockImplementation(code)
  try {
    return [work(), spy.mock.calls.length]
  } finally {
    spy.mockRestore()
  }
}

test.each<[operand: Literal, entries: readonly unknown[]]>([
  [{ type: 'string', value: 'x' }, ['x', 'X', '', 1, true, null, {}]],
  [{ type: 'integer', value: 1 }, [1, 0, -1, '1', true, null, {}]],
  [{ type: 'number', value: 0.5 }, [0.5, 0, NaN, '0.5', true, null, {}]],
  [{ type: 'boolean', value: true }, [true, false, 'true', 1, null, undefined, {}]],
])('an entry is equal to %j, or it is not', (operand, entries) => {
  const equal: Filter = { kind: 'comparison', path: [], operator: 'eq', operand }
  const compile = (filter: Filter) => memoryBackend({ codegen: true }).compile({ kind: 'some', path: ['list'], filter })
  const [is, isNot, isNotNot] = [
    compile(equal),
    compile({ kind: 'not', filter: equal }),
    compile({ kind: 'not', filter: { kind: 'not', filter: equal } }),
  ]
  // The first of the entries is equal, no other one is.
  for (const [at, entry] of entries.entries()) {
    const row = { list: [entry] }
    expect([is(row), isNot(row), isNotNot(row)], String(entry)).toEqual([at === 0, at > 0, at === 0])
  }
})

test('a short text is interned when it comes again, or at once', async () => {
  const { interned } = (await import(/* @vite-ignore */ `../../../src/backends/memory/interned.ts?${loads++}`)) as {
    interned: (value: unknown, isAtOnce?: boolean) => unknown
  }
  const made = vi.spyOn(JSON, 'parse')
  const times = (...given: [value: unknown, isAtOnce?: boolean]) => {
    made.mockClear()
    expect(interned(...given)).toBe(given[0])
    return made.mock.calls.length
  }
  expect([1, 2, 3].map(() => times('ten units!', false))).toEqual([0, 1, 0])
  expect([1, 2].map(() => times('at once'))).toEqual([1, 0])
  // Rows keep the same object for longer texts and for other values.
  expect(['eleven unit', 5, true].map((value) => times(value))).toEqual([0, 0, 0])
  made.mockRestore()
})

test('the function of a shape is made once, unless the shape is long', async () => {
  const { generate } = await loadAnew()
  const times = (filter: Filter, isAtOnce: boolean) => {
    const [predicate, made] = madeBy(() => generate(filter, isAtOnce))
    return predicate === undefined ? `none, ${made}` : `one, ${made}`
  }
  expect([false, false, false, true].map((isAtOnce) => times(present('a'), isAtOnce))).toEqual([
    'none, 0',
    'one, 1',
    'one, 0',
    'one, 0',
  ])
  expect([true, true, false].map((isAtOnce) => times(present('b'), isAtOnce))).toEqual(['one, 1', 'one, 0', 'one, 0'])
  const long: Filter = { kind: 'or', filters: Array.from({ length: 200 }, () => present('a')) }
  expect([true, true, false].map((isAtOnce) => times(long, isAtOnce))).toEqual(['one, 1', 'one, 1', 'none, 0'])
  expect([{ a: 'x' }, {}].map(generate(long, true)!)).toEqual([true, false])
})

test('where code is forbidden, that is tried once; another error is not hidden', async () => {
  const { generate } = await loadAnew()
  const failing = (error: Error) =>
    madeBy(
      () => generate(present('a'), true),
      function (): never {
        throw error
      },
    )
  expect(() => failing(new SyntaxError('wrong'))).toThrow('wrong')
  expect(failing(new EvalError('forbidden'))).toEqual([undefined, 1])
  expect(madeBy(() => generate(present('b'), true))).toEqual([undefined, 0])
})

test('where __proto__ cannot be read, code does not read it', async () => {
  const rows = await import(rowsFile)
  vi.doMock(rowsFile, () => ({ ...rows, hasPrototypes: false }))
  const { generate } = await loadAnew()
  vi.doUnmock(rowsFile)
  const isSelected = generate(present('a', 'b'), true)!
  const proto = Object.getOwnPropertyDescriptor(Object.prototype, '__proto__')!
  Object.defineProperty(Object.prototype, '__proto__', { get: () => expect.fail('it was read'), configurable: true })
  const answers = [{ a: { b: 'x' } }, { a: Object.create({ b: 'x' }) as object }, { a: 'x' }, {}, null].map(isSelected)
  Object.defineProperty(Object.prototype, '__proto__', proto)
  expect(answers).toEqual([true, false, false, false, false])
})

test('a list of one value shares the code of an equality, and longer lists have their own', () => {
  const text = (value: string): Literal => ({ type: 'string', value })
  const among = (...values: string[]): Filter => ({
    kind: 'membership',
    path: ['only', 'here'],
    operands: values.map(text),
  })
  const rows = ['a', 'b', 'c', undefined].map((here) => ({ only: { here } }))
  const select = (filter: Filter) => rows.map(memoryBackend({ codegen: true }).compile(filter))
  const [one, made] = madeBy(() => select(among('a')))
  expect([one, made]).toEqual([[true, false, false, false], 1])
  const equality: Filter = { kind: 'comparison', path: ['only', 'here'], operator: 'eq', operand: text('b') }
  expect(madeBy(() => select(equality))).toEqual([[false, true, false, false], 0])
  expect(madeBy(() => select(among('c', 'c')))).toEqual([[false, false, true, false], 0])
  expect(madeBy(() => select(among('a', 'c')))).toEqual([[true, false, true, false], 1])
  expect(madeBy(() => select({ kind: 'not', filter: among('b') }))[0]).toEqual([true, false, true, true])
})
