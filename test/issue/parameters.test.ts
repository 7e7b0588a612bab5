/** The parameters of each code, by hand; and that no operand is in them. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defineCollection, issueCodes, parseFilter, parseQuery, type Issue } from '../../src/index.ts'
import { issuesIn } from '../issues.ts'
import { collection, options, schema } from '../hints/spellings.ts'
import { operand, rows } from './parameters.ts'

/** Samoa left out the last Friday of 2011. */
const timeZone = 'Pacific/Apia'
const issuesOf = (text: string, limits = {}, of = collection): readonly Issue[] =>
  issuesIn(parseQuery(of, text, { reserved: ['apiKey'], limits, timeZone }))

test.each(rows)('$code: $text', ({ code, text, parameters, limits }) => {
  const [first] = issuesOf(text, limits)
  expect(first).toMatchObject({ code, fault: 'client' })
  expect(first!.parameters).toEqual(parameters)
  expect(JSON.parse(JSON.stringify(first!.parameters))).toEqual(parameters)
})

test.each(rows)('no operand is in an issue of $text', ({ text, limits }) => {
  const reserved = ['Qz7xBefore', 'Qz7xAfter']
  for (const whole of [text, `apiKey=${reserved[0]}&${text}`, `${text}&apiKey=${reserved[1]}`]) {
    expect(JSON.stringify(issuesOf(whole, limits))).not.toContain(operand)
  }
})

test.each([
  ['order=total desc&_sort=id', 'sort=id'],
  ['filter[status]=held&status[]=new', 'status[in]=new'],
])('a reserved pair that another API would read gives no hint: %s', (text, written) => {
  expect(issuesIn(parseQuery(collection, text, { reserved: ['order', 'filter[status]'] }))).toMatchObject([
    { hint: `write ${written}` },
  ])
})

test('each code of a text is in the table', () => {
  // A collection with some fields only has the last one.
  const [issue] = issuesOf('fields=total', {}, defineCollection(schema, { ...options, fields: ['id'] }))
  expect(issue).toMatchObject({
    code: 'field_not_selectable',
    parameters: {
      field: 'total',
      advice: [{ kind: 'choose', from: 'selectable', choices: { names: ['id'], isCut: false } }],
    },
  })
  const [uncounted] = issuesOf('facets=total', {}, defineCollection(schema, { ...options, facets: ['id'] }))
  expect(uncounted).toMatchObject({
    code: 'field_not_counted',
    parameters: {
      field: 'total',
      advice: [{ kind: 'choose', from: 'facets', choices: { names: ['id'], isCut: false } }],
    },
  })
  const of = defineCollection(schema, { ...options, facets: ['id', 'total'] })
  const [several] = issuesOf('facets=id,total', { facets: 1 }, of)
  expect(several).toMatchObject({ code: 'limit_facets', parameters: { found: 2, limit: 1 } })
  const others = [issue!, uncounted!, several!].map(({ code }) => code)
  const codes = new Set([...rows.map(({ code }) => code), ...others])
  expect(issueCodes.filter((code) => !/^(?:backend|print)_/.test(code) && !codes.has(code))).toEqual([])
})

test.each([
  ['a group, where there are none', 'or[0]=1', [{ kind: 'no_groups' }]],
  ['a parameter, where there are none', 'page=1', [{ kind: 'no_parameters' }]],
])('advice about %s', (_, text, advice) => {
  expect(issuesIn(parseFilter(schema, text))[0]!.parameters).toMatchObject({ advice })
})

test('advice for pages without an offset', () => {
  const { offset: _, ...rest } = options
  const of = defineCollection(schema, rest)
  const reasonOf = (text: string) => issuesOf(text, {}, of)[0]!.parameters
  expect(reasonOf('page=2')).toMatchObject({ advice: [{ reason: 'no_page_numbers', text: 'limit=…' }] })
  expect(reasonOf('skip=2')).toMatchObject({ advice: [{ reason: 'no_offset', text: 'limit=…' }] })
})

test('docs/reference/issue-parameters.md has the parameters of each code, and of each kind of advice', () => {
  const page = readFileSync(new URL('../../docs/reference/issue-parameters.md', import.meta.url), 'utf8')
  const wordsIn = (cell: string) => Array.from(cell.matchAll(/`(\w+)`/g), ([, word]) => word!)
  const documented = new Map(
    Array.from(page.matchAll(/^\| (`.*?) +\|(.*?)\|/gm), ([, names, cell]) =>
      wordsIn(names!).map((one) => [one, wordsIn(cell!).sort()] as const),
    ).flat(),
  )
  const found = new Map<string, Set<string>>()
  const add = (name: string, data: object) => {
    const keys = found.get(name) ?? new Set()
    found.set(name, keys)
    for (const key of Object.keys(data)) if (key !== 'kind') keys.add(key)
  }
  for (const { code, parameters } of rows) {
    add(code, parameters)
    const { advice = [] } = parameters as { readonly advice?: readonly { readonly kind: string }[] }
    for (const one of advice) add(one.kind, one)
  }
  for (const [name, keys] of found) expect([name, documented.get(name)]).toEqual([name, [...keys].sort()])
  // The table has no row for these: collections with some fields and some facets, texts without groups or parameters, and records.
  const others = [
    'field_not_selectable',
    'field_not_counted',
    'limit_facets',
    'no_groups',
    'no_parameters',
    'record_key',
  ]
  expect([...documented.keys()].sort()).toEqual([...found.keys(), ...others].sort())
})
