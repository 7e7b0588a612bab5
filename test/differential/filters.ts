/** Compares a contender with the predicate in memory on random schemas, rows and filters, and checks the laws on it. */
import fc from 'fast-check'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { and, defineSchema, field, FilterError, printFilter } from '../../src/index.ts'
import { children, map } from '../../src/tree.ts'
import type { EntryField, Field, Fields, Filter, ListField, Schema } from '../../src/index.ts'
import { someConditions, someFilter, someRow, type ConditionParts } from '../../src/kit/arbitraries.ts'
import { own } from '../../src/own.ts'
import { isPromised } from '../../src/language/index.ts'
import { isRefusal, type Contender, type Exception, type Row, type Store } from './contenders.ts'
import { simpleLowerCase } from '../../src/values/case.ts'
import { laws } from './laws.ts'
import { Disagreed, type Counts, type Difference, type Subject } from './run.ts'

interface Situation {
  readonly storeOf: (schema: Schema) => Store
  readonly schema: Schema
  readonly rows: readonly Row[]
  readonly filters: readonly Filter[]
  readonly conditions: readonly ConditionParts[]
}

/** All texts in a row. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []
/** The letters of a text whose capital has the letter for its small one. */
const capitals = (points: readonly string[]): string =>
  points.map((point) => (simpleLowerCase(point.toUpperCase()) === point ? point.toUpperCase() : point)).join('')
/** Random texts are seldom part of each other: every second match searches for a piece of a text of the rows. */
const meeting = (filter: Filter, texts: readonly string[]): Filter =>
  map(filter, (node) => {
    if (node.kind !== 'match' || texts.length === 0 || node.text.length % 2 === 0) return node
    const points = Array.from(texts[node.text.length % texts.length]!)
    const length = Math.ceil(node.text.length / 2)
    if (node.mode === 'whole') return { ...node, text: length % 2 === 0 ? points.join('') : capitals(points) }
    const from = node.mode.startsWith('suffix') ? points.length - length : node.text.codePointAt(0)! % points.length
    const isStart = node.mode.startsWith('prefix')
    return { ...node, text: points.slice(isStart ? 0 : Math.max(0, from), isStart ? length : from + length).join('') }
  })

/** The paths that a filter reads. */
export const pathsIn = (filter: Filter, above: readonly string[] = []): string[] => {
  const path = own(filter as Extract<Filter, { path: unknown }>, 'path')
  const whole = path === undefined ? above : [...above, ...path]
  const inside = children(filter).flatMap((inner) => pathsIn(inner, whole))
  return inside.length === 0 && path !== undefined ? [whole.join('.')] : inside
}
/** Without the fields that no filter reads, so that no report has them. */
export const narrowed = (fields: Fields, asked: readonly string[], above = ''): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, definition]): [string, Field][] => {
      const own = above + name
      const inside = asked.some((path) => path.startsWith(`${own}.`))
      if (asked.includes(own)) return [[name, definition]]
      const inner = (entry: Exclude<Field, ListField>) =>
        entry.type === 'object'
          ? field.object(narrowed(entry.fields, asked, `${own}.`), isPromised(entry) ? { required: true } : {})
          : entry
      return inside
        ? [[name, definition.type === 'list' ? field.list(inner(definition.entry) as EntryField) : inner(definition)]]
        : []
    }),
  )

const situationsOf = ({ stores, schemas }: Contender): fc.Arbitrary<Situation> =>
  fc.tuple(schemas, stores).chain(([inner, storeOf]) => {
    const schemaOf = (fields: Fields) => defineSchema({ ...fields, id: field.integer() })
    const featuresOf = (schema: Schema) => storeOf(schema).backend.capabilities.features
    const features = featuresOf(schemaOf(inner.fields))
    return fc
      .record({
        rows: fc
          .array(someRow(inner, features), { maxLength: 6 })
          .map((rows) => rows.map((row, at) => ({ ...row, id: at + 1 }))),
        filters: fc.array(someFilter(inner), { minLength: 1, maxLength: 60, size: 'max' }),
        conditions: someConditions(inner),
      })
      .map(({ rows, filters, conditions }) => {
        const texts = rows.flatMap(textsIn)
        const asked = [...filters.flatMap((filter) => pathsIn(filter)), ...conditions.map(({ field }) => field.name)]
        const narrow = schemaOf(narrowed(inner.fields, [...new Set(asked)]))
        return {
          storeOf,
          // Fewer fields can be in other layouts, which must store the rows, too.
          schema: features.every((feature) => featuresOf(narrow).includes(feature)) ? narrow : schemaOf(inner.fields),
          rows,
          filters: filters.map((filter) => meeting(filter, texts)),
          conditions,
        }
      })
  })

