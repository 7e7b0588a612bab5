/** The issues of `urlwhere/parse` are those of `urlwhere` without hints, but in pairs with words of other APIs (without.test.ts). */
import { describe, expect, test } from 'vitest'
import * as parsers from '../../src/index.ts'
import * as plain from '../../src/parse.ts'
import { byEffort } from '../effort.ts'
import { randomFrom, sample } from './meanings.ts'
import { collection, schema, spellings } from './spellings.ts'
import corpus from '../fuzz/corpus.json' with { type: 'json' }

type Result = plain.ParseResult | plain.QueryResult | plain.ObjectResult
type Parsers = Pick<typeof plain, 'parseFilter' | 'parseQuery' | 'parseObject'>

/** Issues as text, without what to do about them. */
const issuesOf = (result: Result) =>
  result.ok
    ? []
    : result.issues.map(({ hint: _, suggestion: __, parameters, ...issue }) => {
        const { advice: ___, ...facts } = parameters as { readonly advice?: unknown }
        return { ...issue, parameters: facts }
      })
type Bare = ReturnType<typeof issuesOf>[number]

const random = randomFrom(48)
const samples = Array.from({ length: byEffort(100_000, 400) }, () => sample(random).text)
const texts = [...new Set([...Object.values(spellings).flat(2), ...(corpus as readonly string[]), ...samples])]
const limits = { issues: Infinity }
const objectOf = (text: string) =>
  Object.fromEntries(text.split('&').map((pair) => [pair.split('=')[0]!, pair.split('=').slice(1).join('=')]))

describe.each<readonly [string, (parse: Parsers, text: string) => Result]>([
  ['a filter', ({ parseFilter }, text) => parseFilter(schema, text, { groups: true, limits })],
  ['a query', ({ parseQuery }, text) => parseQuery(collection, text, { limits })],
  ['an object', ({ parseObject }, text) => parseObject(collection, objectOf(text), { limits })],
])('%s', (_, parse) => {
  test('has the same issues, or words of other APIs', () => {
    let equal = 0
    for (const text of texts) {
      const result = parse(plain, text)
      expect(result.ok || result.issues.filter((issue) => 'hint' in issue || 'suggestion' in issue), text).toEqual(
        result.ok || [],
      )
      const [advised, unadvised] = [issuesOf(parse(parsers, text)), issuesOf(result)]
      expect(unadvised.length > 0, text).toBe(advised.length > 0)
      const only = (some: readonly Bare[], others: readonly Bare[]) => {
        const all = new Set(others.map((issue) => JSON.stringify(issue)))
        return some.filter((issue) => !all.has(JSON.stringify(issue)))
      }
      const [more, less] = [only(advised, unadvised), only(unadvised, advised)]
      if (more.length + less.length === 0) equal++
      const has = (code: string) => unadvised.some((issue) => issue.code === code)
      const signs = more.filter(({ message }) => message.startsWith('unexpected "+"')).length
      // The brackets of a key whose field is unknown, too.
      const brackets = less.filter(({ code }) => code === 'operator_unknown').length
      expect(less.length, text).toBe(signs + brackets)
      if (brackets > 0) expect(has('field_unknown'), text).toBe(true)
      // The operand after another name of an operator, and a second condition with it.
      if (more.length > signs) {
        expect(has('operator_unknown'), text).toBe(true)
        const codes = more.filter(({ message }) => !message.startsWith('unexpected "+"')).map(({ code }) => code)
        expect(
          codes.filter((code) => !/^(?:operand_|limit_|duplicate_)/.test(code)),
          text,
        ).toEqual([])
      }
    }
    expect(equal / texts.length).toBeGreaterThan(0.8)
  })
})
