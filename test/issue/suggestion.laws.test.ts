/** Suggestions: each edit by hand, and the law of all of them. */
import { expect, test } from 'vitest'
import { parseFilter, type Issue } from '../../src/index.ts'
import { issuesIn } from '../issues.ts'
import corpus from '../fuzz/corpus.json' with { type: 'json' }
import { schema } from '../hints/spellings.ts'
import { rows } from './parameters.ts'
import { brokenSuggestions } from './suggestions.ts'
import { edits, issuesOf, options, spelled } from './suggestion.fixture.ts'

const issuesOfFilter = (text: string): readonly Issue[] =>
  issuesIn(parseFilter(schema, text, { ...options, groups: true }))

test.each([
  ['spellings of other APIs', spelled],
  ['each one in a group', spelled.map((text) => `or=(${text},gift=true)`)],
  ['each one among others', spelled.map((text) => `gift=true&${text}&status=paid`)],
  ['each edit in a group', edits.map(([text]) => `or=(gift=true,${text})`)],
  ['a text for each code', rows.map(({ text }) => text)],
  ['one for each code, twice', rows.map(({ text }) => `${text}&${text}`)],
  ['texts of the fuzzer', corpus],
])('applied, an issue is gone, and no condition is lost: %s', (_, texts) => {
  const broken = texts.flatMap((text) => [
    ...brokenSuggestions(text, issuesOf),
    ...brokenSuggestions(text, issuesOfFilter),
  ])
  expect([...new Set(broken)]).toEqual([])
})

test('most spellings of other APIs have a suggestion', () => {
  const suggested = spelled.filter((text) => issuesOf(text).some(({ suggestion }) => suggestion !== undefined))
  expect(suggested.length).toBeGreaterThan(60)
})
