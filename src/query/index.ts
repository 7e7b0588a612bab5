/** Queries as values: filter, order, position, fields, facets; cursors and pages. Re-exports only. */
export type { AnswerPage, AnswerRow, FacetOf, SelectableOf } from './answer-page.ts'
export * from './combine.ts'
export {
  conditionsIn,
  isQuantifier,
  newCondition,
  newGroup,
  partsOfFilter,
  sharedList,
  type AskedPart,
  type BoundCondition,
  type BoundFilter,
  type BoundGroup,
  type BoundMember,
} from './conditions.ts'
export { clockOfCursor, cursorOf, nameOfKey, positionOfCursor } from './cursor.ts'
export { unnamedDefaults, withDefaults } from './defaults.ts'
export { namedValues, tallyOf, type FacetValue, type FacetValues } from './facet-values.ts'
export { facetOf, filterBeside, isFacetOf, isSameField, nameOfFacet, presenceOfFacet, type Facet } from './facets.ts'
export * from './order.ts'
export * from './page.ts'
export { chosenOf, pickFields, readIn, shownIn } from './pick-fields.ts'
export * from './query.ts'
export { chosenIn, drivenFormOf, formFor, formOf, type Chosen } from './schema-form.ts'
export { encodeWords, plainWords, searchMembers, wordText, type Word } from './search.ts'
export { asDeclared, checkRow, valueAt, type DriverForm, type ValueReader, type SortValue } from './sort-value.ts'
export { checkPage, keyOfRow, showRows, toAnswer, withKey } from './to-answer.ts'
