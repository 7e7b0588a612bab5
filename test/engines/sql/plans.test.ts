/** Conditions on columns use the indexes that docs/guides/sql-indexes.md recommends, and those that it says cannot do not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { literalTypes, operators } from '../../../src/index.ts'
import { openSqlite, wholeSqlite } from './engines.ts'
import { sectionsOf, tableRows } from '../../package/page.ts'

const section = sectionsOf('guides/sql-indexes.md')
import { isKept, markdown, openPlans, sqlitePlans } from './plans.ts'

const shown = await openPlans()
const engines = [
  ...shown,
  // Its own function is in the index, and the planner knows nothing of the values.
  sqlitePlans({ ...openSqlite(wholeSqlite), name: 'sqlite, lower-casing whole, without ANALYZE' }, []),
]

describe.each(engines)('$name', ({ lines, columns, load, used, close }) => {
  beforeAll(load)
  afterAll(close)

  test.each(lines)('$asked $operators: $indexes', async (line) => {
    const plans = await used(line)
    expect(plans.length).toBeGreaterThan(0)
    expect(plans.filter((plan) => !isKept(line, plan))).toEqual([])
    // For a bound that it does not know, PostgreSQL expects a third of the rows, and may rather scan.
    const told = plans.filter(({ plan }) => plan.endsWith('told not to scan'))
    expect(told.filter(({ query }) => !/\[(gt|gte|lt|lte)\]=[^&]*$/.test(query))).toEqual([])
  })

  test('every positive operator is asked of every type that takes it', () => {
    const asked = lines.flatMap(({ asked, operators = [] }) =>
      operators.map((name) => `${name} ${columns[asked]?.field.type}`),
    )
    const expected = Object.values(operators)
      .filter(({ complement }) => !complement)
      .flatMap(({ name, types }) =>
        literalTypes.filter((type) => types.includes(type)).map((type) => `${name} ${type}`),
      )
    expect(expected.filter((one) => !asked.includes(one))).toEqual([])
  })

  test('what has no index has a reason', () => {
    expect(lines.filter(({ indexes, note }) => indexes.length === 0 && note === undefined)).toEqual([])
  })
})

test.each(shown)('the table in the docs: $dialect', (plans) => {
  section(`table: plans: ${plans.dialect}`, tableRows, markdown(plans))
})
