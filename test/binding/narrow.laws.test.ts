/**
 * Callers of a narrowed collection can do the same as callers of the first collection, and learn nothing of hidden fields.
 * Random schemas, collections and narrowings; then an attack by one who knows every name, in two worlds that differ in hidden values
 * alone.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatIssue, narrow, parseQuery, parseQueryOrThrow, printQuery, toPage } from '../../src/index.ts'
import type { Collection, NarrowOptions, Query, Schema } from '../../src/index.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { arrayColumn, childTable, postgres, sqlBackend, table } from '../../src/backends/sql/index.ts'
import { checkBackend } from '../../src/tools/check-backend.ts'
import { operatorsFor, type OperatorName, type ResolvedField } from '../../src/language/index.ts'
import { operation, parameters, rowSchema } from '../../src/tools/openapi/index.ts'
import { cursorOf } from '../../src/query/cursor.ts'
import { shownBy } from '../../src/query/to-answer.ts'
import { encodeItems } from '../../src/values/encode.ts'
import { sortKeyOf, totalOrder } from '../../src/query/order.ts'
import { someCollectionQuery, someCollectionText, someRow, someSchema } from '../../src/kit/arbitraries.ts'
import { byEffort } from '../effort.ts'
import {
  type Given,
  type Case,
  define,
  defined,
  plainOf,
  orders,
  searched,
  office,
  secrets,
  forSellers,
  worlds,
  cursors,
} from './narrow.fixture.ts'

const isIn = (path: string, outer: string) => path === outer || path.startsWith(`${outer}.`)
const hasOrder = ({ lists, literal }: ResolvedField) => lists.length === 0 && literal !== 'object'
const orderedIn = (schema: Schema) => Array.from(schema.paths.values()).filter(hasOrder)
const upTo = <T>(max: number, values: readonly T[]) =>
  fc.shuffledSubarray([...values], { maxLength: Math.min(max, values.length) })
const some = <T>(values: readonly T[]) => fc.shuffledSubarray([...values])
const perhaps = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })

const someOrderOf = (names: readonly string[]) =>
  fc
    .tuple(
      upTo(3, names).filter((paths) => paths.length > 0),
      fc.array(fc.boolean(), { minLength: 3 }),
    )
    .map(([paths, signs]) => paths.map((path, at) => (signs[at] ? `-${path}` : path)).join(','))

/** Some of the operators of some paths. */
const someOperatorsOf = (fields: readonly ResolvedField[], operatorsOf: (field: ResolvedField) => OperatorName[]) =>
  fc
    .constant(fields)
    .chain((fields) => upTo(4, fields))
    .chain((fields) => fc.tuple(...fields.map((field) => fc.tuple(fc.constant(field.name), some(operatorsOf(field))))))
    .map((entries) => Object.fromEntries(entries))

const someHidden = (schema: Schema, key: readonly string[], max: number) =>
  upTo(
    max,
    [...schema.paths.keys()].filter((path) => !key.some((one) => isIn(one, path))),
  )

const words = { sort: 'order', limit: 'page[size]', cursor: 'after', fields: 'select', or: 'any', search: 'q' }

/** Up to two texts that a search looks into. */
const someSearch = (schema: Schema) => {
  const texts = Array.from(schema.paths.values()).flatMap(({ name, type }) => (type === 'string' ? [name] : []))
  return perhaps(
    texts.length === 0
      ? fc.constant(undefined)
      : fc.shuffledSubarray(texts, { minLength: 1, maxLength: Math.min(2, texts.length) }),
  )
}

