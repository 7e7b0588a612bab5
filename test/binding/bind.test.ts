/** Every malformed, unknown or unreadable text, with its code and what the span covers, by hand. */
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { defineCollection, defineSchema, field, issueCodes, parseFilter, parseQuery } from '../../src/index.ts'
import type { Fields, Issue, Limits, ParseOptions } from '../../src/index.ts'
import { wordsOf } from '../../src/issue/wording.ts'
import { notApplicableAdvice } from '../../src/hints/hints.ts'
import { sourceOf } from '../../src/asked/index.ts'
import { issuesIn } from '../issues.ts'
import { applied } from '../issue/suggestions.ts'
import { orders } from '../orders.ts'
import { casesIn } from '../rows.ts'

const reserved = ['apiKey']

function issuesOf(text: string, options: ParseOptions = { reserved }, parse = parseFilter): readonly Issue[] {
  return issuesIn(parse(orders, text, options))
}
const seen = (text: string, options?: ParseOptions, parse?: typeof parseFilter) =>
  issuesOf(text, options, parse).map(({ code, span }) => [code, text.slice(span!.start, span!.end), span!.start])

const file = new URL('said.txt', import.meta.url)
/** A code and the text under its span; also the offset of the span, if the text occurs more than once. */
const table: { text: string; expected: string[][]; place?: string }[] = [
  { text: 'seller=a\0b', expected: [['syntax_character', '\0']] },
  { text: 'seller=\ud800', expected: [['syntax_character', '\ud800']] },
  { text: 'seller=\udc00\ud800', expected: [['syntax_character', '\udc00']] },
  { text: '#seller=x', expected: [['field_unknown', '#seller']] },
  { text: '&&seller=x&&&', expected: [] },
  ...casesIn(file, 'what the span covers'),
]
const placed = (text: string, expected: readonly string[][]) =>
  expected.map(([code, under, at]) => {
    if (at === undefined) expect(text.split(under!), 'the table needs an offset').toHaveLength(2)
    return [code, under, at === undefined ? text.indexOf(under!) : Number(at)]
  })
test.each(table)('$text', ({ text, expected, place }) => expect(seen(text), place).toEqual(placed(text, expected)))