/** What an engine selects by a filter: ids in order, or the error that it throws. */
interface Answer {
  readonly selected: readonly number[] | string
  readonly output: unknown
  readonly exception: Exception | undefined
}
async function answer(contender: Contender, store: Store, rows: readonly Row[], filter: Filter): Promise<Answer> {
  try {
    const output = store.backend.compile(filter)
    const exception = store.excepts(filter, rows, output)
    // Engines may fail where they depart.
    const selected = exception === 'departure' ? [] : (await store.select(output)).toSorted((a, b) => a - b)
    return { selected, output: store.show(output), exception }
  } catch (error) {
    return {
      selected: String(error),
      output: undefined,
      exception: isRefusal(contender, error) ? 'refusal' : undefined,
    }
  }
}

/** @throws Disagreed at the first difference: from memory, or from what a law expects. */
async function check(contender: Contender, situation: Situation): Promise<Counts> {
  const { storeOf, schema, rows, filters } = situation
  const store = storeOf(schema)
  // Some cannot even store the rows.
  if (store.excepts(and(), rows, store.backend.compile(and())) === 'departure')
    return { pairs: 0, leftOut: filters.length, laws: 0 }

  type Law = { readonly name: string; readonly others: readonly Filter[] }
  type Said = Pick<Difference, 'expected' | 'selected' | 'output'> & { readonly filter: Filter; readonly law?: Law }
  const differ = ({ filter, law, ...difference }: Said): never => {
    const said = [
      `const filter = ${filterSource(schema, filter)}`,
      ...(law ? [`const others = [${law.others.map((other) => filterSource(schema, other)).join(', ')}]`] : []),
    ]
    throw new Disagreed({ schema, rows, layout: store.layout, said, ...difference, ...(law && { law: law.name }) })
  }
  const all = rows.map(({ id }) => id)
  await store
    .fill(rows)
    .catch((error) => differ({ filter: and(), expected: all, selected: String(error), output: undefined }))
  try {
    const claims = laws.flatMap((law) => law.claims(situation).map(([first, ...others]) => ({ law, first, others })))
    const asked = new Set([...filters, ...claims.flatMap(({ first, others }) => [first, ...others])])
    const answers = new Map<Filter, Answer>()
    for (const filter of asked) answers.set(filter, await answer(contender, store, rows, filter))

    const compare = (filter: Filter, expected: readonly number[], law?: Law) => {
      const { selected, output } = answers.get(filter)!
      if (String(selected) !== String(expected)) differ({ filter, expected, selected, output, ...(law && { law }) })
    }
    for (const [filter, { exception }] of contender.isReference ? [] : answers) {
      const selected = rows.filter(memoryBackend().compile(filter))
      if (exception === undefined)
        compare(
          filter,
          Array.from(selected, ({ id }) => id),
        )
    }
    let checked = 0
    for (const { law, first, others } of claims) {
      const given = others.map((other) => answers.get(other)!)
      const hasNone = ({ exception }: Answer) => exception === 'departure' || exception === 'refusal'
      if ([answers.get(first)!, ...given].some(hasNone)) continue
      const ids = given.map(({ selected }) => (typeof selected === 'string' ? [] : selected))
      compare(first, law.expected(ids, all), { name: law.name, others })
      checked++
    }
    const leftOut = filters.filter((filter) => answers.get(filter)!.exception !== undefined).length
    return { pairs: filters.length - leftOut, leftOut, laws: checked }
  } finally {
    await store.drop()
  }
}

/** As a query where the language can express it. */
export function filterSource(schema: Schema, filter: Filter): string {
  try {
    return `parseFilterOrThrow(schema, ${JSON.stringify(printFilter(schema, filter))})`
  } catch (error) {
    if (!(error instanceof FilterError)) throw error
    return JSON.stringify(map(filter, ({ span: _, ...node }) => node))
  }
}

export const filters: Subject<Situation> = { option: '', situationsOf, check }
