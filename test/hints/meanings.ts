/**
 * Texts in the spellings of other APIs, each with what it means, and the law of hints: who follows a hint, or applies a suggestion, gets
 * the rows, the order or the fields that the text means, or no query at all. Nothing here comes from the tables of the library.
 */
import type { Collection, Issue, QueryResult, Schema } from '../../src/index.ts'
import { applied } from '../issue/suggestions.ts'
import { followed, writtenIn } from './follow.ts'

// --- Random choices

export type Random = () => number
/** A generator of numbers from a seed (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)]!

// --- Meanings

type Relation = 'eq' | 'gt' | 'gte' | 'lt' | 'lte' | 'range' | 'starts' | 'ends' | 'contains' | 'in'
export interface Condition {
  readonly path: string
  readonly relation: Relation
  readonly operands: readonly string[]
  readonly isNegated: boolean
}
export type Meaning =
  | { readonly kind: 'condition'; readonly condition: Condition }
  | { readonly kind: 'either'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'order'; readonly path: string; readonly isDescending: boolean }
  | { readonly kind: 'without'; readonly path: string }

interface Field {
  readonly path: string
  readonly operands: readonly [string, string]
  readonly relations: readonly Relation[]
  /** The value of a row. */
  readonly valueOf: (row: Row) => unknown
}
/** A row of the oracle; the fields of the schema are those of `turnedSchema`. */
export interface Row {
  readonly id: number
  readonly total: number
  readonly status: string
  readonly note: string
  readonly createdAt: string
  readonly customer: { readonly name: string }
  readonly items: readonly { readonly price: number }[]
}

const ordered = ['eq', 'gt', 'gte', 'lt', 'lte', 'range', 'in'] as const
const texts = ['eq', 'starts', 'ends', 'contains'] as const
const fields: readonly Field[] = [
  { path: 'total', operands: ['5', '7'], relations: ordered, valueOf: (row) => row.total },
  { path: 'status', operands: ['paid', 'held'], relations: ['eq', 'in'], valueOf: (row) => row.status },
  { path: 'note', operands: ['jo', 'surf'], relations: texts, valueOf: (row) => row.note },
  { path: 'customer.name', operands: ['jo', 'surf'], relations: texts, valueOf: (row) => row.customer.name },
  {
    path: 'createdAt',
    operands: ['2024-05-01', '2024-05-03'],
    relations: ordered,
    valueOf: (row) => row.createdAt.slice(0, 10),
  },
  {
    path: 'items.price',
    operands: ['5', '7'],
    relations: ordered,
    valueOf: (row) => row.items.map(({ price }) => price),
  },
]

export const rows: readonly Row[] = Array.from({ length: 24 }, (_, id) => ({
  id,
  total: [3, 5, 6, 7, 9][id % 5]!,
  status: ['paid', 'held', 'new'][id % 3]!,
  note: ['jo', 'xjo', 'jox', 'xjox', 'surf', 'other'][id % 6]!,
  createdAt: `2024-0${id % 2 === 0 ? 5 : 4}-0${1 + (id % 4)}T00:00:00.000Z`,
  customer: { name: ['jo', 'xjo', 'jox', 'xjox', 'surf', 'other'][(id * 5 + 1) % 6]! },
  items: [[], [{ price: 5 }], [{ price: 9 }, { price: 3 }], [{ price: 6 }, { price: 7 }], [{ price: 3 }]][id % 5]!,
}))

function holds({ relation, operands }: Condition, one: unknown): boolean {
  const isNumber = typeof one === 'number'
  const value = one as number
  const [low, high] = operands.map((text) => (isNumber ? Number(text) : text)) as [number, number]
  switch (relation) {
    case 'eq':
      return value === low
    case 'gt':
      return value > low
    case 'gte':
      return value >= low
    case 'lt':
      return value < low
    case 'lte':
      return value <= low
    case 'range':
      return value >= low && value <= high
    case 'in':
      return value === low || value === high
    case 'starts':
      return String(one).startsWith(operands[0]!)
    case 'ends':
      return String(one).endsWith(operands[0]!)
    case 'contains':
      return String(one).includes(operands[0]!)
  }
}
export function selects(condition: Condition, row: Row): boolean {
  const value = fields.find(({ path }) => path === condition.path)!.valueOf(row)
  const isMet = Array.isArray(value) ? value.some((one) => holds(condition, one)) : holds(condition, value)
  return isMet !== condition.isNegated
}