/** The options of a collection, for a schema with at least one field that has an order. */
const someOptions = (schema: Schema): fc.Arbitrary<Given> =>
  fc
    .shuffledSubarray(
      orderedIn(schema).map(({ name }) => name),
      { minLength: 1 },
    )
    .map((key) => key.slice(0, 2))
    .chain((key) => someHidden(schema, key, 2).map((hidden) => ({ key, hidden })))
    .chain(({ key, hidden }) => {
      const { visible } = define(schema, { key, hidden })
      const paths = [...visible.paths.values()]
      const operators = someOperatorsOf(paths, (field) => operatorsFor(field).map(({ name }) => name))
      const sort = fc.oneof(fc.constant(true), some(orderedIn(visible).map(({ name }) => name)))
      return fc.tuple(perhaps(operators), perhaps(sort)).chain(([operators, sort]) => {
        const base = defined({ key, hidden, operators, sort })
        const sortable = [...define(schema, base).sortable.keys()]
        return fc
          .record({
            defaultSort: perhaps(someOrderOf(sortable)),
            limit: perhaps(fc.constantFrom({ max: 5 }, { default: 3 }, { default: 2, max: 4 })),
            offset: perhaps(fc.constantFrom({ max: 0 }, { max: 10 })),
            fields: perhaps(fc.oneof(fc.constant(true), some(paths.map(({ name }) => name)))),
            count: perhaps(fc.constantFrom(true, { max: 10 })),
            groups: fc.boolean(),
            search: someSearch(visible),
          })
          .chain((more) =>
            fc.constantFrom({}, words).map((names) => {
              const isAllowed = {
                sort: true,
                limit: true,
                cursor: true,
                fields: more.fields !== undefined,
                or: more.groups,
                search: more.search !== undefined,
              }
              const renamed = Object.entries(names).filter(([name]) => isAllowed[name as keyof typeof words])
              return defined({ ...base, ...more, parameters: Object.fromEntries(renamed) })
            }),
          )
      })
    })

/** What `narrow` accepts for a collection. */
function someNarrowing(wide: Collection, isHiding = false): fc.Arbitrary<NarrowOptions> {
  const { schema, selectable, limit, maxOffset, count } = wide
  const key = wide.key.map(({ name }) => name)
  const hide = someHidden(schema, key, 3).map((hide) => ({ hide }))
  const list = fc.subarray([...(selectable?.keys() ?? [])])
  const fields = isHiding || selectable === undefined ? hide : fc.oneof(hide, list)
  return (isHiding ? fields : perhaps(fields)).chain((fields) => {
    const base = defined({ fields }) as NarrowOptions
    const { visible } = narrow(wide, base)
    const operators = someOperatorsOf([...visible.paths.values()], (field) =>
      operatorsFor(field, wide).map(({ name }) => name),
    )
    const sort = some([...wide.sortable.keys()].filter((name) => visible.paths.has(name)))
    return fc.tuple(perhaps(operators), perhaps(sort)).chain(([operators, sort]) => {
      const narrower = defined({ ...base, operators, sort }) as NarrowOptions
      const sortable = [...narrow(wide, narrower).sortable.keys()]
      const numbers = (least: number, most: number) => fc.integer({ min: least, max: most }).map((max) => ({ max }))
      return fc
        .record({
          defaultSort: perhaps(someOrderOf(sortable)),
          limit: perhaps(fc.oneof(numbers(1, limit.max), fc.constant({ default: 1 }))),
          offset: perhaps(
            maxOffset === undefined ? fc.constant(false) : fc.oneof(fc.constant(false), numbers(0, maxOffset)),
          ),
          count: perhaps(
            count === false
              ? fc.constant(false)
              : fc.oneof(fc.constant(false), numbers(1, typeof count === 'object' ? count.max : 99)),
          ),
          groups: perhaps(fc.constant(false)),
          search: perhaps(fc.constant(false)),
        })
        .map((more) => defined({ ...narrower, ...more }) as NarrowOptions)
    })
  })
}

const someCase = (isHiding = false): fc.Arbitrary<Case> =>
  someSchema
    .filter((schema) => orderedIn(schema).length > 0)
    .chain((schema) =>
      someOptions(schema).chain((options) => {
        const wide = define(schema, options)
        return someNarrowing(wide, isHiding).map((given) => {
          const narrowed = narrow(wide, given)
          return { schema, options, wide, given, narrowed }
        })
      }),
    )

