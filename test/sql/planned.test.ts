/** The cases by hand on tables at which planners choose: each row 150 times, indexes on everything that an operator may look in. */
import { afterAll, expect, test } from 'vitest'
import { failures, resultsOf } from '../cases.ts'
import { openContenders, tableEngines } from '../differential/contenders.ts'

const copies = 150
const { contenders, close } = await openContenders(process.env.ENGINES?.split('; '), { copies, isIndexed: true })
afterAll(close)
const fixed = contenders.flatMap(({ name, engine, storeOf }) =>
  storeOf === undefined || !tableEngines.includes(engine) ? [] : [{ name, storeOf }],
)

test.each(fixed)(
  '$name: selects all copies of a row or none, as worked out by hand, by each planner',
  async ({ storeOf }) => {
    const results = await resultsOf(storeOf)
    expect(failures(results).map(({ case: { name }, selected, error }) => ({ name, selected, error }))).toEqual([])
    expect(results.filter(({ outcome }) => outcome === 'passed').length).toBeGreaterThan(600)
  },
  300_000,
)
