/** Compiles all that a collection offers when a program starts, and not at the first query that needs it. */
import { isLiteralType, type Filter, type Literal, type LiteralType } from '../tree/index.ts'
import { FilterError, type Issue } from '../issue/index.ts'
import { checkCollection, fieldAndKey, operatorsFor, readers, samples } from '../language/index.ts'
import type { Collection, OperatorRow, OrderOption, ResolvedField } from '../language/index.ts'
import { orderOptionsOf, type Query } from '../query/index.ts'
import { parseQueryOrThrow } from '../hints/index.ts'
import { own } from '../own.ts'
import { queryString } from '../writing/index.ts'
import type { Backend, Feature } from '../backends/backend.ts'

/** An operand. A text has letters of both cases, because a backend may refuse to ignore case. */
const sampleOf = (type: LiteralType): string => (type === 'string' ? 'Aa' : samples[type][0])

/** A message lists so many reasons, and so many examples of each. */
const mostListed = 5
const listOf = (items: readonly string[], separator: string): string =>
  [...items.slice(0, mostListed), ...(items.length > mostListed ? ['…'] : [])].join(separator)

/**
 * Checks that a backend supports a collection: each operator on each field, groups, `search`, each order in both directions (first page and
 * next page), each selectable field and each facet. It compiles sample operands, and ignores a refusal of the sample itself. It compiles
 * pages by `select`, if the backend has this feature, else by `compileQuery`. It skips orders and fields if the backend has neither.
 *
 * `createListService` calls it for `rows.backend`. A program without the service calls it at its start.
 *
 * @param argument the name of the backend in the error.
 * @throws TypeError that lists the fields and conditions that the backend refuses.
 * @example
 * checkBackend(orderCollection, sqlBackend({ dialect: postgres, table: orderTable }))
 */
export function checkBackend(collection: Collection, backend: Backend<unknown>, argument = 'backend'): void {
  checkReading(collection, backend, argument, true)
}

/** @param selects whether the rows are those of `select`, if the backend has it. */
export function checkReading(
  collection: Collection,
  backend: Backend<unknown>,
  argument: string,
  selects: boolean,
): void {
  checkCollection(collection)
  if (typeof backend?.compile !== 'function') throw new TypeError(`${argument} must be a backend`)
  const { visible, sortable, selectable, facets, parameters } = collection
  /** Reason → the conditions that the backend refuses for it. */
  const refused = new Map<string, string[]>()
  let cause: unknown
  /** @returns whether the backend compiles it. */
  const attempt = (what: string, compile: () => unknown, counts: (issue: Issue) => boolean): boolean => {
    const refusal = refusalOf(compile, counts)
    if (refusal === undefined) return true
    cause ??= refusal.error
    refused.set(refusal.reason, [...(refused.get(refusal.reason) ?? []), what])
    return false
  }

  let inGroup: Filter | undefined
  for (const declared of visible.paths.values())
    for (const field of fieldAndKey(visible, declared)) {
      for (const operator of operatorsFor(field, collection)) {
        const condition = `${field.name}[${operator.name}]`
        const { filter } = queryOf(collection, { filter: { [condition]: operandOf(field, operator) } })
        if (attempt(condition, () => backend.compile(filter), isOfMapping)) inGroup ??= filter
      }
    }
  if (inGroup !== undefined && parameters.has('or')) {
    const one = inGroup
    attempt(`${parameters.get('or')}=(…)`, () => backend.compile({ kind: 'or', filters: [one, one] }), isOfMapping)
    attempt(`${parameters.get('not')}=(…)`, () => backend.compile({ kind: 'not', filter: one }), isOfMapping)
  }
  const search = parameters.get('search')
  if (search !== undefined) {
    const { filter } = queryOf(collection, { search: sampleOf('string') })
    attempt(search, () => backend.compile(filter), isOfMapping)
  }
  const pageOf = pageCompiler(backend, selects)
  if (pageOf !== undefined) {
    const orders = ['', ...Array.from(sortable.keys(), (name) => [name, `-${name}`]).flat()]
    for (const order of orders) {
      const query = queryOf(collection, order === '' ? {} : { sort: [order] })
      const what = order === '' ? 'the default order' : `sort=${order}`
      if (attempt(what, () => pageOf(query), isAny)) {
        attempt(`${what} after a cursor`, () => pageOf(positioned(query)), isOfMapping)
      }
    }
    for (const name of selectable?.keys() ?? []) {
      const query = queryOf(collection, { fields: [name] })
      attempt(`fields=${name}`, () => pageOf(query), isAny)
    }
  }
  for (const name of facets.keys()) {
    const query = queryOf(collection, { facets: [name] })
    attempt(`facets=${name}`, () => countIn(backend, query), isAny)
  }

  if (refused.size === 0) return
  const reasons = Array.from(refused, ([reason, examples]) => `${reason} (${listOf(examples, ', ')})`)
  const count = [...refused.values()].flat().length
  const what = `${count} of the operators, orders, fields and facets that the collection offers`
  throw new TypeError(`${argument}, ${backend.name}, refuses ${what}: ${listOf(reasons, '; ')}`, { cause })
}

