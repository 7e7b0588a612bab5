/** docs/guides/custom-backend.md is enough to write a backend: all cases on one, its output evaluated as Prisma would. */
import { describe, expect, test } from 'vitest'
import {
  and,
  defineSchema,
  field,
  type FilterError,
  not,
  or,
  parseFilterOrThrow,
  type Field,
  type Fields,
  type Filter,
} from '../../../src/index.ts'
import { comparison, presence, some } from '../../../src/tree.ts'
import { cases, filterOf, runBackend } from '../../../src/testing/index.ts'
import { expectRow } from '../../package/page.ts'
import { selects, type Row } from './evaluate.ts'
import { prismaBackend } from './prisma.ts'

/** A row of a fixture as Prisma stores it: every field is there, a list of scalars holds no null, dates are `Date`. */
const recordOf = (fields: Fields, row: object): Row =>
  Object.fromEntries(Object.entries(fields).map(([name, of]) => [name, stored(of, (row as Row)[name] ?? null)]))
function stored(of: Field, value: unknown): unknown {
  if (of.type === 'list' && of.entry.type === 'object') {
    const { fields } = of.entry
    return ((value ?? []) as (object | null)[]).map((entry) => recordOf(fields, entry ?? {}))
  }
  if (value === null) return null
  if (of.type === 'list') {
    const { entry } = of
    return (value as unknown[]).filter((one) => one !== null).map((one) => stored(entry, one))
  }
  if (of.type === 'object') return recordOf(of.fields, value as object)
  return of.type === 'date' || of.type === 'datetime' ? new Date(value as string) : value
}

const results = await runBackend({
  backend: ({ schema }) => prismaBackend(schema),
  load: ({ schema, rows }) => rows.map((row) => recordOf(schema.fields, row)),
  select: (records, said) => records.filter((row) => selects(said, row)).map(({ id }) => id as number),
})

const count = (of: readonly string[]) =>
  Object.fromEntries([...new Set(of)].map((one) => [one, of.filter((other) => other === one).length]))

const passed = results.filter(({ outcome }) => outcome === 'passed')
/** Why the backend refused cases, by the first issue. */
const refusals = results.flatMap(({ issues }) => issues?.[0].message ?? [])

describe('every case', () => {
  test('passes, is skipped or is refused: none fails', () => {
    const failed = results.filter(({ outcome }) => outcome === 'failed')
    expect(failed.map(({ case: { name }, selected, error }) => ({ name, selected, error }))).toEqual([])
    expect(passed).toHaveLength(532)
    const skipped = count(results.flatMap(({ missing }) => missing ?? []))
    const names = Object.entries(skipped).map(([feature, many]) => `${feature} ${many}`)
    expectRow('internals/cases.md', 'cases', [
      'Prisma-style `where`',
      '532',
      names.join(', '),
      '',
      `${refusals.length}`,
      '0',
    ])
  })
  test('is skipped for what columns with types do not store, and for case beyond ASCII, which is the locale’s', () => {
    expect(count(results.flatMap(({ missing }) => missing ?? []))).toEqual({
      'other-forms': 533,
      'misplaced-lists': 23,
      'date-objects': 11,
      'empty-objects': 16,
      'unicode-case': 18,
    })
  })
  test('is refused for what Prisma has no word for, in lists of scalars: they are asked for whole values alone', () => {
    expect(count(refusals)).toEqual({
      'Prisma has no order of entries in a list of scalars': 34,
      'Prisma has no two conditions on one entry in a list of scalars': 15,
      'Prisma has no parts of the text of an entry in a list of scalars': 7,
      'Prisma has no entry that does not satisfy a condition in a list of scalars': 1,
    })
    expect(532 + 533 + 23 + 11 + 16 + 18 + refusals.length).toBe(cases.length)
  })
  test('that passes has a complement that selects the others', () => {
    for (const { case: one } of passed) {
      const { schema, rows } = one.fixture
      const said = prismaBackend(schema).compile(not(filterOf(one)))
      const others = rows.filter((row) => selects(said, recordOf(schema.fields, row))).map(({ id }) => id)
      expect(
        [...one.expected, ...others].sort((a, b) => a - b),
        one.name,
      ).toEqual(rows.map(({ id }) => id))
    }
  })
})

const orders = defineSchema({
  seller: field.string(),
  status: field.enumeration(['paid', 'held']),
  gift: field.boolean(),
  placed: field.datetime(),
  customer: field.object({ name: field.string() }),
  tags: field.list(field.string()),
  items: field.list(field.object({ arrival: field.date(), price: field.number() })),
  OR: field.string(),
})
const backend = prismaBackend(orders)
const read = (query: string) => parseFilterOrThrow(orders, query)

