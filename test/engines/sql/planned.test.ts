/** The cases by hand on tables at which planners choose: each row many times, indexes on everything that an operator may look in. */
import { afterAll, expect, test } from 'vitest'
import { failures, resultsOf } from '../../conformance/cases.ts'
import { openContenders, tableEngines } from '../../differential/contenders.ts'
import { isComplete, isFull } from '../../effort.ts'

/** MySQL's wrong joins of lists begin at 14 rows; a fixture has about ten. COPIES=300 makes thousands, in half an hour. */
const copies = Number(process.env.COPIES ?? 40)
/** The test dialects lack a type for a column whose index has the order of texts. ClickHouse also lacks these indexes. */
const withoutIndexes = ['clickhouse', 'oceanbase']
/** One dialect of each. */
const engines =
  process.env.ENGINES?.split('; ') ??
  tableEngines.filter((name) => !name.includes(',') && !withoutIndexes.includes(name))
const { contenders, close } = await openContenders(isComplete ? engines : ['sqlite'], { copies, isIndexed: true })
afterAll(close)
/**
 * Only a full run tries all layouts, and all engines. Other runs try the layout in which most columns have an index, on servers and SQLite. test/conformance/cases.test.ts has the cases in every layout of every engine.
 */
const isAsked = (name: string) => isFull || /^(?:sqlite|postgres|mariadb|mysql)\b.*, tables$/.test(name)
const fixed = contenders.flatMap(({ name, engine, storeOf }) =>
  storeOf === undefined || !tableEngines.includes(engine) || !isAsked(name) ? [] : [{ name, storeOf }],
)

test.runIf(isComplete).each(fixed)(
  '$name: selects all copies of a row or none, as worked out by hand, by each planner',
  async ({ storeOf }) => {
    const results = await resultsOf(storeOf)
    expect(failures(results).map(({ case: { name }, selected, error }) => ({ name, selected, error }))).toEqual([])
    expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(600)
  },
  600_000,
)