describe('limits', () => {
  test('length is checked first, and reported alone', () => {
    const text = 'seller=%zz&' + 'x'.repeat(16_385 - 11)
    expect(issuesOf(text).map(({ code, span }) => [code, span])).toEqual([
      ['limit_length', { start: 16_384, end: 16_385 }],
    ])
    expect(issuesOf('a'.repeat(16_385)).map(({ code }) => code)).toEqual(['limit_length'])
    expect(issuesOf('a'.repeat(16_384)).map(({ code }) => code)).toEqual(['syntax_missing_equals'])
  })

  test('an over-long text is not read: no reserved value is known', () => {
    const result = parseFilter(orders, 'apiKey=k&' + 'x'.repeat(16_384), { reserved })
    expect(result.reserved.size).toBe(0)
  })

  test('pairs: reserved ones count, empty ones do not, and it is reported alone', () => {
    const pairs = (count: number) => Array.from({ length: count }, (_, at) => `x${at}=%zz`).join('&&')
    const text = 'apiKey=k&' + pairs(100) + '&apiKey=l'
    const result = parseFilter(orders, text, { reserved })
    expect(seen(text)).toEqual([['limit_pairs', 'x99=%zz&apiKey=l', text.indexOf('x99=')]])
    expect(result.reserved.get('apiKey')).toEqual(['k', 'l'])
    expect(issuesOf('?&&' + pairs(100)).at(-1)!.code).toBe('limit_issues')
    expect(seen('?&&' + pairs(101))[0]![0]).toBe('limit_pairs')
    expect(seen('&&' + pairs(101))[0]![0]).toBe('limit_pairs')
    // The shortest of two pairs: neither has an equals sign.
    expect(seen('a&b', { limits: { pairs: 1 } })).toEqual([['limit_pairs', 'b', 2]])
  })

  test('list', () => {
    const items = (count: number) => Array.from({ length: count }, (_, at) => at).join(',')
    expect(seen(`guests[in]=${items(500)}`)).toEqual([])
    expect(seen(`guests[in]=${items(502)}`)).toEqual([['limit_list', '500,501', `guests[in]=${items(500)},`.length]])
    // A list beyond the limit is not read: the faults of its items would hide the limit.
    expect(seen('guests[nin]=1,x,y', { limits: { list: 2 } })).toEqual([['limit_list', 'y', 16]])
    for (const item of ['', 'x', '"a"b', 'a'.repeat(20)]) {
      const text = `guests[in]=${`${item},`.repeat(700)}${item}`
      const start = 'guests[in]='.length + 500 * (item.length + 1)
      expect(seen(text)).toEqual([['limit_list', text.slice(start), start]])
    }
    const commas = `gift=x&seller[nin]=${','.repeat(15_000)}&total=y`
    expect(issuesOf(commas).map(({ code, message }) => [code, message])).toEqual([
      ['operand_invalid', expect.any(String)],
      ['limit_list', 'list too long: 15001 items, limit 500'],
      ['operand_invalid', expect.any(String)],
    ])
    expect(seen(`total[range]=${','.repeat(600)}`)).toEqual([
      ['operand_count', ','.repeat(600), 13],
      ['limit_list', ','.repeat(100), 513],
    ])
    // One span, so the order of the codes decides.
    expect(seen('total[range]=1,2,3', { limits: { list: 0 } })).toEqual([
      ['operand_count', '1,2,3', 13],
      ['limit_list', '1,2,3', 13],
    ])
  })

  describe('searches', () => {
    const text =
      'customerName[contains]=a&customerName[doesNotContain]=a&customerName[endsWith]=a&seller[contains]=a&' +
      'seller[doesNotContain]=a&seller[endsWith]=a&customer.name[contains]=a&customer.name[doesNotContain]=a&' +
      'customer.name[endsWith]=a&customer.email[contains]=a'
    test('ten are read, and one more is an issue', () => {
      expect(seen(text)).toEqual([])
      const more = 'customer.email[endsWith]=a'
      expect(seen(`${text}&${more}`)).toEqual([['limit_searches', more, text.length + 1]])
      // The first one too many is pointed at, and not those after it.
      expect(seen(`${text}&${more}&tags[contains]=a`)).toEqual([['limit_searches', more, text.length + 1]])
    })
    test('a prefix counts in lists alone, and so does a number of entries', () => {
      const prefixes = 'seller[startsWith]=a&customerName[startsWith]=a&customer.name[startsWith]=a'
      expect(seen(prefixes, { limits: { searches: 0 } })).toEqual([])
      for (const pair of ['tags[startsWith]=a', 'items.product[startsWith]=a', 'tags[atLeast]=1', 'items[atMost]=1']) {
        expect(seen(pair, { limits: { searches: 0 } })).toEqual([['limit_searches', pair, 0]])
      }
    })
    test.each([
      ...['seller=a', 'seller[notEqual]=a', 'seller[gt]=a', 'seller[range]=a,b', 'seller[in]=a,b', 'seller[nin]=a'],
      ...[
        'tags=a',
        'tags[nin]=a',
        'tags[all]=a,b',
        'items.arrival[gte]=2024-01-01',
        'items.product[range]=a,b',
        'tags[exists]=true',
      ],
    ])('%s is not a search', (pair) => expect(seen(pair, { limits: { searches: 0 } })).toEqual([]))
    test('all issues are reported together', () => {
      const limits = { searches: 1, operand: 3 }
      // A faulty condition counts, too: corrected, it is still a search.
      const faulty =
        'seller[contains]=a&totl=1&tags[contains]=abcd&seller[contains]=b&nope[contains]=a&total[contains]=1'
      expect(seen(faulty, { limits })).toEqual([
        ['field_unknown', 'totl', 19],
        ['limit_searches', 'tags[contains]=abcd', 26],
        ['limit_operand', 'abcd', 41],
        ['duplicate_condition', 'seller[contains]', 46],
        ['field_unknown', 'nope', 65],
        ['operator_not_applicable', 'contains', 88],
      ])
      expect(seen(faulty, { limits: { ...limits, issues: 2 } })).toEqual([
        ['field_unknown', 'totl', 19],
        ['limit_issues', 'tags[contains]=abcd', 26],
      ])
    })
    test('Infinity lifts the limit', () => {
      expect(seen(`${text}&tags[contains]=a`, { limits: { searches: Infinity } })).toEqual([])
    })
  })

  test('depth', () => {
    expect(seen('customer.name=x', { limits: { depth: 1 } })).toEqual([['limit_depth', 'customer.name', 0]])
    expect(seen('customer.name=x', { limits: { depth: 2 } })).toEqual([])
    expect(seen('customer.name[x]=x', { limits: { depth: 2 } })).toEqual([['operator_unknown', 'x', 14]])
  })

  test('operand: decoded length counts, in items too', () => {
    expect(seen('seller=' + '%C3%A9'.repeat(1_024))).toEqual([])
    const long = '%C3%A9'.repeat(1_025)
    expect(seen('seller=' + long)).toEqual([['limit_operand', long, 7]])
    expect(seen(`seller[in]=a,"${'b,'.repeat(513)}"`)).toEqual([['limit_operand', `"${'b,'.repeat(513)}"`, 13]])
  })

  test('issues: the first nineteen, and where the rest begins', () => {
    const text = Array.from({ length: 30 }, (_, at) => `nope${at}=1`).join('&')
    const issues = issuesOf(text)
    expect(issues).toHaveLength(20)
    expect(issues.slice(0, 19).every(({ code }) => code === 'field_unknown')).toBe(true)
    expect(seen(text)[19]).toEqual(['limit_issues', 'nope19', text.indexOf('nope19')])
    expect(issuesOf(text.split('&').slice(0, 20).join('&')).at(-1)!.code).toBe('field_unknown')
    expect(seen(text, { limits: { issues: 1 } })).toEqual([['limit_issues', 'nope0', 0]])
  })

  test('Infinity lifts a limit', () => {
    const limits = { length: Infinity, pairs: Infinity, list: Infinity, operand: Infinity }
    expect(seen('guests[in]=' + Array.from({ length: 10_000 }, (_, at) => at).join(','), { limits })).toEqual([])
  })
})