// --- The laws

const nameOf = ({ parameters }: Collection, parameter: 'sort' | 'cursor' | 'limit') => parameters.get(parameter)!
const hasParameter = (collection: Collection, parameter: 'sort' | 'cursor' | 'limit', text: string) =>
  new URLSearchParams(text).has(nameOf(collection, parameter))

/** A text with its order: the default orders of two collections may differ. */
function withOrder(collection: Collection, text: string): string {
  if (hasParameter(collection, 'sort', text)) return text
  const sort = totalOrder(
    collection,
    collection.defaultSort.map((asked) => sortKeyOf(collection, asked)),
  )
  const items = sort.map(({ path, direction }) => (direction === 'descending' ? '-' : '') + path.join('.'))
  const pair = `${encodeURIComponent(nameOf(collection, 'sort'))}=${encodeItems(items)}`
  return text === '' ? pair : `${text}&${pair}`
}
const withoutSpans = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (name, inner: unknown) => (name === 'span' ? undefined : inner)))

test('a text of the narrowed collection is one of the first, with the same meaning', () => {
  fc.assert(
    fc.property(
      someCase().chain((one) =>
        fc.tuple(fc.constant(one), fc.array(someCollectionText(one.narrowed), { minLength: 3, maxLength: 3 })),
      ),
      ([{ wide, narrowed }, texts]) => {
        for (const text of texts) {
          const read = parseQueryOrThrow(narrowed, text)
          const ordered = withOrder(narrowed, text)
          // The first one searches in more texts.
          if (read.search !== undefined && namesOf(narrowed).length < namesOf(wide).length) {
            expect(parseQueryOrThrow(wide, ordered, { limits: { searches: 20 } }).search).toEqual(read.search)
            continue
          }
          const { hidden: _, limit, count, ...same } = parseQueryOrThrow(wide, ordered)
          expect(withoutSpans(same)).toEqual(
            withoutSpans({ ...read, hidden: undefined, limit: undefined, count: undefined }),
          )
          if (hasParameter(narrowed, 'limit', text)) expect(read.limit).toBe(limit)
          else expect([read.limit, limit]).toEqual([narrowed.limit.default, wide.limit.default])
          expect([read.count !== false, read.count]).toEqual([
            count !== false,
            read.count === false ? false : narrowed.count,
          ])
          // What the narrowed one prints, the first one reads.
          const { hidden: __, ...query } = read
          const printed = withOrder(narrowed, printQuery(narrowed, query))
          expect(withoutSpans(parseQueryOrThrow(wide, printed).filter)).toEqual(withoutSpans(read.filter))
        }
      },
    ),
    { numRuns: byEffort(4_000, 50) },
  )
})

test('the narrowed collection refuses only the parts of a text that it lacks', () => {
  let refused = 0
  fc.assert(
    fc.property(
      someCase().chain((one) => fc.tuple(fc.constant(one), someCollectionText(one.wide))),
      ([{ wide, narrowed }, text]) => {
        const result = parseQuery(narrowed, text)
        if (!result.ok) refused++
        // Without the limits of a page, everything that is left is read again.
        else expect(parseQuery(wide, withOrder(narrowed, text)).ok).toBe(true)
      },
    ),
    { numRuns: byEffort(4_000, 50) },
  )
  expect(refused).toBeGreaterThan(10)
})

const namesOf = ({ search }: Collection) => search.map(({ name }) => name)

