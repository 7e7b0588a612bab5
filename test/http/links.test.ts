/** The `Link` header: what it repeats of a query, what never, and how long it gets. */
import { describe, expect, test } from 'vitest'
import { linkHeader } from '../../src/service/links.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, type Collection } from '../../src/index.ts'
import { namedFor } from '../../src/binding/index.ts'
import { readText } from '../../src/reading/index.ts'
import { keyed as schema } from '../orders.ts'

const collection = defineCollection(schema, {
  key: 'id',
  sort: true,
  offset: { max: 10 },
  fields: true,
  count: true,
  groups: true,
})
const renamed = defineCollection(schema, {
  key: 'id',
  offset: { max: 10 },
  parameters: { cursor: 'page[after]', offset: 'skip over' },
})
const both = { next: 'NEXT', previous: 'PREV' }

/** The header of a page of a text, by the words of a service. */
function headerOf(
  text: string,
  page: { next?: string; previous?: string } = both,
  of: Collection = collection,
  toward: 'next' | 'previous' | 'none' = 'next',
) {
  const reserved = ['apiKey']
  const { source } = namedFor(of, readText(text, { reserved }))
  const { position: _, ...query } = parseQueryOrThrow(of, '')
  const position = toward !== 'none' && { toward, values: [{ type: 'integer', value: 1 }] as const }
  return linkHeader(of, source!, reserved, { ...query, ...(position && { position }) }, page)
}
const nextOf = (text: string, of?: Collection) => headerOf(text, { next: 'NEXT' }, of)

test.each([
  ['', '<?cursor=NEXT>; rel="next"'],
  ['sort=-name&limit=3', '<?sort=-name&limit=3&cursor=NEXT>; rel="next"'],
  ['?sort=-name', '<?sort=-name&cursor=NEXT>; rel="next"'],
  ['&&limit=3&&sort=id&', '<?limit=3&sort=id&cursor=NEXT>; rel="next"'],
  ['limit=3&cursor=OLD&sort=id', '<?limit=3&sort=id&cursor=NEXT>; rel="next"'],
  ['%63ursor=OLD&limit=3', '<?limit=3&cursor=NEXT>; rel="next"'],
  ['limit=3&offset=5&sort=id', '<?limit=3&sort=id&cursor=NEXT>; rel="next"'],
  ['apiKey=secret&limit=3', '<?limit=3&cursor=NEXT>; rel="next"'],
  ['limit=3&%61piKey=secret&sort=id', '<?limit=3&sort=id&cursor=NEXT>; rel="next"'],
  ['name[contains]=cursor%3Doffset', '<?name%5Bcontains%5D=cursor%3Doffset&cursor=NEXT>; rel="next"'],
  ['name=a%3Eb%22,;+c', '<?name=a%3Eb%22,;+c&cursor=NEXT>; rel="next"'],
  ['name[in]={|}^`\\x', '<?name%5Bin%5D=%7B%7C%7D%5E%60%5Cx&cursor=NEXT>; rel="next"'],
  ['or=(name=a,name[in]=(b,"c"))&limit=1', '<?or=(name=a,name%5Bin%5D=(b,"c"))&limit=1&cursor=NEXT>; rel="next"'],
  ['name===', '<?name===&cursor=NEXT>; rel="next"'],
])('%s', (text, header) => expect(nextOf(text)).toBe(header))

test('by other names', () => {
  expect(nextOf('name=cursor&page[after]=OLD&limit=3', renamed)).toBe(
    '<?name=cursor&limit=3&page%5Bafter%5D=NEXT>; rel="next"',
  )
  expect(nextOf('skip+over=3&limit=3', renamed)).toBe('<?limit=3&page%5Bafter%5D=NEXT>; rel="next"')
  expect(nextOf('skip%20over=3', renamed)).toBe('<?page%5Bafter%5D=NEXT>; rel="next"')
})

test('to the next page, the previous one, both, none', () => {
  expect(headerOf('limit=1')).toBe('<?limit=1&cursor=NEXT>; rel="next", <?limit=1&cursor=PREV>; rel="prev"')
  expect(headerOf('limit=1', { previous: 'PREV' })).toBe('<?limit=1&cursor=PREV>; rel="prev"')
  expect(headerOf('limit=1', {})).toBeUndefined()
})

describe('the key in a wrong place gets into no link', () => {
  test.each(['name=apiKey%3Dsecret', 'name[in]=a,apikey=secret', 'name=x%26apiKey%3Dsecret', 'name[contains]=apiKey'])(
    '%s',
    (text) => expect(nextOf(text)).toBeUndefined(),
  )
  test.each([
    'name=api_key:secret',
    'name=X-API-KEY',
    'or=(name=%61pi%2Dkey%3Dsecret)',
    'sort=name&name=x,api+key+secret',
  ])('nor in another spelling: %s', (text) => expect(nextOf(text)).toBeUndefined())
  test('but the name of a field may begin as it does', () => {
    const hinted = defineCollection(defineSchema({ id: field.integer(), apiKeyHint: field.string() }), { key: 'id' })
    expect(nextOf('apiKeyHint=x', hinted)).toContain('apiKeyHint=x')
  })
  test('but a text that contains the letters of the name may', () =>
    expect(nextOf('name=myapiKeys')).toContain('myapiKeys'))
})

describe('a header of more than 8,000 characters', () => {
  // `<?name=…&cursor=NEXT>; rel="next"` has 32 characters beside the name's value, and so has the other; and `, ` between.
  const textOf = (length: number) => `name=${'x'.repeat(length)}`
  const [next, prev] = [/^<[^<]*>; rel="next"$/, /^<[^<]*>; rel="prev"$/]

  test('loses the link against the direction of reading first', () => {
    expect(headerOf(textOf(3_967))).toHaveLength(8_000)
    expect(headerOf(textOf(3_968))).toMatch(next)
    expect(headerOf(textOf(3_968), both, collection, 'previous')).toMatch(prev)
    expect(headerOf(textOf(3_968), { previous: 'PREV' })).toMatch(prev)
    // The page of an offset has no position.
    expect(headerOf(textOf(3_968), both, collection, 'none')).toMatch(next)
  })
  test('then the other', () => {
    expect(headerOf(textOf(7_968))).toMatch(next)
    expect(headerOf(textOf(7_968))).toHaveLength(8_000)
    expect(headerOf(textOf(7_969))).toBeUndefined()
    expect(headerOf(textOf(7_969), both, collection, 'previous')).toBeUndefined()
  })
  test('counts escaped characters', () => {
    expect(headerOf(`name=${'['.repeat(2_656)}`)).toMatch(next)
    expect(headerOf(`name=${'['.repeat(2_657)}`)).toBeUndefined()
  })
})