describe('a query becomes', () => {
  test.each<[query: string, expected: object]>([
    ['', {}],
    ['seller=s-1', { seller: { equals: 's-1' } }],
    ['seller[notEqual]=s-1', { OR: [{ NOT: { seller: { equals: 's-1' } } }, { seller: null }] }],
    ['status[in]=paid,held&gift=true', { AND: [{ status: { in: ['paid', 'held'] } }, { gift: { equals: true } }] }],
    ['seller[startsWith]=100%25', { seller: { startsWith: '100\\%', mode: 'insensitive' } }],
    [
      'placed=2024-01-31',
      {
        AND: [
          { placed: { gte: new Date('2024-01-31T00:00:00Z') } },
          { placed: { lt: new Date('2024-02-01T00:00:00Z') } },
        ],
      },
    ],
    ['seller[exists]=false', { seller: null }],
    ['customer.name[exists]=true', { customer: { is: { name: { not: null } } } }],
    [
      'customer.name[notEqual]=Jo',
      {
        OR: [
          { customer: { is: { OR: [{ NOT: { name: { equals: 'Jo' } } }, { name: null }] } } },
          { customer: { is: null } },
        ],
      },
    ],
    ['customer[exists]=false', { customer: { is: null } }],
    ['tags=sea', { tags: { has: 'sea' } }],
    ['tags[nin]=sea,sun', { OR: [{ NOT: { tags: { hasSome: ['sea', 'sun'] } } }, { tags: { equals: null } }] }],
    ['tags[exists]=true', { tags: { isEmpty: false } }],
    [
      'items.price[gt]=9&items.arrival[notEqual]=2024-01-31',
      {
        AND: [
          { items: { some: { price: { gt: 9 } } } },
          { items: { none: { arrival: { equals: new Date('2024-01-31') } } } },
        ],
      },
    ],
    ['items[exists]=true', { items: { some: { OR: [{ arrival: { not: null } }, { price: { not: null } }] } } }],
  ])('%s', (query, expected) => {
    expect(backend.compile(read(query))).toEqual(expected)
  })

  test('constants have a word of their own: `{}` is everything, `OR: []` nothing', () => {
    expect(backend.compile(or())).toEqual({ OR: [] })
    expect(backend.compile(and(read('seller=s-1'), not(or())))).toEqual({ seller: { equals: 's-1' } })
    expect(backend.compile(some(['items'], and()))).toEqual({ items: { some: {} } })
    expect(backend.compile(not(some(['items'], or())))).toEqual({})
  })
})

describe('a refusal', () => {
  const issuesOf = (filter: Filter) => {
    try {
      return backend.compile(filter)
    } catch (error) {
      return (error as FilterError).issues.map(({ code, fault, message, span }) => ({
        code,
        fault,
        message,
        ...(span && { span }),
      }))
    }
  }

  test('tells every part that Prisma cannot say, and where it stands', () => {
    expect(issuesOf(read('seller=s-1&tags[startsWith]=s&OR=1'))).toEqual([
      {
        code: 'backend_unsupported',
        fault: 'server',
        message: 'Prisma has no parts of the text of an entry in a list of scalars',
        span: { start: 11, end: 29 },
      },
      {
        code: 'backend_unmapped',
        fault: 'server',
        message: 'Prisma’s model has no such field: OR',
        span: { start: 30, end: 34 },
      },
    ])
  })
  test.each<[why: string, filter: Filter, code?: string]>([
    ['an unknown field', presence(['nope'], 'string'), 'backend_unmapped'],
    ['another type', presence(['seller'], 'number')],
    ['order in an enumeration', comparison(['status'], 'gt', { type: 'string', value: 'held' })],
    ['no value of an enumeration', comparison(['status'], 'eq', { type: 'string', value: 'lost' }), 'backend_refused'],
    ['a list where there is none', some(['seller'], and()), 'backend_unmapped'],
    ['no list where there is one', presence(['tags'], 'string'), 'backend_unmapped'],
    ['under not too', not(presence(['nope'], 'string')), 'backend_unmapped'],
    ['beside what is false', and(or(), presence(['nope'], 'string')), 'backend_unmapped'],
  ])('%s', (_, filter, code = 'backend_unsupported') => {
    expect(issuesOf(filter)).toEqual([{ code, fault: 'server', message: expect.any(String) as string }])
  })
  test('of an operand that was read is of the client', () => {
    const span = { start: 0, end: 11 }
    const lost: Filter = { ...comparison(['status'], 'eq', { type: 'string', value: 'lost' }), span }
    expect(issuesOf(lost)).toMatchObject([{ code: 'backend_refused', fault: 'client', span }])
  })
  test('what is no filter is a TypeError', () => {
    expect(() => backend.compile(undefined as never)).toThrow(TypeError)
  })
})

describe('what evaluates is as strict as Prisma', () => {
  test('nothing is known of null', () => {
    const row = { name: null, tags: null }
    expect(selects({ NOT: { name: { equals: 'Jo' } } }, row)).toBe(false)
    expect(selects({ NOT: { NOT: { name: { lt: 'Jo' } } } }, row)).toBe(false)
    expect(selects({ NOT: { tags: { has: 'sea' } } }, row)).toBe(false)
    expect(selects({ tags: { isEmpty: true } }, row)).toBe(false)
    expect(selects({ OR: [{ name: { equals: 'Jo' } }, { name: null }] }, row)).toBe(true)
  })
  test('texts are patterns', () => {
    expect(selects({ name: { contains: '_' } }, { name: 'Jo' })).toBe(true)
    expect(selects({ name: { contains: '\\_' } }, { name: 'Jo' })).toBe(false)
    expect(selects({ name: { contains: 'j' } }, { name: 'Jo' })).toBe(false)
    expect(selects({ name: { contains: 'é', mode: 'insensitive' } }, { name: 'É' })).toBe(false)
  })
  test('fields, words and types are checked', () => {
    expect(() => selects({ nope: null }, {})).toThrow('the model has no field nope')
    expect(() => selects({ name: { like: 'x' } }, { name: 'x' })).toThrow('there is no word like')
    expect(() => selects({ name: { gt: 1 } }, { name: 'x' })).toThrow('string is compared with number')
  })
})
