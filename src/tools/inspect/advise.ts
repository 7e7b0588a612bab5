/** `advise`: lists the indexes that the queries of a collection lack. */
import { checkOptions } from '../../options.ts'
import { own } from '../../own.ts'
import type { Database, Engine, TableFacts } from './database.ts'
import { namesIn, newIndex, statementOf, type NewIndex } from './new-index.ts'
import { needsOf, rowsIn, type Need } from './needs.ts'
import { groupBy } from './run.ts'
import { serves } from './serving.ts'
import type { Mapped } from './uses.ts'

/** Options of {@link advise}. */
export interface AdviseOptions extends Mapped {
  /** The paths of the fields that a restriction compares by equality in every query: `['tenant']`. Indexes then begin with them. */
  readonly restriction?: readonly string[]
  /** Whether to list indexes for small tables, and for conditions for which a page reads few rows without an index. */
  readonly all?: boolean
}

/** An index that a table lacks, or a need that no index serves. */
export interface Advice {
  /** The schema and the name of the table. */
  readonly table: readonly [schema: string, name: string]
  /** The parts of queries: `sort=-created`, `status: equals, in`, `the list items`. */
  readonly serves: readonly string[]
  /** The statement that creates the index. On SQLite, a second statement collects statistics. */
  readonly statement?: string
  /** The reason why no index serves these parts. */
  readonly never?: string
  /** About how many rows a page reads without the index, if the engine has counted the rows. */
  readonly reads?: number
}

/** A page that reads fewer rows needs no index. */
const fewRows = 2_000
/** A smaller table needs no index. */
const smallTable = 1_000

/**
 * Lists the indexes that the queries of a collection lack. Queries need an index on the foreign key of each list, for each order, and for
 * each condition that selects few rows. `advise` compares the expressions of their statements with the indexes of a description. It
 * reads no database.
 *
 * @param database the result of `inspect`.
 * @returns foreign keys first, then orders and conditions. Each index is listed once, with all parts of queries that it serves. The last
 *   items are the parts that no index serves.
 * @throws TypeError if an option is wrong, or if `sqlBackend` refuses the mapping.
 * @example
 * const described = await inspect((text, parameters) => file.prepare(text).all(...parameters), { dialect: sqlite })
 * const schema = defineSchema({ id: field.integer({ required: true }), total: field.number() })
 * const collection = defineCollection(schema, { key: 'id', sort: ['total'] })
 * const mapped = { dialect: sqlite, table: table('orders', { schema, key: 'id' }), collection }
 * const [advice] = advise(described, { ...mapped, all: true })
 * advice?.statement // => 'CREATE INDEX "main"."orders_total" ON "orders" ("total"); ANALYZE "main"."orders"'
 */
export function advise(database: Database, options: AdviseOptions): readonly Advice[] {
  const names = ['dialect', 'table', 'collection', 'restriction', 'all']
  const { restriction = [], all = false, ...mapped } = checkOptions(options, 'options', names)
  if (!Array.isArray(restriction)) throw new TypeError('options.restriction must be a list of paths')
  const { engine } = database
  const needs = needsOf(database, mapped, restriction).filter(
    (need) =>
      kinds.includes(need.table.kind) &&
      (all || (rowsIn(need.table) >= smallTable && (need.kind === 'order' || need.reads >= fewRows))),
  )
  const lacking = needs.filter(
    (need) =>
      own(need, 'never') === undefined &&
      !need.table.indexes.some((index) => serves(engine, index, need)) &&
      (all || !isReadInOrder(engine, need)),
  )
  return [...lackingIndexes(database, mapped, lacking), ...neverServed(needs)]
}
const kinds: readonly TableFacts['kind'][] = ['table', 'partitioned', 'materialized view']

/** Whether an index of the order alone soon fills a page with rows of the restriction. SQLite sorts all of these rows instead. */
const isReadInOrder = (engine: Engine, need: Need): boolean =>
  engine !== 'sqlite' &&
  (need.readsInOrder ?? Infinity) < fewRows &&
  need.table.indexes.some((index) => serves(engine, index, { ...need, restriction: [] }))

function lackingIndexes(database: Database, mapped: Mapped, needs: readonly Need[]): readonly Advice[] {
  const planned: { index: NewIndex; needs: Need[] }[] = []
  for (const need of needs) {
    const same = planned.find(
      ({ index, needs: [first] }) => first!.table === need.table && serves(database.engine, index.facts, need),
    )
    if (same === undefined) planned.push({ index: newIndex(database, need), needs: [need] })
    else same.needs.push(need)
  }
  const hasTrigrams = own(database.session.extensions ?? {}, 'pg_trgm') !== undefined
  const trigrams = planned.find(({ index }) => !hasTrigrams && index.facts.entries[0]?.class === 'gin_trgm_ops')
  const names = namesIn(database)
  return planned.flatMap((plan): readonly Advice[] => {
    const [first] = plan.needs
    const reads = Math.max(...plan.needs.map((need) => need.reads))
    const advice = {
      ...partsOf(plan.needs),
      statement: statementOf(database, mapped.dialect, first!.table, plan.index, names),
      ...(reads < Infinity && { reads: Math.round(reads) }),
    }
    return plan === trigrams
      ? [{ ...partsOf(plan.needs), statement: 'CREATE EXTENSION IF NOT EXISTS pg_trgm' }, advice]
      : [advice]
  })
}

const partsOf = (needs: readonly Need[]): Pick<Advice, 'table' | 'serves'> => ({
  table: [needs[0]!.table.schema, needs[0]!.table.name],
  serves: needs.map((need) => need.serves),
})

/** One advice for each reason of a table. */
const neverServed = (needs: readonly Need[]): readonly Advice[] =>
  Array.from(
    groupBy(
      needs.filter((need) => own(need, 'never') !== undefined),
      ({ table: { schema, name }, never }) => JSON.stringify([schema, name, never]),
    ).values(),
    (some) => ({ ...partsOf(some), never: some[0]!.never! }),
  )
