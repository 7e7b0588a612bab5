/** Findings → what somebody probably meant. Re-exports only. */
export { flagOf, hasDirection, isDescending, isSize, orderIn, pathsIn } from './foreign.ts'
export {
  duplicateAdvice,
  fieldAdvice,
  groupAdvice,
  isOtherKey,
  malformedAdvice,
  notApplicableAdvice,
  operandAdvice,
  operatorAdvice,
  renamedOperator,
  searchesAdvice,
  sortExample,
} from './hints.ts'
export { exampleText, hasWildcard, parameterText, sortText, suggestionFor, writeAdvice } from './suggestion.ts'