/** All that a collection offers, as data. */
const offersOf = (collection: Collection) => ({
  paths: [...collection.visible.paths.keys()],
  sortable: [...collection.sortable.keys()],
  selectable: [...(collection.selectable?.keys() ?? [])],
  parameters: [...collection.parameters].map(String),
  search: namesOf(collection),
  operators: Array.from(collection.visible.paths.values()).flatMap((field) =>
    operatorsFor(field, collection).map(({ name }) => `${field.name}[${name}]`),
  ),
})
const boundsOf = ({ limit, maxOffset = -1, count }: Collection) => [
  limit.max,
  maxOffset,
  typeof count === 'object' ? count.max : count ? Infinity : 0,
]
function expectWithin(inner: Collection, outer: Collection): void {
  const all = offersOf(outer)
  for (const [name, offered] of Object.entries(offersOf(inner)))
    expect(offered.filter((one) => !all[name as keyof typeof all].includes(one))).toEqual([])
  for (const [at, bound] of boundsOf(inner).entries()) expect(bound).toBeLessThanOrEqual(boundsOf(outer)[at]!)
  // The answers of one without the option `fields` have every field.
  if (outer.selectable !== undefined) expect(inner.selectable).toBeDefined()
}
test('narrowing twice leaves nothing that either narrowing lacks', () => {
  fc.assert(
    fc.property(
      someCase().chain((one) => fc.tuple(fc.constant(one), someNarrowing(one.narrowed))),
      ([{ wide, narrowed }, then]) => {
        const both = narrow(narrowed, then)
        expectWithin(narrowed, wide)
        expectWithin(both, narrowed)
        expectWithin(both, narrow(wide, then))
      },
    ),
    { numRuns: byEffort(4_000, 50) },
  )
})

test('a memory backend supports every query of a narrowed collection', () => {
  const cases = fc.sample(someCase(), { seed: 1, numRuns: 50 })
  for (const { narrowed } of cases) checkBackend(narrowed, memoryBackend())
})

/** The answer to a text, as bytes. */
function answerOf(collection: Collection, text: string): string {
  const { reserved: _, ...result } = parseQuery(collection, text, { limits: { issues: 1_000 } })
  if (!result.ok) return JSON.stringify([result, result.issues.map((issue) => formatIssue(text, issue))])
  const { hidden: __, ...query } = result.query
  return JSON.stringify([query, printQuery(collection, query)])
}
const descriptionsOf = (collection: Collection) =>
  JSON.stringify([
    ...(['3.0', '3.1', '3.2'] as const).flatMap((version) => [
      operation(collection, { version }),
      parameters(collection, { version, style: 'flat' }),
    ]),
    rowSchema(collection.visible),
  ])

const change = fc.constantFrom<(text: string) => string>(
  ...[(text: string) => text, (text: string) => text, (text: string) => text.toUpperCase()],
  ...[(text: string) => text.replaceAll('.', '__'), (text: string) => text.replace(/[a-z]/, '')],
  ...[(text: string) => text.replace('=', ' '), (text: string) => text.replaceAll('[', '.')],
  ...[(text: string) => text.replaceAll('=', '=gt:'), (text: string) => text.replace(/(?<==)/, '-')],
)

test('answers and descriptions are those of a schema that never had the hidden fields, byte by byte', () => {
  let hiding = 0
  fc.assert(
    fc.property(
      someCase(true).chain((one) => {
        // All names, with all that a query can have.
        const { schema, wide } = one
        const open = define(schema, {
          ...{ key: wide.key.map(({ name }) => name), sort: true, fields: true, groups: true, count: true },
          ...{ offset: { max: 10 }, limit: { max: 200 } },
        })
        const text = fc.oneof(someCollectionText(wide), someCollectionText(open), someCollectionText(one.narrowed))
        const sent = fc.tuple(text, change).map(([text, changed]) => changed(text))
        return fc.tuple(fc.constant(one), fc.array(sent, { minLength: 3, maxLength: 3 }), fc.array(someRow(schema)))
      }),
      ([one, texts, rows]) => {
        const { narrowed } = one
        const plain = plainOf(one)
        if (narrowed.hidden.length > 0) hiding++
        for (const text of texts) expect(answerOf(narrowed, text)).toBe(answerOf(plain, text))
        expect(descriptionsOf(narrowed)).toBe(descriptionsOf(plain))
        expect(rows.map(shownBy(narrowed)({}))).toEqual(rows.map(shownBy(plain)({})))
      },
    ),
    { numRuns: byEffort(4_000, 50) },
  )
  expect(hiding).toBeGreaterThan(byEffort(50, 15))
})