/** The code, message and hint of an issue, and its field and operator. */
type Said = readonly [code: string, message: string, ...rest: (string | undefined)[]]

/** Without the span, which the first table has. Compared strictly: an absent property is not a key. All are the client's fault. */
const said = (text: string, options?: ParseOptions, parse?: typeof parseFilter) =>
  issuesOf(text, options, parse).map(({ span: _, parameters: _parameters, suggestion: _suggestion, ...rest }) => rest)
const issue = ([code, message, hint, path, operator]: readonly (string | undefined)[]): unknown =>
  JSON.parse(JSON.stringify({ code, fault: 'client', message, hint: hint === '-' ? undefined : hint, path, operator }))

describe('the words of issues', () => {
  // A file in UTF-8 has no half of a surrogate pair.
  const half = [
    'syntax_character',
    'lone surrogate: half of a surrogate pair is not a character',
    'do not cut a string inside a surrogate pair',
  ]
  const sayings = [{ text: 'seller=\ud800', expected: [half], place: 'this file' }, ...casesIn(file, 'what is said')]
  test.each(sayings)('$text', ({ text, expected, place }) => {
    expect(said(text), place).toStrictEqual(expected.map(issue))
  })
  let copy: typeof import('../../src/index.ts')
  beforeAll(async () => {
    vi.resetModules()
    copy = await import('../../src/index.ts')
  })
  test('a second copy of the library, such as that of the other format, gives the same issues', () => {
    for (const { text, expected } of table)
      expect(seen(text, { reserved }, copy.parseFilter), text).toEqual(placed(text, expected))
    for (const { text, expected } of sayings)
      expect(said(text, { reserved }, copy.parseFilter), text).toStrictEqual(expected.map(issue))
  })

  test.each<[limit: keyof Limits, value: number, text: string, expected: Said]>([
    ['length', 8, 'seller=ab', ['limit_length', 'query too long: 9 characters, limit 8']],
    ['pairs', 1, 'seller=a&total=1', ['limit_pairs', 'too many pairs: limit 1']],
    ['depth', 1, 'customer.name=x', ['limit_depth', 'path too deep: 2 names, limit 1']],
    ['list', 2, 'guests[in]=1,2,3', ['limit_list', 'list too long: 3 items, limit 2', undefined, 'guests', 'in']],
    [
      'searches',
      1,
      'tags[contains]=a&tags[startsWith]=a&seller[endsWith]=a',
      [
        'limit_searches',
        'too many searches: 3, limit 1',
        'remove 2 of the conditions with endsWith, contains, or startsWith in a list; outside lists, startsWith does not count',
        'tags',
        'startsWith',
      ],
    ],
    [
      'operand',
      2,
      'seller=abc',
      ['limit_operand', 'value too long: 3 characters, limit 2', undefined, 'seller', 'equals'],
    ],
    ['issues', 1, 'a=1&b=2&c=3', ['limit_issues', 'too many issues: 3, limit 1']],
  ])('of the limit %s', (limit, value, text, expected) => {
    expect(said(text, { limits: { [limit]: value } })).toStrictEqual([issue(expected)])
  })

  test('of searches in another order', () => {
    const hints = ['seller[contains]=a&seller[endsWith]=a', 'seller[endsWith]=a&seller[contains]=a'].map((text) =>
      said(text, { limits: { searches: 1 } }).map(({ hint }) => hint),
    )
    const hint = 'remove 1 of the conditions with endsWith, contains'
    expect(hints).toEqual([[hint], [hint]])
  })

  test.each<[what: string, name: string, fields: Fields, near: string]>([
    [
      'the first that is as deep',
      'a.bc',
      { a_bc: field.date(), a: field.object({ bd: field.date(), be: field.date() }) },
      'a.bd',
    ],
    ['though others come first', 'abc', { a: field.object({ bc: field.date() }), abd: field.date() }, 'abd'],
    ['else the first', 'a.bc', { a_bc: field.date(), 'a-bc': field.date() }, 'a_bc'],
  ])('of names that are equally near, %s', (_, name, fields, near) => {
    const result = parseFilter(defineSchema(fields), `${name}=x`)
    expect(result.ok || result.issues[0].hint).toBe(`did you mean ${near}?`)
  })

  test('values that would not be seen as one entry are quoted, and many are cut', () => {
    const messageFor = (values: readonly string[]) => {
      const result = parseFilter(defineSchema({ kind: field.enumeration(values) }), 'kind=zzzzzz')
      return result.ok || result.issues[0].message
    }
    expect(messageFor(['a,b', 'c d', '', 'e', 'f\u202e'])).toBe(
      'invalid value for kind: expected one of "a,b", "c d", "", e, f\\u{202e}',
    )
    const many = (count: number) => messageFor(Array.from({ length: count }, (_, at) => `k${at}`))
    expect(many(20)).toMatch(/: expected one of k0, .* k19$/)
    expect(many(21)).toMatch(/: expected one of k0, .* k19, …$/)
  })
})

