/** Compares random texts: days and relative times with Temporal, aliases with canonical names, and printed texts with their queries. */
import fc from 'fast-check'
import { Temporal } from 'temporal-polyfill'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import {
  and,
  defineCollection,
  defineSchema,
  field,
  FilterError,
  parseQuery,
  parseQueryOrThrow,
  printQuery,
  type Collection,
  type Query,
} from '../../src/index.ts'
import { zoneNames } from '../../src/language/index.ts'
import { someCollectionText, someSchema } from '../../src/kit/arbitraries.ts'
import { operators, sameFilter, type OperatorName } from '../../src/tree.ts'
import { byEffort } from '../effort.ts'
import { aliasesIn, someReadQuery, wholeCollection } from './queries.ts'

describe('days in a zone and relative times select as the moments that Temporal finds', () => {
  const options = { key: 'id', timeZone: true } as const
  const schema = defineSchema({
    ...{ id: field.integer(), at: field.datetime(), day: field.date() },
    all: field.list(field.datetime()),
  })
  const collection = defineCollection(schema, options)

  /** Zones that left out a day or midnight, went back over midnight or by half an hour, or have odd offsets. */
  const odd = [
    ...['Pacific/Apia', 'Pacific/Kwajalein', 'Pacific/Enderbury', 'America/Sao_Paulo', 'Africa/Cairo', 'Asia/Beirut'],
    ...['America/St_Johns', 'America/Havana', 'Australia/Lord_Howe', 'Africa/Monrovia', 'Europe/Berlin', 'UTC'],
    ...['Asia/Kolkata', 'Asia/Kathmandu', 'Pacific/Chatham', '+05:45', '-12:00', '+14:00'],
  ]
  const someZone = fc.oneof(fc.constantFrom(...odd), fc.constantFrom(...zoneNames()))
  const someMoment = fc.integer({ min: Date.UTC(1960, 0), max: Date.UTC(2037, 0) })
  /** A moment near a change of clocks, where the zone has one after it. */
  const nearChange = (zone: string, moment: number, distance: number): number => {
    const at = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)
    return (at.getTimeZoneTransition('next')?.epochMilliseconds ?? moment) + distance
  }

  /** Milliseconds since 1970: those from `from` on and before `until`; of a moment, that alone. */
  interface Span {
    readonly from: number
    readonly until: number
    readonly isMoment?: true
  }
  const startOf = (day: Temporal.PlainDate, zone: string) => day.toZonedDateTime(zone)
  const daySpan = (day: Temporal.PlainDate, zone: string): Span => ({
    from: startOf(day, zone).epochMilliseconds,
    until: startOf(day.add({ days: 1 }), zone).epochMilliseconds,
  })
  const momentSpan = (moment: number): Span => ({ from: moment, until: moment + 1, isMoment: true })
  const units = { s: 'seconds', m: 'minutes', h: 'hours', d: 'days', w: 'weeks', mo: 'months', y: 'years' } as const
  /** `undefined` where the language refuses the operand. */
  function spanOf(text: string, zone: string, now: number): Span | undefined {
    const [, word, step = '+', digits = '0', unit = 'd'] = /^(now|today)(?:([+-])(\d+)(\D+))?$/.exec(text) ?? []
    if (word === undefined) {
      if (text.includes('T')) return momentSpan(Date.parse(text))
      const day = Temporal.PlainDate.from(text)
      return startOf(day, zone).toPlainDate().equals(day) ? daySpan(day, zone) : undefined
    }
    const duration = { [units[unit as keyof typeof units]]: Number(digits) * (step === '-' ? -1 : 1) }
    const start = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone)
    if (word === 'now') return momentSpan(start.add(duration).epochMilliseconds)
    if ('smh'.includes(unit)) return undefined
    // The next day that exists.
    return daySpan(startOf(start.toPlainDate().add(duration), zone).toPlainDate(), zone)
  }

  type Asked = (spans: readonly Span[], value: number) => boolean
  const isIn: Asked = (spans, value) => spans.some(({ from, until }) => value >= from && value < until)
  const asked: Partial<Record<OperatorName, { readonly count: 'one' | 'two' | 'list'; readonly has: Asked }>> = {
    equals: { count: 'one', has: isIn },
    in: { count: 'list', has: isIn },
    gt: { count: 'one', has: ([one], value) => value >= one!.until },
    gte: { count: 'one', has: ([one], value) => value >= one!.from },
    lt: { count: 'one', has: ([one], value) => value < one!.from },
    lte: { count: 'one', has: ([one], value) => value < one!.until },
    range: { count: 'two', has: ([low, high], value) => value >= low!.from && value < high!.until },
  }
  const complements: Partial<Record<OperatorName, OperatorName>> = { notEqual: 'equals', nin: 'in' }

  const someStep = fc
    .tuple(fc.constantFrom('+', '-'), fc.oneof(fc.nat(3), fc.nat(40)), fc.constantFrom(...Object.keys(units)))
    .map(([sign, count, unit]) => sign + String(count) + unit)
  const someRelative = fc
    .tuple(fc.constantFrom('now', 'today'), fc.option(someStep, { nil: '' }))
    .map((parts) => parts.join(''))
  /** Zones, and moments in the month before they leave out a day. */
  const leaps = [
    ...[['Pacific/Apia', Date.UTC(2011, 11)] as const, ['Pacific/Kwajalein', Date.UTC(1993, 7)] as const],
    ['Pacific/Enderbury', Date.UTC(1994, 11)] as const,
  ]
  const someStart = fc.oneof(
    { weight: 3, arbitrary: fc.tuple(someZone, someMoment) },
    { weight: 1, arbitrary: fc.constantFrom(...leaps) },
  )
  const situations = fc
    .tuple(someStart, fc.integer({ min: -2, max: 2 }), fc.integer({ min: -90_000_000, max: 90_000_000 }))
    .chain(([[zone, moment], step, distance]) => {
      const now = nearChange(zone, moment, distance)
      const local = Temporal.Instant.fromEpochMilliseconds(nearChange(zone, moment, 0)).toZonedDateTimeISO(zone)
      const days = [-1, 0, 1, step].map((count) => local.toPlainDate().add({ days: count }).toString())
      const operand = fc.oneof(
        fc.constantFrom(...days, '2011-12-30'),
        someRelative,
        fc.constant(new Date(nearChange(zone, moment, 0)).toISOString()),
      )
      return fc.record({
        ...{ zone: fc.constant(zone), now: fc.constant(now), days: fc.constant(days) },
        operator: fc.constantFrom(...Object.keys(asked), ...Object.keys(complements)) as fc.Arbitrary<OperatorName>,
        operands: fc.array(operand, { minLength: 1, maxLength: 3 }),
        isByParameter: fc.boolean(),
        isList: fc.boolean(),
      })
    })

  test('of datetimes, in scalars and in lists', () => {
    let [refused, mixed] = [0, 0]
    const runs = byEffort(20_000, 500)
    const property = fc.property(situations, ({ zone, now, days, operator, isByParameter, isList, ...given }) => {
      const { count, has } = asked[complements[operator] ?? operator]!
      const operands =
        count === 'list' ? given.operands : [given.operands[0]!, given.operands.at(-1)!].slice(count === 'one' ? 1 : 0)
      const name = isList ? 'all' : 'at'
      const text = new URLSearchParams({
        [`${name}[${operator}]`]: operands.join(','),
        ...(isByParameter && { timeZone: zone.toLowerCase() }),
      })
      const read = (timeZone: string) => parseQuery(collection, text, { timeZone, now: new Date(now) })
      const result = read(isByParameter ? 'Asia/Tokyo' : zone)
      const spans = operands.map((operand) => spanOf(operand, zone, now))
      if (spans.includes(undefined)) {
        refused++
        expect(result.ok ? [] : result.issues.map(({ code }) => code)).toContain('operand_invalid')
        return
      }
      if (!result.ok) throw new FilterError(result.issues)
      const known = spans as Span[]
      const edges = [...known, ...days.map((day) => daySpan(Temporal.PlainDate.from(day), zone))]
      const moments = edges.flatMap(({ from, until }) => [from - 1, from, from + 1, until - 1, until])
      const values = [null, ...moments.map((moment) => new Date(moment).toISOString())]
      const rows = values.map((value, id) =>
        isList ? { id, all: [null, value, values[(id * 7) % values.length]] } : { id, at: value },
      )
      const isChosen = (value: string | null | undefined) => typeof value === 'string' && has(known, Date.parse(value))
      const expected = rows.filter(({ at, all = [at] }) => all.some(isChosen) !== operator in complements)
      const selected = rows.filter(memoryBackend().compile(result.query.filter))
      expect(selected.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      if (selected.length > 0 && selected.length < rows.length) mixed++
    })
    fc.assert(property, { numRuns: runs })
    // Most random operands bound some of the moments around them.
    expect(mixed).toBeGreaterThan(runs / 3)
    expect(refused).toBeGreaterThan(runs / 50)
  })

  test('of dates, which have no zone of their own', () => {
    const property = fc.property(situations, someStep, ({ zone, now }, step) => {
      const isExact = /[smh]$/.test(step)
      const result = parseQuery(collection, new URLSearchParams({ day: `today${step}` }), {
        ...{ timeZone: zone, now: new Date(now) },
      })
      expect(result.ok).toBe(!isExact)
      if (!result.ok) return
      const { from } = spanOf(`today${step}`, zone, now)!
      const expected = Temporal.Instant.fromEpochMilliseconds(from).toZonedDateTimeISO(zone).toPlainDate()
      expect(result.query.filter).toMatchObject({ operand: { type: 'date', value: expected.toString() } })
    })
    fc.assert(property, { numRuns: byEffort(5_000, 100) })
  })
})