test('a filter on a hidden field is refused as one on an unknown field', () => {
  fc.assert(
    fc.property(
      someCase(true).chain((one) => fc.tuple(fc.constant(one), someCollectionQuery(one.wide))),
      ([one, { hidden: _, ...query }]) => {
        const printed = (collection: Collection) => {
          try {
            return printQuery(collection, query)
          } catch (error) {
            return JSON.stringify((error as { issues: unknown }).issues)
          }
        }
        expect(printed(one.narrowed)).toBe(printed(plainOf(one)))
      },
    ),
    { numRuns: byEffort(4_000, 33) },
  )
})
/** Closed to filters and orders, and in no answer. */
const forGuests = narrow(narrow(office, { fields: ['id', 'seller', 'status', 'customer.name', 'items.product'] }), {
  operators: { total: [], margin: [], arrival: [], 'customer.taxId': [], items: [], audit: [], labels: [] },
})
const ordersTable = table('orders', {
  ...{ schema: orders, key: 'id' },
  columns: {
    customer: { name: 'name', taxId: 'taxId' },
    audit: { by: 'audit_by', at: 'audit_at' },
    ...{ labels: arrayColumn('labels'), items: childTable('items', { key: 'id', foreignKey: 'order_id' }) },
  },
})
const statements = sqlBackend({ dialect: postgres, table: ordersTable })

/** The answer of a service in a world: issues, or rows, cursors and count. */
function answerIn(rows: readonly unknown[], collection: Collection, result: ReturnType<typeof parseQuery>): string {
  if (!result.ok) return JSON.stringify(result.issues)
  const query: Query = result.query
  const { rows: read, count } = memoryBackend().compileQuery(query)(rows)
  const { rows: onPage, ...cursors } = toPage(query, read)
  return JSON.stringify([onPage.map(shownBy(collection)(query)), cursors, count, printQuery(collection, query)])
}

const names = [...orders.paths.keys()]
const someName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...names) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('TOTAL', 'totl', 'tota', 'marge', 'margins', 'taxid', 'customer.tax', 'cost'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('items[0].cost', 'customer[taxId]', 'audit.by.x', 'lables', 'audits', 'Total'),
  },
)
const someValue = fc.constantFrom(
  ...[
    '5',
    '100',
    '',
    'xylo',
    'zebu',
    'xylo3',
    'null',
    'total',
    '-total',
    'gt:5',
    '2024-01-02',
    's-1',
    'paid',
    '7.25',
    'true',
  ],
)
const someOperator = fc.constantFrom(
  ...[
    '',
    '[gt]',
    '[lte]',
    '[in]',
    '[exists]',
    '[contains]',
    '[startsWith]',
    '[notEqual]',
    '[range]',
    '[nope]',
    '__gt',
    ':gt',
  ],
)
/** Cursors that a caller writes: of the default order of the first collection, with hidden values that are tried one by one. */
const forged = fc
  .tuple(fc.integer({ min: 0, max: 120 }), fc.constantFrom('next', 'previous'), fc.boolean())
  .map(([total, toward, isAlone]) => {
    const id = { path: ['id'], type: 'integer', direction: 'descending' } as const
    const keys = [{ path: ['total'], type: 'decimal', direction: 'descending' } as const, id]
    const values = [{ type: 'decimal', value: String(total) } as const, { type: 'integer', value: 1 } as const]
    const place = { toward: toward as 'next', values: isAlone ? values.slice(1) : values }
    return cursorOf(isAlone ? [id] : keys, place)
  })