/** For each option of an order: the feature that it requires, and the words about a backend without the feature. */
const orderFeatures: { readonly [O in OrderOption]: readonly [feature: Feature, otherwise: string] } = {
  nulls: ['placed-nulls', 'has one place for rows without a value'],
  ignoreCase: ['ignored-case', 'orders texts by their case'],
  declared: ['declared-orders', 'orders the values of an enumeration by code point'],
}

/** The method that compiles a page; `undefined` for a backend that only filters. */
function pageCompiler(backend: Backend<unknown>, selects: boolean): ((query: Query) => unknown) | undefined {
  const compile =
    selects && backend.select !== undefined && backend.capabilities.features.includes('select')
      ? backend.select
      : backend.compileQuery
  if (compile === undefined) return undefined
  const { features } = backend.capabilities
  return (query) => {
    const compiled = compile(query)
    for (const option of query.sort.flatMap(orderOptionsOf)) {
      const [feature, otherwise] = orderFeatures[option]
      if (!features.includes(feature)) throw new TypeError(`a backend without the feature ${feature} ${otherwise}`)
    }
    // MongoDB's backend makes the readers of fields at the first page.
    if (compile === backend.select) (compiled as { readonly page?: (rows: readonly unknown[]) => unknown }).page?.([])
  }
}

const none: Issue = {
  code: 'backend_unsupported',
  fault: 'server',
  message: 'this backend counts no facets',
  parameters: { problem: 'facets' },
}
function countIn(backend: Backend<unknown>, query: Query): void {
  if (typeof backend.facets !== 'function') throw new FilterError([none])
  backend.facets(query)
}

/** Reads the text that a client would send, so that defaults and names of parameters apply. */
function queryOf(collection: Collection, parts: object): Query {
  const text = queryString(parts as never, Object.fromEntries(collection.parameters))
  const limits = { length: Infinity, searches: Infinity, pairs: Infinity, depth: Infinity, operand: Infinity }
  return parseQueryOrThrow(collection, text, { limits })
}

function operandOf({ literal, values }: ResolvedField, { operands, operandKind }: OperatorRow): unknown {
  const operand =
    operandKind === 'count'
      ? 1
      : operandKind === 'flag' || !isLiteralType(literal)
        ? true
        : (values?.[0] ?? sampleOf(literal))
  return operands === 'one' ? operand : operands === 'two' ? [operand, operand] : [operand]
}

/** The page after a row that has a sample for each sort key. */
const positioned = (query: Query): Query => ({
  ...query,
  position: {
    toward: 'next',
    values: query.sort.map((key) => {
      const { type } = key
      return readers[type].fromText(own(key, 'declared')?.[0] ?? sampleOf(type)) as Literal
    }),
  },
})

/** Why a backend compiles something for no query, and the error. A mapping that it cannot read back is a TypeError. */
function refusalOf(
  compile: () => unknown,
  counts: (issue: Issue) => boolean,
): { readonly reason: string; readonly error: unknown } | undefined {
  try {
    compile()
    return undefined
  } catch (error) {
    if (error instanceof TypeError) return { reason: error.message, error }
    if (!(error instanceof FilterError)) throw error
    const issue = error.issues.find(counts)
    return issue && { reason: issue.message, error }
  }
}

const isAny = (): boolean => true
/** The mapping is at fault: another operand would fail too. */
const isOfMapping = (issue: Issue): boolean =>
  issue.code !== 'backend_refused' && !(Object.hasOwn(issue, 'fault') && issue.fault === 'client')