describe('operands of exact types', () => {
  const schema = defineSchema({
    ref: field.uuid(),
    serial: field.bigint(),
    money: field.decimal(),
    at: field.datetime(),
    refs: field.list(field.uuid()),
  })
  const read = (text: string) => parseFilter(schema, text)
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const second = '2024-01-31T12:00:00'

  test.each([
    // Any version, the nil and the max uuid, and what RFC 9562 has no version for; in any case.
    ['ref', id, id],
    ['ref', id.toUpperCase(), id],
    ['ref', '00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
    ['ref', 'FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
    ['serial', '0', '0'],
    ['serial', '-0', '0'],
    ['serial', '-7', '-7'],
    ['serial', '9007199254740993', '9007199254740993'],
    ['serial', '9223372036854775807', '9223372036854775807'],
    ['serial', '-9223372036854775808', '-9223372036854775808'],
    ['money', '1.10', '1.1'],
    ['money', '1.00', '1'],
    ['money', '100', '100'],
    ['money', '-0', '0'],
    ['money', '-0.0', '0'],
    ['money', '-0.50', '-0.5'],
    ['money', '9007199254740993.01', '9007199254740993.01'],
    ['money', '1234567890123456789012345678901234', '1234567890123456789012345678901234'],
    ['money', '-0.1234567890123456789012345678901234', '-0.1234567890123456789012345678901234'],
    // Zeros before the first digit, and at the end of the fraction, are none of the 34.
    ['money', `0.${'0'.repeat(20)}${'1'.repeat(34)}000`, `0.${'0'.repeat(20)}${'1'.repeat(34)}`],
    ['at', `${second}Z`, `${second}.000Z`],
    ['at', `${second}.1Z`, `${second}.100Z`],
    ['at', `${second}.1234Z`, `${second}.123400Z`],
    ['at', `${second}.12345Z`, `${second}.123450Z`],
    ['at', `${second}.123456Z`, `${second}.123456Z`],
    ['at', `${second}.000001Z`, `${second}.000001Z`],
    ['at', `${second}.123000Z`, `${second}.123Z`],
    ['at', `${second}.123456%2B02:00`, '2024-01-31T10:00:00.123456Z'],
    ['at', `${second}.123456-02:00`, '2024-01-31T14:00:00.123456Z'],
    ['at', '9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('%s=%s is %s', (path, text, value) => {
    const { type } = schema.paths.get(path)!
    expect(read(`${path}=${text}`)).toMatchObject({ ok: true, filter: { operator: 'eq', operand: { type, value } } })
    expect(read(`${path}[nin]=${text}`)).toMatchObject({ filter: { filter: { operands: [{ type, value }] } } })
    expect(read(`${path}[range]=${text},${text}`)).toMatchObject({
      filter: { filters: [{ operator: 'gte' }, { operator: 'lte', operand: { type, value } }] },
    })
  })

  const form = 'write a uuid with dashes, 8-4-4-4-12, and nothing around it'
  const plus = '"+" means a space in a query string: write a plus sign as %2B'
  const expected: Readonly<Record<string, string>> = {
    ref: 'a uuid, 8-4-4-4-12 hexadecimal digits',
    serial: 'a whole number, such as 12',
    money: 'a decimal number, such as 12.5',
    at: 'a date or a datetime, such as 2024-06-01, 2024-06-01T10:00:00Z or now-90m',
  }
  const bare = id.replaceAll('-', '')
  const spaces = 'leave out the spaces around the value: "+" is a space, too'
  const zeros = 'leave out the zeros before the number'
  const exponent = 'write all digits, without an exponent'
  const noPlus = 'leave out the plus sign'
  const separators = 'write a whole number without separators, such as 1000'
  const largest = 'the largest whole number is 2^63 − 1, and the smallest is −2^63'
  const point = 'write a digit before and after the point'
  const digits = 'write at most 34 digits'
  const micros = 'write at most six digits after the seconds'
  const zone = 'add Z for UTC or an offset such as -05:00'
  const forms: Readonly<Record<string, string>> = {
    ...{ [spaces]: 'spaces', [zeros]: 'no_zeros', [exponent]: 'no_exponent', [noPlus]: 'no_plus' },
    ...{ [separators]: 'whole_number', [largest]: 'largest_bigint', [point]: 'digit_beside_point' },
    ...{ [digits]: 'most_digits', [micros]: 'microseconds', [zone]: 'zone' },
  }
  const adviceOf = (hint: string): object =>
    hint === form
      ? { kind: 'uuid_form' }
      : hint === plus
        ? { kind: 'escape_plus' }
        : { kind: 'form', form: forms[hint] }
  const refusals: readonly (readonly [path: string, text: string, hint?: string, edited?: string])[] = [
    ['ref', `{${id}}`, form],
    ['ref', `%7B${id}%7D`, form],
    ['ref', bare, form],
    ['ref', bare.toUpperCase(), form],
    ['ref', `{${bare}}`, form],
    ['ref', '0189-0a5dac96774b-bcceb302099a8057', form],
    ['ref', `urn:uuid:${id}`, form, id],
    ['ref', `urn:uuid:${bare}`, form],
    ['ref', 'x'],
    ['ref', id.slice(0, -1)],
    ['ref', `${id}0`],
    ['ref', `${id.slice(0, -1)}g`],
    ['ref', `+${id}`, spaces, id],
    ['ref', `${id}%0A`, spaces],
    ['ref', `{${id}`],
    ['ref', `(${id})`],
    ['serial', '00', zeros],
    ['serial', '-00', zeros],
    ['serial', '007', zeros],
    ['serial', '1.0'],
    ['serial', '1e3', exponent],
    ['serial', '1n'],
    ['serial', '0x10'],
    ['serial', '%2B1', noPlus],
    ['serial', '+1', spaces, '1'],
    ['serial', '1_000', separators],
    ['serial', '１'],
    ['serial', '9223372036854775808', largest],
    ['serial', '-9223372036854775809', largest],
    ['serial', '9'.repeat(1_000)],
    ['money', '1e3', exponent],
    ['money', '1E3', exponent],
    ['money', '1e+3'],
    ['money', '.5', point],
    ['money', '1.', point],
    ['money', '01', zeros],
    ['money', '-.5', point],
    ['money', '%2B1', noPlus],
    ['money', '$5'],
    ['money', 'NaN'],
    ['money', 'Infinity'],
    ['money', '1'.repeat(35), digits],
    ['money', `0.${'1'.repeat(35)}`, digits],
    ['money', `1${'0'.repeat(34)}`, digits],
    ['at', `${second}.1234567Z`, micros],
    ['at', `${second}.0000000Z`, micros],
    ['at', `${second}.1234567%2B02:00`, micros],
    ['at', `${second}.123456`, zone],
    ['at', `${second}.123456+02:00`, plus, `${second}.123456%2B02:00`],
    ['at', `${second}.123456-00:00`, zone],
    ['at', '0001-01-01T00:00:00.000001%2B00:01'],
  ]
  test.each(refusals)('%s=%s is refused', (path, text, hint, edited) => {
    const query = `${path}=${text}`
    const result = read(query)
    const { hint: given, suggestion, ...issue } = result.ok ? ({} as Issue) : result.issues[0]
    expect(issue).toEqual({
      code: 'operand_invalid',
      fault: 'client',
      message: `invalid value for ${path}: expected ${expected[path!]}`,
      span: { start: path!.length + 1, end: query.length },
      path,
      operator: 'equals',
      parameters: {
        subject: path,
        expected: { kind: 'type', type: schema.paths.get(path!)!.type, description: expected[path!] },
        advice: hint === undefined ? [] : [adviceOf(hint)],
      },
    })
    expect(given).toBe(hint)
    if (edited === undefined) expect(suggestion).toBeUndefined()
    else {
      expect(applied(query, suggestion!)).toBe(`${path}=${edited}`)
      expect(read(`${path}=${edited}`).ok).toBe(true)
    }
  })
  test('groups read them too, and list entries', () => {
    const text = `or=(ref=${id.toUpperCase()},serial[in]=(-0,9007199254740993),money[range]=("1.10",2),not(refs=${id}))`
    const literal = (type: string, value: string) => ({ type, value })
    expect(parseFilter(schema, text, { groups: true })).toMatchObject({
      ok: true,
      filter: {
        kind: 'or',
        filters: [
          { operand: literal('uuid', id) },
          { operands: [literal('bigint', '0'), literal('bigint', '9007199254740993')] },
          { filters: [{ operand: literal('decimal', '1.1') }, { operand: literal('decimal', '2') }] },
          { filter: { kind: 'some', filter: { path: [], operand: literal('uuid', id) } } },
        ],
      },
    })
  })
  test('an item of a list has the same hint', () => {
    expect(issuesIn(read(`ref[in]=${id},{${id}},${bare}`)).map((one) => one.hint)).toEqual([form, form])
  })
  test.each([
    ['ref=null', 'for rows without a value, write ref[exists]=false'],
    ['serial=', 'leave it out if it has no value; for rows without a value, write serial[exists]=false'],
    [`ref=${id},${id}`, 'write ref[in]=…,…'],
    ['serial=1..2', 'write serial[range]=…,…'],
    ['money=1.50..2.50', 'write money[range]=…,…'],
    ['money=gte:5', 'write money[gte]=…'],
    ['ref[contains]=0189', 'available operators for ref: equals, notEqual, gt, gte, lt, lte, range, in, nin, exists'],
    [
      'serial[startsWith]=1',
      'available operators for serial: equals, notEqual, gt, gte, lt, lte, range, in, nin, exists',
    ],
    ['refs[0]=x', 'list positions are not supported: write refs=…; it matches any entry of the list'],
  ])('%s has a hint', (text, hint) => {
    expect(issuesIn(read(text)).map((one) => one.hint)).toEqual([hint])
  })
})

describe('hints', () => {
  const names = Array.from({ length: 1_000 }, (_, at) => `customerContactName${at}`)
  const many = defineSchema({
    ...Object.fromEntries(names.map((name) => [name, field.string()])),
    kind: field.enumeration(names),
    object: field.object(Object.fromEntries(names.map((name) => [name, field.string()]))),
  })
  test('are made only for reported issues, within a budget', () => {
    const wrong = Array.from({ length: 100 }, (_, at) => `customerContcatNaem${at}`)
    const texts = [
      wrong.map((name) => `${name}=1`).join('&'),
      wrong.map((name) => `object.${name}[like]=1`).join('&'),
      `kind[in]=${wrong.join(',')}`,
      `kind[nin]=${wrong.join(',')}&${wrong.slice(1).join('=1&')}=1`,
    ]
    for (const text of texts) {
      const comparisons = vi.spyOn(String.prototype, 'charCodeAt')
      const result = parseFilter(many, text)
      const count = comparisons.mock.calls.length
      comparisons.mockRestore()
      expect(result.ok || result.issues).toHaveLength(20)
      // Without a bound it would be some 30 million.
      expect(count).toBeLessThan(120_000)
    }
  })
  test('list as many fields of an object as the budget allows, and twenty at most', () => {
    const sized = (size: number) =>
      defineSchema({
        a: field.string(),
        o: field.object(Object.fromEntries(Array.from({ length: size }, (_, at) => [`f${at}`, field.date()]))),
      })
    const hint = (size: number, budget: { left: number }) => {
      const schema = sized(size)
      const rest = { collection: undefined, source: sourceOf(''), words: new Map(), isInGroup: false, reserved: [] }
      const advice = notApplicableAdvice({ schema, budget, ...rest }, schema.paths.get('o')!)
      return wordsOf('operator_not_applicable', { field: 'o', operator: 'equals', advice })[1]
    }
    const fields = (count: number) => Array.from({ length: count }, (_, at) => `o.f${at}`).join(', ')
    const operators = 'available operators for o: exists'
    // Each path takes one: `a`, `o`, and the fields.
    expect(hint(2, { left: 4 })).toBe(`${operators}; fields of o: o.f0, o.f1`)
    expect(hint(2, { left: 3 })).toBe(`${operators}; fields of o: o.f0`)
    expect(hint(2, { left: 2 })).toBe(operators)
    expect(hint(20, { left: 100 })).toBe(`${operators}; fields of o: ${fields(20)}`)
    const budget = { left: 100 }
    expect(hint(50, budget)).toBe(`${operators}; fields of o: ${fields(20)}, …`)
    // The field after those that are shown is seen, and one more.
    expect(budget.left).toBe(100 - 2 - 21 - 1)
  })
  test('mention paging parameters as well as a field with a similar name', () => {
    const result = parseFilter(defineSchema({ pages: field.integer() }), 'page=1')
    expect(result.ok || result.issues[0].hint).toMatch(/^did you mean pages\? paging and sorting parameters/)
  })
  test('explain that a collection lets nobody filter by a field', () => {
    const schema = defineSchema({ id: field.integer(), secret: field.string() })
    const collection = defineCollection(schema, { key: 'id', operators: { secret: [] } })
    const result = parseQuery(collection, 'secret=x')
    expect(result.ok || result.issues).toMatchObject([
      {
        code: 'operator_not_applicable',
        message: 'operator equals is not available for secret',
        hint: 'secret cannot be filtered',
      },
    ])
  })
  test('cost nothing where a fault is not reported', () => {
    const names = vi.spyOn(String.prototype, 'toLowerCase')
    const result = parseFilter(many, 'a=1&b=2&zzzzzzzzzz=3', { limits: { issues: 1 } })
    const { calls } = names.mock
    names.mockRestore()
    expect(result.ok || result.issues.map(({ code }) => code)).toEqual(['limit_issues'])
    expect(calls).toEqual([])
  })
})

describe('no issue contains an operand or a reserved value', () => {
  const told = (text: string) =>
    JSON.stringify(issuesOf(text).map(({ span: _, parameters: _parameters, suggestion: _suggestion, ...rest }) => rest))
  test.each([
    'total=s3cret',
    'status=s3cret',
    'gift[exists]=s3cret',
    'status[in]="s3cret',
    'total[range]=s3cret',
    'arrival=s3cret&arrival=s3cret',
    'seller=s3cret%zz',
    'apiKey=s3cret%zz',
    'apiKey%3Ds3cret=1',
    'apiKey[s3cret]=1',
    'apiKey[a][s3cret]=1',
    'apikey.s3cret[]=1',
    'APIKEYs3cret=1',
    'seller%3Dx%26apiKey%3Ds3cret=1',
    'nope.apikey.s3cret=1',
    'seller[apiKeys3cret]=1',
    'seller[a][apiKeys3cret]=1',
    'xapiKey[s3cret]=1',
    'xapiKeyx,apiKeys3cret=1',
    'nope=s3cret',
  ])('%s', (text) => {
    expect(issuesOf(text)).not.toEqual([])
    expect(told(text)).not.toContain('s3cret')
  })

  test('a name that only has a reserved one in it is quoted', () => {
    const message = (text: string, reserved: string[]) => issuesOf(text, { reserved })[0]!.message
    expect(message('resort=1', ['sort'])).toBe('unknown field "resort"')
    expect(message('frequency=1', ['q'])).toBe('unknown field "frequency"')
    expect(message('customerName[zz]=1', ['me'])).toBe('unknown operator "zz"')
    expect(message('sorted=1', ['sort'])).toBe('unknown field')
  })

  test('an unknown name is quoted, escaped and cut', () => {
    expect(issuesOf('a%0Ab%E2%80%AEc=1')[0]!.message).toBe('unknown field "a\\u{a}b\\u{202e}c"')
    expect(issuesOf('a'.repeat(64) + '=1')[0]!.message).toBe(`unknown field "${'a'.repeat(64)}"`)
    expect(issuesOf('a'.repeat(65) + '=1')[0]!.message).toBe(`unknown field "${'a'.repeat(64)}…"`)
  })
})

test('every code that reading text can give has a case here', () => {
  const covered = new Set(table.flatMap(({ expected }) => expected.map(([code]) => code!)))
  for (const code of ['limit_length', 'limit_pairs', 'limit_list', 'limit_searches', 'limit_operand', 'limit_issues'])
    covered.add(code)
  // Those of groups are in groups.test.ts, those of parameters in parse-query.test.ts. Those of backends and of printing do not come from text;
  // backend.test.ts and print.test.ts have them.
  const parameters = [
    'limit_facets',
    'parameter_duplicate',
    'parameter_invalid',
    'field_not_sortable',
    'field_not_selectable',
    'field_not_counted',
  ]
  const backends = ['backend_unsupported', 'backend_unmapped', 'backend_refused']
  const others = ['syntax_group', ...parameters, ...backends, 'print_unsayable']
  expect([...issueCodes].filter((code) => !covered.has(code))).toEqual(others)
})
