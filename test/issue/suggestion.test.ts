/** Suggestions: each edit by hand, and the law of all of them. */
import { expect, test } from 'vitest'
import { parseFilter, parseQuery, type Issue } from '../../src/index.ts'
import corpus from '../fuzz/corpus.json' with { type: 'json' }
import { collection, schema, spellings } from '../hints/spellings.ts'
import { rows } from './parameters.ts'
import { applied, brokenSuggestions } from './suggestions.ts'

const options = { reserved: ['apiKey'], limits: { issues: 1_000 } }
const issuesOf = (text: string): readonly Issue[] => {
  const result = parseQuery(collection, text, options)
  return result.ok ? [] : result.issues
}
const issuesOfFilter = (text: string): readonly Issue[] => {
  const result = parseFilter(schema, text, { ...options, groups: true })
  return result.ok ? [] : result.issues
}

const key = '01890a5d-ac96-774b-bcce-b302099a8057'
const edits: readonly (readonly [text: string, span: readonly [number, number], insert: string, edited: string])[] = [
  ['total=gte:5', [0, 10], 'total[gte]=', 'total[gte]=5'],
  ['total>=5&gift=true', [0, 7], 'total[gte]=', 'total[gte]=5&gift=true'],
  ['gift=true&total>5', [10, 16], 'total[gt]=', 'gift=true&total[gt]=5'],
  ['totl[gte]=5', [0, 4], 'total', 'total[gte]=5'],
  ['total[gtee]=5', [6, 10], 'gte', 'total[gte]=5'],
  ['or=(totl=5,gift=true)', [4, 8], 'total', 'or=(total=5,gift=true)'],
  ['or=(gift=true,total=gte:5)', [14, 24], 'total[gte]=', 'or=(gift=true,total[gte]=5)'],
  ['seller=100%', [10, 11], '%25', 'seller=100%25'],
  ['status[in]=paid,hled', [16, 20], 'held', 'status[in]=paid,held'],
  ['status=paid,new', [0, 7], 'status[in]=', 'status[in]=paid,new'],
  ['total=null', [0, 10], 'total[exists]=false', 'total[exists]=false'],
  ['gift=yes', [0, 8], 'gift=true', 'gift=true'],
  ['paidAt=2024-01-01T00:00:00+02:00', [26, 27], '%2B', 'paidAt=2024-01-01T00:00:00%2B02:00'],
  ['/orders?gift=true', [0, 8], '', 'gift=true'],
  ['https:%2F%2Fx%3Ftotal=5&seller=a?b', [0, 16], '', 'total=5&seller=a?b'],
  ['seller=x&https:%2F%2Fx%3Ftotal=5', [9, 25], '', 'seller=x&total=5'],
  ['total%255Bgte%255D=5', [0, 18], 'total[gte]', 'total[gte]=5'],
  ['sort=-totl', [6, 10], 'total', 'sort=-total'],
  ['status=!paid', [0, 8], 'status[notEqual]=', 'status[notEqual]=paid'],
  ['limit=900', [0, 9], 'limit=100', 'limit=100'],
  ['_limit=5', [0, 7], 'limit=', 'limit=5'],
  ['total=in.5,6', [0, 9], 'total[in]=', 'total[in]=5,6'],
  ['sort=total:desc,id', [0, 18], 'sort=-total,id', 'sort=-total,id'],
  ['seller[in]=a,', [13, 13], '""', 'seller[in]=a,""'],
  [`key=urn:uuid:${key}`, [4, 13], '', `key=${key}`],
  [`key=URN%3AUUID%3A${key.toUpperCase()}`, [4, 17], '', `key=${key.toUpperCase()}`],
  [`key[in]=${key},"urn:uuid:${key}"`, [46, 55], '', `key[in]=${key},"${key}"`],
  [`or=(key[in]=(urn:uuid:${key}),gift=true)`, [13, 22], '', `or=(key[in]=(${key}),gift=true)`],
  [`key=gte.${key}`, [0, 8], 'key[gte]=', `key[gte]=${key}`],
  [`key=${key},${key}`, [0, 4], 'key[in]=', `key[in]=${key},${key}`],
  ['serial=9007199254740993,5', [0, 7], 'serial[in]=', 'serial[in]=9007199254740993,5'],
  ['money=lte:1.10', [0, 10], 'money[lte]=', 'money[lte]=1.10'],
]
test.each(edits)('%s', (text, [start, end], insert, edited) => {
  const [issue] = issuesOf(text)
  expect(issue!.suggestion).toEqual({ span: { start, end }, insert })
  expect(applied(text, issue!.suggestion!)).toBe(edited)
  expect(issuesOf(edited)).toEqual([])
})

test.each([
  'total=5..10',
  // The whole operand would be written again.
  `key={${key}}`,
  `key=${key.replaceAll('-', '')}`,
  `key=urn:uuid:${key.replaceAll('-', '')}`,
  `key=urn:uuid:${key}-`,
  'serial=1e3',
  'serial=007',
  'money=1e3',
  'money=.5',
  'seller[like]=%25jo%25',
  'seller~jo*',
  '$expand=items($filter=price gt 3)',
  'fields=id;bogus',
  'total=in.(5,6)',
  'or=(status=paid,status[]=held)',
  'tags[]=a,b',
  '$filter=total gt 5',
  'page=2',
  'seller=a&seller=b',
  'seller[contains]=%00',
  'cursor=abc',
  'total[contains]=5',
  'total=1+2+3',
  'total=gte.x',
  'total=in.5,x',
  'total=between:1,2,3',
  'sort=total:desc,nope:asc',
  '_fields=id,nope',
  '_sort=total&_order=desc',
  'apiKey=%',
  'apiKey',
])('%s: no one edit keeps its operands', (text) => {
  const issues = issuesOf(text)
  expect(issues).not.toEqual([])
  expect(issues.filter(({ suggestion }) => suggestion !== undefined)).toEqual([])
})

const spelled = Object.values(spellings).flatMap((pairs) => pairs.map(([there]) => there))

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
