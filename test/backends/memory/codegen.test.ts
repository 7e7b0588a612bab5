/** Predicates and pages where a process forbids code made at run time, or has no `__proto__`. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

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
       const sort = [{ path: ['a'], type: 'string', direction: 'ascending' }]
       const page = memoryBackend({ codegen: true }).compileQuery({ filter: { kind: 'and', filters: [] }, sort, limit: 1, count: false })
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