const someSearchFor = fc.constantFrom('xylo', 'zebu', 'xylo3', 'zebu11', 'jo', '5').map((word) => `search=${word}`)
const somePair: fc.Arbitrary<string> = fc.oneof(
  fc.tuple(someName, someOperator, someValue).map(([name, operator, value]) => `${name}${operator}=${value}`),
  someSearchFor,
  fc.tuple(someName, fc.constantFrom('', '-', '+', ' ')).map(([name, sign]) => `sort=${sign}${name}`),
  fc.tuple(someName, someName).map((items) => `fields=${items.join(',')}`),
  fc.tuple(someName, someName).map((items) => `sort=${items.join(',')}`),
  fc.oneof(fc.constantFrom(...cursors), forged).map((cursor) => `cursor=${cursor}`),
  fc
    .tuple(fc.constantFrom('or', 'not', 'and', 'items', 'any'), someName, someOperator, someValue, someName)
    .map(([word, name, operator, value, other]) => `${word}=(${name}${operator}=${value},${other}=5)`),
  fc.tuple(someName, someValue).map(([name, value]) => `or=(items(${name.replace('items.', '')}=${value}),id=3)`),
  fc.constantFrom(
    'limit=3',
    'limit=1000',
    'limit=total',
    'offset=2',
    'count=true',
    'count=total',
    'q=xylo',
    'filter=total gt 5',
  ),
  fc.tuple(someName, someValue).map(([name, value]) => `filter={"${name}":"${value}"}`),
  fc.tuple(someName, someValue).map(([name, value]) => `${name} eq ${value}`),
)
const someAttack = fc.oneof(
  { weight: 1, arbitrary: someSearchFor },
  { weight: 2, arbitrary: fc.array(somePair, { minLength: 1, maxLength: 3 }).map((pairs) => pairs.join('&')) },
  { weight: 1, arbitrary: someCollectionText(office, worlds[0]) },
  { weight: 1, arbitrary: someCollectionText(forSellers, worlds[1]) },
)

const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')
/** The hidden names that an answer tells, without those that the caller wrote. */
const toldIn = (answer: string, text: string) =>
  ['total', 'margin', 'taxid', 'cost', 'audit', 'labels', 'xylo', 'zebu'].filter(
    (name) => letters(answer).includes(name) && !letters(decodeURIComponent(text)).includes(name),
  )

describe('an attacker who knows every name', () => {
  const plainCase: Case = {
    ...{ schema: orders, wide: office, narrowed: forSellers, given: { fields: { hide: secrets } } as NarrowOptions },
    options: {
      search: searched,
      ...{ key: 'id', sort: true, fields: true, groups: true, count: true, offset: { max: 1000 } },
      defaultSort: '-total,arrival',
    },
  }
  const plain = plainOf(plainCase)

  test('learns nothing of hidden fields: no name, no value, no order', () => {
    let read = 0
    let answered = 0
    fc.assert(
      fc.property(someAttack, (text) => {
        const result = parseQuery(forSellers, text)
        const answers = worlds.map((rows) => answerIn(rows, forSellers, result))
        expect(answers[0]).toBe(answers[1])
        expect(answers[0]).toBe(answerIn(worlds[0]!, plain, parseQuery(plain, text)))
        expect(toldIn(answers[0]!, text)).toEqual([])
        answered++
        if (!result.ok) return
        read++
        expect(statements.select(result.query).text).not.toMatch(/total|margin|taxId|cost|audit|labels/)
      }),
      { numRuns: byEffort(20_000, 170) },
    )
    expect(read).toBeGreaterThan(answered / 20)
  })

  test('learns no value of fields that are closed and not in answers', () => {
    fc.assert(
      fc.property(someAttack, (text) => {
        const result = parseQuery(forGuests, text)
        const answers = worlds.map((rows) => answerIn(rows, forGuests, result))
        expect(answers[0]).toBe(answers[1])
      }),
      { numRuns: byEffort(20_000, 170) },
    )
  })

  test('with the rights of the office learns everything: the worlds differ, and the attack finds out', () => {
    const differ = fc.sample(someAttack, { seed: 1, numRuns: 500 }).filter((text) => {
      const result = parseQuery(office, text)
      return answerIn(worlds[0]!, office, result) !== answerIn(worlds[1]!, office, result)
    })
    expect(differ.length).toBeGreaterThan(50)
  })
})