// --- Spellings

/** What other APIs call each relation. */
const words: Readonly<Record<Relation, readonly string[]>> = {
  eq: ['eq', 'is', 'equals', 'exact'],
  gt: ['gt', 'after', 'above', 'greaterThan'],
  gte: ['gte', 'ge', 'min', 'from', 'since'],
  lt: ['lt', 'before', 'below', 'lessThan'],
  lte: ['lte', 'le', 'max', 'until', 'to'],
  range: ['between', 'range', 'btw'],
  starts: ['startsWith', 'sw', 'starts', 'prefix', 'istartswith'],
  ends: ['endsWith', 'ew', 'ends', 'suffix'],
  contains: ['contains', 'ilike', 'icontains', 'containsi'],
  in: ['in', 'oneOf', 'anyOf'],
}
const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
const negations: readonly ((word: string) => string)[] = [
  (word) => `not${capital(word)}`,
  (word) => `not_${word}`,
  (word) => `not-${word}`,
  (word) => `n${word}`,
  (word) => `!${word}`,
  (word) => `non${capital(word)}`,
  (word) => `not.${word}`,
  (word) => `isNot${capital(word)}`,
  (word) => `doesNot${capital(word)}`,
]
/** `w` is the word with its negation, `v` the value. */
const keyed: readonly ((path: string, word: string, value: string) => string)[] = [
  (path, word, value) => `${path}[${word}]=${value}`,
  (path, word, value) => `${path}[$${word}]=${value}`,
  (path, word, value) => `${path}[_${word}]=${value}`,
  (path, word, value) => `${path}_${word}=${value}`,
  (path, word, value) => `${path.replace('.', '__')}__${word}=${value}`,
  (path, word, value) => `${path}.${word}=${value}`,
  (path, word, value) => `${path}${capital(word)}=${value}`,
  (path, word, value) => `${path}:${word}=${value}`,
  (path, word, value) => `${path}-${word}=${value}`,
  (path, word, value) => `filter[${path}][${word}]=${value}`,
  (path, word, value) => `filters[${path.replace('.', '][')}][$${word}]=${value}`,
  (path, word, value) => `where[${path}][${word}]=${value}`,
  (path, word, value) => `filter[${path}_${word}]=${value}`,
  (path, word, value) => encodeURIComponent(`${path}[${word}]`) + `=${value}`,
]
const valued: readonly ((path: string, word: string, value: string) => string)[] = [
  (path, word, value) => `${path}=${word}.${value}`,
  (path, word, value) => `${path}=${word}:${value}`,
  (path, word, value) => `${path}=$${word}:${value}`,
  (path, word, value) => `filter.${path}=$${word}:${value}`,
  (path, word, value) => `filter[${path}]=${word}:${value}`,
  (path, word, value) => `${path}=${word}(${value})`,
  (path, word, value) => `filter=${path}||$${word}||${value}`,
  (path, word, value) => `or=(${path}.${word}.${value},id=-1)`,
]
const signs: readonly (readonly [sign: string, relation: Relation, isNegated: boolean])[] = [
  ['=', 'eq', false],
  ['==', 'eq', false],
  ['!=', 'eq', true],
  ['<>', 'eq', true],
  ['>', 'gt', false],
  ['>=', 'gte', false],
  ['<', 'lt', false],
  ['<=', 'lte', false],
]
const signed: readonly ((path: string, sign: string, value: string) => string)[] = [
  (path, sign, value) => `${path}${sign}${value}`,
  (path, sign, value) => `${path}=${sign}${value}`,
  (path, sign, value) => `${path}[${sign}]=${value}`,
  (path, sign, value) => `${path}[${encodeURIComponent(sign)}]=${value}`,
  (path, sign, value) =>
    `${path}${encodeURIComponent('[')}${sign.replaceAll('>', '%3E').replaceAll('<', '%3C')}${encodeURIComponent(']')}=${value}`,
  (path, sign, value) => `filter=${path}${sign}${value}`,
  (path, sign, value) => `filter[${path}]=${sign}${value}`,
  (path, sign, value) => `q=${path}${sign}${value}`,
]
const odata: Readonly<Record<Exclude<Relation, 'range' | 'in'>, (path: string, value: string) => string>> = {
  eq: (path, value) => `${path} eq ${value}`,
  gt: (path, value) => `${path} gt ${value}`,
  gte: (path, value) => `${path} ge ${value}`,
  lt: (path, value) => `${path} lt ${value}`,
  lte: (path, value) => `${path} le ${value}`,
  starts: (path, value) => `startswith(${path},${value})`,
  ends: (path, value) => `endswith(${path},${value})`,
  contains: (path, value) => `contains(${path},${value})`,
}
const fieldNegations: readonly ((path: string) => string)[] = [
  (path) => `!${path}`,
  (path) => `-${path}`,
  (path) => `not.${path}`,
  (path) => `not_${path}`,
  (path) => `not${capital(path)}`,
  (path) => `exclude${capital(path)}`,
  (path) => `no_${path}`,
  (path) => `filter[!${path}]`,
  (path) => `filter[-${path}]`,
  (path) => `without_${path}`,
]

