/** Every malformed, unknown or unreadable text, with its code and what the span covers, by hand. */
import { describe, expect, test } from 'vitest'
import { defineSchema, field, issueCodes, parseFilter, type Issue, type ParseOptions } from '../src/index.ts'
import { orders } from './orders.ts'

const reserved = ['apiKey']

/** A code, and the text under its span: `[` marks an empty one by what follows it. */
type Expected = readonly [code: string, under: string, at?: number]

function issuesOf(text: string, options: ParseOptions = { reserved }): readonly Issue[] {
  const result = parseFilter(orders, text, options)
  return result.ok ? [] : result.issues
}
const seen = (text: string, options?: ParseOptions) =>
  issuesOf(text, options).map(({ code, span }) => [code, text.slice(span!.start, span!.end), span!.start])

/** The cases of one text: code, text under the span, and, where that text occurs more than once, its offset. */
const table: readonly (readonly [text: string, ...Expected[]])[] = [
  // Encoding and characters.
  ['seller=%E0%A4%A', ['syntax_encoding', '%E0%A4']],
  ['seller=%', ['syntax_encoding', '%']],
  ['seller=%A', ['syntax_encoding', '%A']],
  ['seller=100%+sure', ['syntax_encoding', '%']],
  ['seller=%G1', ['syntax_encoding', '%']],
  ['seller=%ff', ['syntax_encoding', '%ff']],
  ['seller=%C0%AF', ['syntax_encoding', '%C0%AF']], // overlong
  ['seller=%C1%BF', ['syntax_encoding', '%C1%BF']],
  ['seller=%E0%9F%BF', ['syntax_encoding', '%E0%9F%BF']],
  ['seller=%F0%8F%BF%BF', ['syntax_encoding', '%F0%8F%BF%BF']],
  ['seller=%F5%80%80%80', ['syntax_encoding', '%F5%80%80%80']],
  ['seller=%ED%A0%80', ['syntax_encoding', '%ED%A0%80']], // an encoded surrogate
  ['seller=%F4%90%80%80', ['syntax_encoding', '%F4%90%80%80']], // beyond U+10FFFF
  ['seller=%41%C3%A9%C3%41', ['syntax_encoding', '%C3%A9%C3']],
  ['s%ffller=x', ['syntax_encoding', '%ff']],
  ['a%FF%5Bgte%5D=1', ['syntax_encoding', '%FF']], // the bracket is a token of its own
  ['seller=%00', ['syntax_character', '%00']],
  ['seller=a\0b', ['syntax_character', '\0']],
  ['sel%00ler=x', ['syntax_character', '%00']],
  ['seller=\ud800', ['syntax_character', '\ud800']],
  ['seller=\udc00\ud800', ['syntax_character', '\udc00']],
  ['status[in]="a%00b",%zz', ['syntax_character', '%00']],

  // Names, brackets, equals.
  ['=x', ['syntax_name', '', 0]],
  ['.a=x', ['syntax_name', '', 0]],
  ['a..b=1', ['syntax_name', '', 2]],
  ['a.=1', ['syntax_name', '', 2]],
  ['a%2E%2Eb=1', ['syntax_name', '', 4]],
  ['[gte]=1', ['syntax_name', '', 0]],
  ['a.[gte]=1', ['syntax_name', '', 2]],
  ['=', ['syntax_name', '', 0]],
  ['.=', ['syntax_name', '', 0]],
  ['.', ['syntax_name', '', 0]], // before the pair without "=", which is longer
  ['arrival[gte=1', ['syntax_bracket', '[']],
  ['arrival[=1', ['syntax_bracket', '[']],
  ['arrival%5bgte=1', ['syntax_bracket', '%5b']],
  ['arrival[gte[lte]=1', ['syntax_bracket', '[', 7]],
  ['arrival]=1', ['syntax_bracket', ']']],
  ['arrival]gte[=1', ['syntax_bracket', ']']],
  ['arrival[]=1', ['syntax_bracket', '[']],
  ['seller[equals][$ne]=x', ['syntax_bracket', '[', 14]],
  ['a[b][c]=1', ['syntax_bracket', '[', 4]],
  ['arrival[gte]]=1', ['syntax_bracket', ']', 12]],
  ['arrival[gte]x=1', ['syntax_bracket', 'x']],
  ['items[0].arrival=1', ['syntax_bracket', '.arrival']],
  ['arrival[gte].x[lte]=1', ['syntax_bracket', '.x']],
  ['seller', ['syntax_missing_equals', 'seller']],
  ['seller[gte', ['syntax_missing_equals', 'seller[gte']], // begins before its bracket
  ['a.b&seller=x', ['syntax_missing_equals', 'a.b']],
  ['%ff', ['syntax_encoding', '%ff']], // one span, so the order of the codes decides
  ['a%ff', ['syntax_missing_equals', 'a%ff']],

  // Fields and operators.
  ['arival=2024-01-01', ['field_unknown', 'arival']],
  ['items.arival[gte]=x', ['field_unknown', 'items.arival']],
  ['Seller=x', ['field_unknown', 'Seller']],
  ['seller.x=1', ['field_unknown', 'seller.x']],
  ['tags.0=sea', ['field_unknown', 'tags.0']],
  ['tags.length=1', ['field_unknown', 'tags.length']],
  ['toString=1', ['field_unknown', 'toString']],
  ['constructor.name=Object', ['field_unknown', 'constructor.name']],
  ['hasOwnProperty[exists]=true', ['field_unknown', 'hasOwnProperty']],
  ['__proto__[x]=1', ['field_unknown', '__proto__'], ['operator_unknown', 'x']],
  ['a%255Bgte%255D=1', ['field_unknown', 'a%255Bgte%255D']],
  ['a%26b=1', ['field_unknown', 'a%26b']], // an encoded "&" ends no pair
  ['seller%3Dx', ['syntax_missing_equals', 'seller%3Dx']], // nor an encoded "=" a key
  ['a;b=1', ['field_unknown', 'a;b']],
  ['#seller=x', ['field_unknown', '#seller']],
  ['a.b.c.d.e.f.g.h.i=1', ['limit_depth', 'a.b.c.d.e.f.g.h.i']],
  ['a.b.c.d.e.f.g.h=1', ['field_unknown', 'a.b.c.d.e.f.g.h']],
  ['a.b.c.d.e.f.g.h.i[x]=1', ['limit_depth', 'a.b.c.d.e.f.g.h.i'], ['operator_unknown', 'x']],
  ['arrival[foo]=1', ['operator_unknown', 'foo']],
  ['arrival[GTE]=2024-01-01', ['operator_unknown', 'GTE']],
  ['arrival[ gte ]=2024-01-01', ['operator_unknown', ' gte ']],
  ['arrival[$gte]=2024-01-01', ['operator_unknown', '$gte']],
  ['arrival[g.te]=2024-01-01', ['operator_unknown', 'g.te']],
  ['arrival[toString]=1', ['operator_unknown', 'toString']],
  ['nope[nope]=1', ['field_unknown', 'nope', 0], ['operator_unknown', 'nope', 5]],
  ['total[contains]=1', ['operator_not_applicable', 'contains']],
  ['status[gt]=paid', ['operator_not_applicable', 'gt']],
  ['gift[in]=true', ['operator_not_applicable', 'in']],
  ['gift[lt]=true', ['operator_not_applicable', 'lt']],
  ['items=x', ['operator_not_applicable', 'items']],
  ['customer[equals]=x', ['operator_not_applicable', 'equals']],
  ['items.price[startsWith]=', ['operator_not_applicable', 'startsWith']],

  // Operands.
  ['arrival=2024-02-30', ['operand_invalid', '2024-02-30']],
  ['arrival=2023-02-29', ['operand_invalid', '2023-02-29']],
  ['arrival=1900-02-29', ['operand_invalid', '1900-02-29']],
  ['arrival=2024-13-01', ['operand_invalid', '2024-13-01']],
  ['arrival=2024-00-10', ['operand_invalid', '2024-00-10']],
  ['arrival=2024-01-00', ['operand_invalid', '2024-01-00']],
  ['arrival=0000-01-01', ['operand_invalid', '0000-01-01']],
  ['arrival=2024-1-1', ['operand_invalid', '2024-1-1']],
  ['arrival=20240101', ['operand_invalid', '20240101']],
  ['arrival=+2024-01-01', ['operand_invalid', '+2024-01-01']],
  ['arrival=%2B002024-01-01', ['operand_invalid', '%2B002024-01-01']],
  ['arrival=2024-01-01T00:00:00Z', ['operand_invalid', '2024-01-01T00:00:00Z']],
  ['arrival=２０２４-01-01', ['operand_invalid', '２０２４-01-01']],
  ['arrival=', ['operand_invalid', '', 8]],
  ['paidAt=2024-01-01T00:00:00', ['operand_invalid', '2024-01-01T00:00:00']],
  ['paidAt=2024-01-01+00:00:00Z', ['operand_invalid', '2024-01-01+00:00:00Z']],
  ['paidAt=2024-01-01T24:00:00Z', ['operand_invalid', '2024-01-01T24:00:00Z']],
  ['paidAt=2024-01-01T23:59:60Z', ['operand_invalid', '2024-01-01T23:59:60Z']],
  ['paidAt=2024-01-01T00:00:00.1234Z', ['operand_invalid', '2024-01-01T00:00:00.1234Z']],
  ['paidAt=2024-01-01T00:00:00.Z', ['operand_invalid', '2024-01-01T00:00:00.Z']],
  ['paidAt=2024-01-01T00:00:00-00:00', ['operand_invalid', '2024-01-01T00:00:00-00:00']],
  ['paidAt=2024-01-01T00:00:00%2B24:00', ['operand_invalid', '2024-01-01T00:00:00%2B24:00']],
  ['paidAt=2024-01-01T00:00:00+02:00', ['operand_invalid', '2024-01-01T00:00:00+02:00']],
  ['paidAt=0001-01-01T00:00:00%2B00:01', ['operand_invalid', '0001-01-01T00:00:00%2B00:01']],
  ['paidAt=9999-12-31T23:59:59-00:01', ['operand_invalid', '9999-12-31T23:59:59-00:01']],
  ['guests=1.0', ['operand_invalid', '1.0']],
  ['guests=01', ['operand_invalid', '01']],
  ['guests=%2B1', ['operand_invalid', '%2B1']],
  ['guests=1e3', ['operand_invalid', '1e3']],
  ['guests=0x10', ['operand_invalid', '0x10']],
  ['guests=9007199254740992', ['operand_invalid', '9007199254740992']],
  ['guests=-9007199254740992', ['operand_invalid', '-9007199254740992']],
  ['guests=+1', ['operand_invalid', '+1']],
  ['guests=１', ['operand_invalid', '１']],
  ['total=01', ['operand_invalid', '01']],
  ['total=.5', ['operand_invalid', '.5']],
  ['total=5.', ['operand_invalid', '5.']],
  ['total=1e400', ['operand_invalid', '1e400']],
  ['total=Infinity', ['operand_invalid', 'Infinity']],
  ['total=NaN', ['operand_invalid', 'NaN']],
  ['total=0x10', ['operand_invalid', '0x10']],
  ['total=1_000', ['operand_invalid', '1_000']],
  ['total="1"', ['operand_invalid', '"1"']],
  ['total=1,2', ['operand_invalid', '1,2']],
  ['gift=1', ['operand_invalid', '1']],
  ['gift=TRUE', ['operand_invalid', 'TRUE']],
  ['gift=+true', ['operand_invalid', '+true']],
  ['gift[exists]=yes', ['operand_invalid', 'yes']],
  ['items[exists]=', ['operand_invalid', '', 14]],
  ['status=piad', ['operand_invalid', 'piad']],
  ['status=Paid', ['operand_invalid', 'Paid']],
  ['status[in]=paid,piad,held', ['operand_invalid', 'piad']],
  ['status[in]="paid","pi\\"ad"', ['operand_invalid', '"pi\\"ad"']],
  ['status[in]=', ['operand_empty', '', 11]],
  ['status[in]=,', ['operand_empty', '', 11], ['operand_empty', '', 12]],
  ['status[in]=paid,,held', ['operand_empty', '', 16]],
  ['status[in]=paid,', ['operand_empty', '', 16]],
  ['status[in]=paid%2C%2Cheld', ['operand_empty', '', 18]],
  ['arrival[range]=2024-01-01,', ['operand_empty', '', 26]],
  ['status[in]="paid', ['operand_quote', '"paid']],
  ['status[in]=held,"paid,new', ['operand_quote', '"paid,new']],
  ['status[in]="paid"x,held', ['operand_quote', '"paid"x']],
  ['status[in]="paid""new"', ['operand_quote', '"paid""new"']],
  ['status[in]="pa\\id",held', ['operand_quote', '"pa\\id"']],
  ['status[in]=%22paid', ['operand_quote', '%22paid']],
  ['status[in]="paid\\', ['operand_quote', '"paid\\']],
  ['status[in]="paid\\"', ['operand_quote', '"paid\\"']],
  ['arrival[range]="2024-01-01', ['operand_quote', '"2024-01-01']],
  ['arrival[range]=2024-01-01', ['operand_count', '2024-01-01']],
  ['total[range]=1,2,3', ['operand_count', '1,2,3']],
  ['total[range]=', ['operand_empty', '', 13], ['operand_count', '', 13]], // the order of the codes decides
  ['total[range]=x,2,3', ['operand_invalid', 'x'], ['operand_count', 'x,2,3']], // one start, the shorter first
  [
    'total[range]=,,',
    ['operand_empty', '', 13],
    ['operand_count', ',,'],
    ['operand_empty', '', 14],
    ['operand_empty', '', 15],
  ],
  ['total[range]=1,x,3', ['operand_count', '1,x,3'], ['operand_invalid', 'x']],

  // Repetition.
  ['seller=a&seller=b', ['duplicate_condition', 'seller', 9]],
  ['seller=a&seller[equals]=b', ['duplicate_condition', 'seller[equals]']],
  ['total[gte]=1&total[lte]=2&total[gte]=3', ['duplicate_condition', 'total[gte]', 26]],
  ['total=1&total=x', ['duplicate_condition', 'total', 8], ['operand_invalid', 'x']],
  ['total=x&total=1', ['operand_invalid', 'x'], ['duplicate_condition', 'total', 8]],
  ['seller=a&s%65ller=b', ['duplicate_condition', 's%65ller']],
  ['seller=a&seller=b&seller=c', ['duplicate_condition', 'seller', 9], ['duplicate_condition', 'seller', 18]],

  // Reserved pairs.
  ['apiKey=%ZZ', ['syntax_encoding', 'apiKey']],
  ['apiKey=%00', ['syntax_character', 'apiKey']],
  ['apiKey', ['syntax_missing_equals', 'apiKey']],
  ['apiKey[gte]=1', ['field_unknown', 'apiKey']],
  ['apiKey[x]=1', ['field_unknown', 'apiKey'], ['operator_unknown', 'x']],
  ['apikey=1', ['field_unknown', 'apikey']],

  // Several pairs: every fault, in the order of the text; a pair has one syntax fault at most.
  [
    'arival=1&total[contains]=2&seller=%zz&status=x&gift',
    ['field_unknown', 'arival'],
    ['operator_not_applicable', 'contains'],
    ['syntax_encoding', '%'],
    ['operand_invalid', 'x'],
    ['syntax_missing_equals', 'gift'],
  ],
  ['a..b[=%zz', ['syntax_name', '', 2]],
  ['&&seller=x&&&', ...[]],
  ['seller=x&=&', ['syntax_name', '', 9]],
]