/** The query without spans and clock, as JSON. */
const meaningOf = ({ clock: _, ...query }: Omit<Query, 'asked'>): string =>
  JSON.stringify(query, (key, value: unknown) => (key === 'span' ? undefined : value))
/** The filters of a query and of its facets, and all other parts but `asked`: a day of a zone is printed as its moments. */
const partsOf = ({ filter, facets = [], asked: _, ...query }: Query) => ({
  filters: [filter, ...facets.map((facet) => facet.filter)],
  rest: meaningOf({ ...query, filter: and(), facets: facets.map((facet) => ({ ...facet, filter: and() })) }),
})

const now = new Date('2024-03-31T00:30:00.000Z')
const limits = { pairs: Infinity, length: Infinity, searches: Infinity }
const read = (
  collection: Collection,
  text: string,
  clock: { readonly now: Date; readonly timeZone?: string } = { now },
) => parseQueryOrThrow(collection, text, { limits, ...clock })

const withId = someSchema.map(({ fields }) => defineSchema({ ...fields, id: field.integer() }))

test('a text with aliases reads as the text with the names that they stand for', () => {
  let renamed = 0
  const property = fc.property(
    withId.chain((schema) => {
      const plain = wholeCollection(schema, ['id'], { aliases: undefined })
      const text = someCollectionText(plain, [], { relativeTimes: true })
      return fc.tuple(fc.constant(schema), text, fc.infiniteStream(fc.boolean()))
    }),
    ([schema, text, choices]) => {
      const plain = wholeCollection(schema, ['id'], { aliases: undefined })
      const { fields } = aliasesIn(schema)
      const choose = <T>(one: T, other: T): T => (choices.next().value === true ? other : one)
      /** The alias of a path, or of an object around it. */
      const renamePath = (path: string): string => {
        const others = Object.entries(fields).flatMap(([alias, target]) =>
          path === target || path.startsWith(`${target}.`) ? [alias + path.slice(target.length)] : [],
        )
        return others.reduce((found, other) => choose(found, other), path)
      }
      const renameKey = (key: string): string => {
        const [, path = key, operator] = /^(.*)\[(\w+)\]$/s.exec(key) ?? []
        const name = operator === undefined ? '' : `[${choose(operator, `is ${operator}`)}]`
        return renamePath(path) + name
      }
      const inLists = (value: string): string =>
        value.replaceAll(/(^|,)(-?)([^,]+)/g, (_, start, sign, path) => `${start}${sign}${renamePath(path)}`)
      const inGroups = (value: string): string =>
        value.replaceAll(/\[(\w+)\]=/g, (same, operator) => choose(same, `[is ${operator}]=`))
      const pairs = [...new URLSearchParams(text)].map(([key, value]): [string, string] => {
        if (['and', 'or', 'not'].includes(key)) return [key, inGroups(value)]
        // In lists, names with commas or quotes are quoted.
        if (['sort', 'fields', 'facets'].includes(key)) return [key, /["\\]/.test(value) ? value : inLists(value)]
        return [/\[\w+\]$/.test(key) ? renameKey(key) : key, value]
      })
      const other = new URLSearchParams(pairs).toString()
      if (other !== text) renamed++
      const aliased = wholeCollection(schema, ['id'])
      expect(meaningOf(read(aliased, other))).toBe(meaningOf(read(plain, text)))
    },
  )
  const runs = byEffort(5_000, 100)
  fc.assert(property, { numRuns: runs })
  expect(renamed).toBeGreaterThan(runs / 2)
})

test('lists as repeated pairs read as the same lists behind their operator', () => {
  const texts = fc.array(
    fc.string({ maxLength: 4 }).filter((one) => !one.includes('\0')),
    { minLength: 1, maxLength: 4 },
  )
  const schema = defineSchema({ id: field.integer(), text: field.string(), tags: field.list(field.string()) })
  const collection = defineCollection(schema, { key: 'id', lists: 'repeated' })
  const property = fc.property(texts, fc.constantFrom('text', 'tags'), fc.boolean(), (operands, name, hasBrackets) => {
    const [first, ...others] = operands
    const isOne = others.length === 0
    const pairs = operands.map((operand) => [name + (hasBrackets || isOne ? '[]' : ''), operand])
    const items = [first!, ...others].map((operand) => `"${operand.replace(/["\\]/g, '\\$&')}"`).join(',')
    const list = new URLSearchParams([[`${name}[in]`, items]]).toString()
    expect(meaningOf(read(collection, new URLSearchParams(pairs).toString()))).toBe(meaningOf(read(collection, list)))
  })
  fc.assert(property, { numRuns: byEffort(5_000, 100) })
})

test('a printed text reads back to the same query, whatever its words, its zone and the time were', () => {
  let [printed, refused] = [0, 0]
  const property = fc.property(
    withId.chain((schema) => {
      const collection = wholeCollection(schema, ['id'])
      return fc.tuple(fc.constant(collection), someReadQuery(collection, []))
    }),
    ([collection, query]) => {
      let text: string
      try {
        text = printQuery(collection, query)
      } catch (error) {
        // A day of a zone can print as a group, and the facet of its field keeps groups.
        if (!(error instanceof FilterError) || query.facets === undefined) throw error
        expect(error.issues.map(({ parameters }) => (parameters as { problem?: string }).problem)).toEqual([
          'facet_filter',
        ])
        refused++
        return
      }
      printed++
      const again = partsOf(
        read(collection, text, { now: new Date('2031-07-01T12:00:00.000Z'), timeZone: 'Asia/Tokyo' }),
      )
      const before = partsOf(query)
      expect(again.rest).toBe(before.rest)
      expect(again.filters.map((filter, at) => sameFilter(filter, before.filters[at]!))).toEqual(
        before.filters.map(() => true),
      )
      // A printed text contains no alias.
      const decoded = decodeURIComponent(text.replaceAll('+', ' '))
      expect(decoded).not.toMatch(/\balias \d|\[is \w+\]/)
    },
  )
  const runs = byEffort(5_000, 170)
  fc.assert(property, { numRuns: runs })
  expect(printed).toBeGreaterThan(refused * 10)
})

test('every operator has an alias in these tests', () => {
  const { operators: aliases } = aliasesIn(defineSchema({ id: field.integer() }))
  expect(Object.values(aliases)).toEqual(Object.keys(operators))
})
