/**
 * The meaning of filters, as data: fixtures of rows, queries over them, and the ids that each query selects. The ids are worked out
 * by hand from docs/concepts/semantics.md, never by running a backend.
 */
import type { Case } from './cases/case.ts'
import { inEmptyEntries, inNullEntries } from './cases/entries.ts'
import { dateObjects, inFinerDates, inValueForms, isMisplaced, isMisplacedExact, isOther } from './cases/forms.ts'
import { anyJson } from './cases/json.ts'
import { lists, objects } from './cases/lists.ts'
import { everywhere, inOtherForms } from './cases/operators.ts'
import { inOrders } from './cases/orders.ts'
import { inPlaces } from './cases/places.ts'
import { promised } from './cases/promises.ts'
import { pageCases } from './cases/queries.ts'
import type { QueryCase } from './cases/query-case.ts'
import { exactText, foldedText, plainText } from './cases/text.ts'
import { dollarKeys, hostileKeys, inOtherRecords, inRecords } from './cases/records.ts'
import { trees } from './cases/trees.ts'
import { zones } from './cases/zones.ts'

export type { Case, Fixture, FixtureRow } from './cases/case.ts'
export type { QueryCase, QueryFixture } from './cases/query-case.ts'

/** Every case of filters. `runBackend` runs them on a backend. */
export const cases: readonly Case[] = Object.freeze([
  ...everywhere,
  ...lists,
  ...objects,
  ...trees,
  ...promised,
  ...inEmptyEntries,
  ...inNullEntries,
  ...plainText,
  ...foldedText,
  ...exactText,
  ...inOtherForms,
  ...isOther,
  ...isMisplaced,
  ...isMisplacedExact,
  ...dateObjects,
  ...inFinerDates,
  ...inValueForms,
  ...zones,
  ...anyJson,
  ...inRecords,
  ...inOtherRecords,
  ...hostileKeys,
  ...dollarKeys,
])

/** Every case of order and pages. `runQueries` runs them on a backend. */
export const queryCases: readonly QueryCase[] = Object.freeze([...pageCases, ...inPlaces, ...inOrders])