test.each(table.map(([text, ...expected]) => ({ text, expected })))('$text', ({ text, expected }) => {
  expect(seen(text)).toEqual(
    expected.map(([code, under, at]) => {
      if (at === undefined) expect(text.split(under), 'the table needs an offset').toHaveLength(2)
      return [code, under, at ?? text.indexOf(under)]
    }),
  )
})

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
  })

  test('list', () => {
    const items = (count: number) => Array.from({ length: count }, (_, at) => at).join(',')
    expect(seen(`guests[in]=${items(500)}`)).toEqual([])
    expect(seen(`guests[in]=${items(502)}`)).toEqual([['limit_list', '500,501', `guests[in]=${items(500)},`.length]])
    expect(seen('guests[nin]=1,x,3', { limits: { list: 2 } })).toEqual([
      ['operand_invalid', 'x', 14],
      ['limit_list', '3', 16],
    ])
  })

  test('depth', () => {
    expect(seen('customer.name=x', { limits: { depth: 1 } })).toEqual([['limit_depth', 'customer.name', 0]])
    expect(seen('customer.name=x', { limits: { depth: 2 } })).toEqual([])
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

describe('hints', () => {
  const hint = (text: string) => issuesOf(text).map(({ hint }) => hint)
  test.each([
    ['arival=2024-01-01', 'did you mean arrival?'],
    ['items.arival=2024-01-01', 'did you mean items.arrival?'],
    ['SELLER=x', 'did you mean seller?'],
    ['price=1', 'did you mean items.price?'],
    ['arrival[gtee]=2024-01-01', 'did you mean gte?'],
    ['arrival[startswith]=x', 'arrival takes equals, notEqual, gt, gte, lt, lte, range, in, nin, exists'],
    ['nope[contain]=x', 'did you mean contains?'],
    ['total[contains]=1', 'it takes equals, notEqual, gt, gte, lt, lte, range, in, nin, exists'],
    ['customer=x', 'it takes exists; fields in it are customer.name, customer.email'],
    ['status=piad', 'did you mean paid? The values are paid, held, new'],
    ['status=x', 'The values are paid, held, new'],
    ['a%255Bgte%255D=1', 'the key looks doubly encoded: encode it once'],
    ['a[b][c]=1', 'nested fields are written with dots, and only an operator in brackets: "a.b.c" or "a.b[c]"'],
    [
      'items[0].arrival=1',
      'nested fields are written with dots, and only an operator in brackets: "items.arrival" or "items[arrival]"',
    ],
    ['seller[gte]=1&a[0]x=1', 'nested fields are written with dots, and only an operator in brackets: "a.x" or "a[x]"'],
    ['a[0][1]=1', 'a condition is path=value or path[operator]=value'],
    ['tags[]=sea', 'a list needs no brackets: "tags"'],
    ['seller=a&seller=b', 'for one of several values write seller[in]=a,b,c'],
    ['seller[notEqual]=a&seller[notEqual]=b', 'for none of several values write seller[nin]=a,b,c'],
    ['total[gte]=1&total[gte]=2', 'for values between two bounds write total[range]=low,high'],
    ['gift=true&gift=false', 'an operator stands once for a field'],
    ['total[gt]=1&total[gt]=2', 'an operator stands once for a field'],
    ['total[range]=1,2&total[range]=3,4', 'an operator stands once for a field'],
    ['status[in]=paid&status[in]=held', 'for one of several values write status[in]=a,b,c'],
    // Signs of other languages: the nearest field, with equality, would be the opposite of what was meant.
    ['seller!=x', 'operators stand in brackets: seller[notEqual]='],
    ['total>=1', 'operators stand in brackets: total[gte]='],
    ['total<=1', 'operators stand in brackets: total[lte]='],
    ['seller~=x', 'operators stand in brackets: seller[contains]='],
    ['items[price]=1', 'did you mean items.price?'],
    ['customer[nam]=1', 'customer takes exists'],
    ['item.price=1', 'did you mean items.price?'],
    ['seller[%2567te]=1', 'the key looks doubly encoded: encode it once'],
    ['arrival[in]=', 'a list has at least one item, and one on each side of a comma'],
    ['seller[in]=', 'the empty text is written ""'],
    ['paidAt=2024-01-01T00:00:00+02:00', 'a "+" in a query is a space: write %2B'],
    ['total=1e+3', 'a "+" in a query is a space: write %2B'],
  ])('%s', (text, expected) => {
    expect(hint(text).filter((hint) => hint !== undefined)).toContain(expected)
  })

  test('none where nothing is near, or where the nearest would be the opposite', () => {
    expect(hint('zzz=1')).toEqual([undefined])
    expect(hint('x=1')).toEqual([undefined])
    expect(hint('nope!=1')).toEqual([undefined])
    expect(hint('gift=1')).toEqual([undefined])
  })

  test('values that would not be seen as one entry are quoted', () => {
    const schema = defineSchema({ kind: field.enumeration(['a,b', 'c d', '', 'e', 'f\u202e']) })
    const result = parseFilter(schema, 'kind=x')
    expect(result.ok || result.issues[0].hint).toBe('The values are "a,b", "c d", "", e, f\\u{202e}')
    const many = defineSchema({ kind: field.enumeration(Array.from({ length: 30 }, (_, at) => `k${at}`)) })
    const cut = parseFilter(many, 'kind=zzzzzz')
    expect(cut.ok || cut.issues[0].hint).toMatch(/^The values are k0, .* k19, …$/)
  })

  test('an issue about a known field and operator names them', () => {
    expect(issuesOf('total[gte]=x')).toMatchObject([{ path: 'total', operator: 'gte' }])
  })
})

describe('nothing of an operand or a reserved value is told', () => {
  const told = (text: string) => JSON.stringify(issuesOf(text).map(({ span: _, ...rest }) => rest))
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
    expect(issuesOf('a'.repeat(65) + '=1')[0]!.message).toBe(`unknown field "${'a'.repeat(64)}…"`)
  })
})

test('every code that reading text can give has a case here', () => {
  const covered = new Set(table.flatMap(([, ...expected]) => expected.map(([code]) => code)))
  for (const code of ['limit_length', 'limit_pairs', 'limit_list', 'limit_operand', 'limit_issues']) covered.add(code)
  // Those of backends and of printing do not come from text; backend.test.ts and print.test.ts have them.
  const others = ['backend_unsupported', 'backend_unmapped', 'print_unsayable']
  expect([...issueCodes].filter((code) => !covered.has(code))).toEqual(others)
})