/** A slip of the fingers. */
function misspelt(random: Random, text: string): string {
  const at = Math.floor(random() * text.length)
  const kind = random()
  if (kind < 0.4) return text.slice(0, at) + text.slice(at + 1)
  if (kind < 0.7) return text.slice(0, at) + text.charAt(at) + text.slice(at)
  return text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2)
}

export interface Sample {
  readonly text: string
  readonly meaning: Meaning
}

function conditionSample(random: Random): Sample {
  const field = pick(random, fields)
  const relation = pick(random, field.relations)
  const { path } = field
  const value = relation === 'range' || relation === 'in' ? field.operands.join(',') : field.operands[0]
  const operands = relation === 'range' || relation === 'in' ? field.operands : field.operands.slice(0, 1)
  const of = (isNegated: boolean, more: Partial<Condition> = {}): Meaning => ({
    kind: 'condition',
    condition: { path, relation, operands, isNegated, ...more },
  })
  const isMisspelt = random() < 0.3
  const word = pick(random, words[relation])
  const isNegated = random() < 0.5
  const isMisspeltWord = isMisspelt && word.length > 4 && random() < 0.5
  const negation = pick(random, negations)
  const named = isNegated
    ? negation(isMisspeltWord ? misspelt(random, word) : word)
    : isMisspeltWord
      ? misspelt(random, word)
      : word
  const written = isMisspelt && !isMisspeltWord ? misspelt(random, path) : path
  const operator = named
  switch (Math.floor(random() * 9)) {
    case 0:
    case 1:
      return { text: pick(random, keyed)(written, operator, value), meaning: of(isNegated) }
    case 2: {
      // A text reads a word before a value as a part of the value.
      if (field.relations === texts) return { text: `filter.${written}=$${operator}:${value}`, meaning: of(isNegated) }
      return { text: pick(random, valued)(written, operator, value), meaning: of(isNegated) }
    }
    case 3: {
      const inner = pick(random, [`[$not][$${word}]`, `[not][${word}]`, `[_not][_${word}]`])
      return { text: `${pick(random, ['', 'filters.'])}${written}${inner}=${value}`, meaning: of(true) }
    }
    case 4: {
      const [sign, meant, isOpposite] = pick(random, signs)
      if (!field.relations.includes(meant) || field.relations === texts) return conditionSample(random)
      const text = pick(random, signed)(written, sign, field.operands[0])
      return { text, meaning: of(isOpposite, { relation: meant, operands: field.operands.slice(0, 1) }) }
    }
    case 5: {
      const text = `${pick(random, fieldNegations)(written)}=${field.operands[0]}`
      return { text, meaning: of(true, { relation: 'eq', operands: field.operands.slice(0, 1) }) }
    }
    case 6: {
      if (relation === 'range' || relation === 'in') {
        const text = pick(random, [
          `${path}=[${field.operands.join(' TO ')}]`,
          `${path}:[${field.operands.join(' TO ')}]`,
        ])
        return relation === 'range' ? { text, meaning: of(false) } : conditionSample(random)
      }
      const quoted = /^\d+$/.test(value) || field.path === 'createdAt' ? value : `'${value}'`
      const text = odata[relation](path.replace('.', '/'), quoted)
      const isList = path === 'items.price'
      const lambda = isList ? `items/any(i: ${odata[relation]('i/price', quoted)})` : text
      return {
        text:
          pick(random, ['$filter=', 'filter=', 'q=']) +
          (isNegated ? pick(random, [`not(${lambda})`, `not ${lambda}`]) : lambda),
        meaning: of(isNegated),
      }
    }
    case 7: {
      // A bound, before and after the name.
      const bound = pick(random, ['gt', 'gte', 'lt', 'lte'] as const)
      if (!field.relations.includes(bound)) return conditionSample(random)
      const one = pick(random, words[bound])
      const stem = path === 'createdAt' && random() < 0.5 ? 'created' : written
      const text = pick(random, [
        `${one}_${stem}`,
        one + capital(stem),
        `${stem}_${one}`,
        stem + capital(one),
        `${one}.${stem}`,
      ])
      return {
        text: `${text}=${field.operands[0]}`,
        meaning: of(false, { relation: bound, operands: field.operands.slice(0, 1) }),
      }
    }
    default: {
      const other = pick(
        random,
        fields.filter((one) => one !== field),
      )
      const [a, b] = [field, other].map((one) => ({ path: one.path, value: one.operands[0] }))
      const both: readonly Condition[] = [a!, b!].map((one) => ({
        path: one.path,
        relation: 'eq',
        operands: [one.value],
        isNegated: false,
      }))
      const bracketed = (one: { path: string; value: string }, at: number, word: string) =>
        `${word}[${at}][${one.path.replace('.', '][')}]=${one.value}`
      const json = (one: { path: string; value: string }) => `{"${one.path}":"${one.value}"}`
      return {
        text: pick(random, [
          `${bracketed(a!, 0, 'or')}&${bracketed(b!, 1, 'or')}`,
          `${bracketed(a!, 0, 'filters[$or]')}&${bracketed(b!, 1, 'filters[$or]')}`,
          `$or=[${json(a!)},${json(b!)}]`,
          `s={"$or":[${json(a!)},${json(b!)}]}`,
          `filter=${a!.path}==${a!.value},${b!.path}==${b!.value}`,
          `$filter=${a!.path.replace('.', '/')} eq '${a!.value}' or ${b!.path.replace('.', '/')} eq '${b!.value}'`,
        ]),
        meaning: { kind: 'either', conditions: both },
      }
    }
  }
}

