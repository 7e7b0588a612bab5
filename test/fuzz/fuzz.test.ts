/** The laws of every text, on the texts that fuzzing has kept and on random changes of them; and that each law can be broken. */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { or, type Filter, type Issue, type ParseResult } from '../../src/index.ts'
import { byEffort } from '../effort.ts'
import { bytesOf, textOf } from './bytes.ts'
import { brokenLaw, laws, library, type Library } from './laws.ts'
import { fields, schema } from './schema.ts'
import { tokens } from './tokens.ts'

const corpus = JSON.parse(readFileSync(new URL('corpus.json', import.meta.url), 'utf8')) as string[]

test('the fields of the schema are told twice alike', () => {
  expect(Object.keys(fields).map((marked) => marked.replaceAll('[]', ''))).toEqual([...schema.paths.keys()])
})

test('no text of the corpus breaks a law', () => {
  expect(corpus.length).toBeGreaterThan(100)
  expect(corpus.flatMap((text) => brokenLaw(text) ?? [])).toEqual([])
})

const someChange = fc.record({
  at: fc.nat(200),
  drop: fc.nat(3),
  put: fc.oneof(fc.constantFrom(...tokens), fc.string()),
})
const someText = fc
  .tuple(fc.constantFrom('', ...corpus), fc.array(someChange, { maxLength: 8 }))
  .map(([kept, changes]) =>
    changes.reduce((text, { at, drop, put }) => text.slice(0, at) + put + text.slice(at + drop), kept),
  )
test('no random change of one breaks a law', () => {
  fc.assert(
    fc.property(someText, (text) => {
      expect(brokenLaw(text)).toBeUndefined()
    }),
    { numRuns: byEffort(10_000, 170) },
  )
})

test('bytes and texts are the same texts', () => {
  expect(corpus).toEqual([...new Set(corpus)].sort())
  expect(corpus.map((text) => textOf(bytesOf(text)))).toEqual(corpus)
  for (const text of ['\ud800', '\udc00x', '\u{1f600}', '\0é']) expect(textOf(bytesOf(text))).toBe(text)
  expect(textOf(Buffer.from([0x61, 0xff]))).toBe('aÿ')
})

const { parseFilter, matches, statements, documents } = library
/** A library whose results are others. */
const giving = (change: (result: ParseResult, text: string) => object): Library => ({
  ...library,
  parseFilter: (schema, text, options) => {
    const result = parseFilter(schema, text, options)
    return { ...result, ...change(result, String(text)) } as ParseResult
  },
})
const filtered = (change: (filter: Filter) => Filter) =>
  giving((result) => (result.ok ? { filter: change(result.filter) } : {}))
const faulted = (change: (issue: Issue, text: string, result: ParseResult) => Partial<Issue>) =>
  giving((result, text) =>
    result.ok ? {} : { issues: result.issues.map((issue) => ({ ...issue, ...change(issue, text, result) })) },
  )
const rewritten = (change: (text: string) => string): Library => ({
  ...library,
  parseFilter: (schema, text, options) => parseFilter(schema, change(String(text)), options),
})

/** Of each law, libraries that break it. */
const broken: Readonly<Record<keyof typeof laws, readonly Library[]>> = {
  'it is read as the definition of the language says': [
    giving((result) => (result.ok ? {} : { ok: true, filter: or() })),
    filtered((filter) => (filter.kind === 'and' ? { ...filter, filters: filter.filters.slice(1) } : filter)),
    faulted(({ span }) => ({ span: { start: span!.start, end: span!.end + 1 } })),
    giving(() => ({ reserved: new Map([['apiKey', ['']]]) })),
    rewritten((text) => text.replaceAll('%2C', 'c')),
    {
      ...library,
      parseFilter: () => {
        throw new RangeError('deep')
      },
    },
  ],
  'issues stand inside of the text, in order': [
    giving(() => ({ ok: false, issues: [] })),
    faulted(({ span }, text) => ({ span: { start: span!.start, end: text.length + 1 } })),
    faulted(({ span }, text) => ({ span: { start: text.length - span!.start, end: text.length } })),
    faulted(() => ({ code: 'print_unsayable' })),
    faulted(() => ({ fault: 'server' })),
  ],
  'no issue tells a value, and no statement holds one': [
    faulted(({ span }, text) => ({ message: text.slice(span!.start, span!.end) })),
    {
      ...library,
      statements: (filter) =>
        statements(filter).map(({ text, ...rest }) => ({ ...rest, text: text + rest.parameters.join() })),
    },
  ],
  'nothing shows a reserved value': [faulted((_, __, { reserved }) => ({ hint: [...reserved.values()].join() }))],
  'a filter is sound and frozen, and stands where its text does': [
    filtered((filter) => structuredClone(filter)),
    filtered((filter) => Object.freeze({ ...filter, span: Object.freeze({ start: 0, end: 1 }) })),
    filtered((filter) => ({ ...filter, kind: 'nor' }) as never),
  ],
  'what is printed is read as the same filter, and printed the same': [
    filtered((filter) => or(filter, filter)),
    { ...library, printFilter: () => '' },
  ],
  'escapes change nothing but places': [rewritten((text) => text.replaceAll('%5d', ']]'))],
  'the order of pairs changes nothing but order': [rewritten((text) => text.split('&', 1)[0]!)],
  'a predicate holds where its complement does not': [
    { ...library, matches: (filter) => (filter.kind === 'not' ? () => false : matches(filter)) },
  ],
  'statements have as many parameters as placeholders': [
    {
      ...library,
      statements: (filter) => statements(filter).map(({ text, ...rest }) => ({ ...rest, text: `${text} = ? = $1` })),
    },
  ],
  'documents are made of known operators': [
    { ...library, documents: (filter) => documents(filter).map((document) => ({ $where: document })) },
  ],
}

test('every law can be broken, each by itself', () => {
  expect(Object.keys(broken)).toEqual(Object.keys(laws))
  for (const [law, libraries] of Object.entries(broken)) {
    const found = libraries.map((tried) => corpus.find((text) => brokenLaw(text, tried, [law]) !== undefined))
    expect([law, found.indexOf(undefined)]).toEqual([law, -1])
  }
})