function orderSample(random: Random): Sample {
  const path = pick(random, ['total', 'id', 'createdAt', 'note', 'updated', 'customer.name'])
  const isDescending = random() < 0.7
  const word = isDescending ? pick(random, ['desc', 'DESC', 'descending', '-1']) : pick(random, ['asc', 'ASC', '1'])
  const short = isDescending ? 'desc' : 'asc'
  const written = random() < 0.2 ? misspelt(random, path) : path
  const name = pick(random, ['sort', '_sort', 'order', 'orderBy', 'order_by', '$orderby', 'sortBy', 'ordering'])
  const text = pick(random, [
    `${name}=${written}:${word}`,
    `${name}=${written} ${word}`,
    `${name}=${written},${word}`,
    `${name}=${written}.${short}`,
    `${name}=${written}_${short}`,
    `${name}=${written}${capital(short)}`,
    `${name}=${short}(${written})`,
    `${name}=${short}:${written}`,
    `${name}=${short} ${written}`,
    `${name}=${short}_${written}`,
    `${name}[${written}]=${word}`,
    `${name}.${written}=${short}`,
    `${name}={"${written}":${isDescending ? -1 : 1}}`,
    `${name}=${isDescending ? '-' : ''}${written}`,
    `_sort=${written}&_order=${short}`,
    `sort=${written}&direction=${short}`,
    `sort=${written}&order=${short}`,
    ...(isDescending ? [`sort=${written}&desc=true`, `sort=!${written}`, `sort=~${written}`] : []),
  ])
  return { text, meaning: { kind: 'order', path, isDescending } }
}

function withoutSample(random: Random): Sample {
  const path = pick(random, ['total', 'note'])
  const text = pick(random, [
    `fields=-${path}`,
    `fields=!${path}`,
    `select=-${path}`,
    `$select=-${path}`,
    `fields[exclude]=${path}`,
    `fields[-]=${path}`,
    `facets=-${path}`,
    `facet=!${path}`,
    `exclude=${path}`,
    `-fields=${path}`,
  ])
  return { text, meaning: { kind: 'without', path } }
}

export function sample(random: Random): Sample {
  const kind = random()
  return kind < 0.75 ? conditionSample(random) : kind < 0.95 ? orderSample(random) : withoutSample(random)
}

// --- The law

export interface Library {
  readonly parse: (text: string) => QueryResult
  readonly collection: Collection
  readonly schema: Schema
  readonly matches: (filter: never, row: Row) => boolean
}

/** Every text to which hints and suggestions lead: applied in turn, or what a hint writes in place of the pair. */
export function* consequences({ parse, schema, collection }: Library, { text, meaning }: Sample): Iterable<string> {
  const result = parse(text)
  if (result.ok) return
  let edited = text
  for (let issues: readonly Issue[] = result.issues, step = 0; step < 4; step++) {
    const suggestion = issues.find((issue) => issue.suggestion !== undefined)?.suggestion
    if (suggestion === undefined) break
    edited = applied(edited, suggestion)
    yield edited
    const next = parse(edited)
    if (next.ok) break
    issues = next.issues
  }
  const operands = meaning.kind === 'condition' ? meaning.condition.operands : undefined
  for (const { hint = '', span } of result.issues) {
    const written = writtenIn(hint)
    if (written !== undefined) {
      let at = 0
      const own =
        operands === undefined ? written : written.replaceAll('…', () => operands[Math.min(at++, operands.length - 1)]!)
      yield meaning.kind === 'order' ? written.replaceAll('…', 'id') : followed(own, schema, collection)
    }
    const name = /did you mean (\S+)\?/.exec(hint)?.[1]
    if (name !== undefined && span !== undefined) yield text.slice(0, span.start) + name + text.slice(span.end)
  }
}

export type Loss = 'negation' | 'direction' | 'bound' | 'other'

/** What a text that hints lead to loses of what was meant; `undefined` where it keeps all, or is no query. */
export function lossOf({ parse, matches }: Library, meaning: Meaning, text: string): Loss | undefined {
  const result = parse(text)
  if (!result.ok) return undefined
  const {
    filter,
    sort,
    fields: selected,
    facets,
  } = result.query as never as {
    readonly filter: never
    readonly sort: readonly { readonly path: readonly string[]; readonly direction: string }[]
    readonly fields?: readonly (readonly string[])[]
    readonly facets?: readonly { readonly path: readonly string[] }[]
  }
  const selectedIds = (test: (row: Row) => boolean) =>
    rows
      .filter(test)
      .map(({ id }) => id)
      .join()
  const found = selectedIds((row) => matches(filter, row))
  const everything = selectedIds(() => true)
  switch (meaning.kind) {
    case 'condition': {
      const { condition } = meaning
      if (found === selectedIds((row) => selects(condition, row))) return undefined
      const isOpposite = condition.isNegated && rows.some((row) => matches(filter, row) && !selects(condition, row))
      if (isOpposite) return 'negation'
      return /^(?:gte?|lte?|range)$/.test(condition.relation) ? 'bound' : 'other'
    }
    case 'either': {
      const isMeant = (row: Row) => meaning.conditions.some((one) => selects(one, row))
      return found === selectedIds(isMeant) ? undefined : 'other'
    }
    case 'order': {
      if (found !== everything) return 'direction'
      // The order of a pair that is a query by itself is no consequence of a hint.
      const [first] = sort
      const isMeant =
        first?.path.join('.') === meaning.path && (first.direction === 'descending') === meaning.isDescending
      // Where a hint names no path, a client writes one of those that it lists; its direction stays.
      const isDirected = text.includes('sort=') && (first?.direction === 'descending') === meaning.isDescending
      return isMeant || isDirected ? undefined : 'direction'
    }
    case 'without': {
      const named = [...(selected ?? []), ...(facets ?? []).map(({ path }) => path)].map((path) => path.join('.'))
      return named.includes(meaning.path) || found !== everything ? 'negation' : undefined
    }
  }
}

/**
 * Whether suggestions that are applied one after another end. A pair hides at most two issues: those of its operator and of its operand
 * while its field is unknown.
 */
export function endsIn(parse: (text: string) => QueryResult, text: string): boolean {
  const seen = new Set([text])
  const most = 3 * text.split(/[&,(]/).length
  let edited = text
  for (let step = 0; step < most; step++) {
    const result = parse(edited)
    const suggestion = result.ok ? undefined : result.issues.find((issue) => issue.suggestion !== undefined)?.suggestion
    if (suggestion === undefined) return true
    edited = applied(edited, suggestion)
    if (seen.has(edited)) return false
    seen.add(edited)
  }
  return false
}
