/** Makes advice from findings: one row for each kind of doubt. */
import { hintOf, type Advice, type Finding, type Span, type Suggestion } from '../issue/index.ts'
import { entrySchema, isEntry, quantified } from '../language/index.ts'
import { decode, decodeClear, keyText, type Condition } from '../asked/index.ts'
import type { Malformed } from '../reading/index.ts'
import type { ConditionContext, Doubt, ObjectAdviser, TextAdviser } from '../binding/index.ts'
import {
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
  type HintContext,
} from './hints.ts'
import { inObject } from './members.ts'
import { pathAdvice, repeatedAdvice, valueAdvice } from './parameters.ts'
import { hasWildcard, isOffered, rowOf, suggestionFor, writeAdvice, type Advised, type PairSpan } from './suggestion.ts'
import { own } from '../own.ts'
import { newBudget, type Budget } from '../suggest.ts'

const edit = ({ start, end }: Span, insert: string): Advised => ({ suggestion: { span: { start, end }, insert } })

/** Makes the advice of each kind of doubt. `suggestionFor` makes the edit from the advice, unless the function returns one. */
const advisers: {
  readonly [K in Doubt['kind']]: (
    doubt: Extract<Doubt, { readonly kind: K }>,
    finding: Finding,
    budget: Budget,
  ) => readonly Advice[] | Advised
} = {
  percent: (_, { span: { start } }) => edit({ start, end: start + 1 }, '%25'),
  'empty text': (_, { span }) => edit(span, '""'),
  malformed: ({ context, pair }, _, budget) => pairAdvice(inHint(context, budget), pair),
  group: ({ context, path }, _, budget) => groupAdvice(inHint(context, budget), path.text),
  field: ({ context, condition }, _, budget) =>
    fieldAdvice(
      inHint(context, budget),
      keyText(condition),
      condition.path.text,
      condition.value.text,
      placeOfCondition(condition),
    ),
  operator({ context, condition, field }, _, budget) {
    const { operator, value } = condition
    const [key, name] = [keyText(condition), operator!.text]
    const place = placeOfCondition(condition)
    const advice = operatorAdvice(inHint(context, budget), field, key, name, value.text, place)
    // A suggestion would compare with the wildcard as a text.
    return hasWildcard(context.source.text.slice(value.start, value.end)) ? { advice } : advice
  },
  'not applicable': ({ context, field }, _, budget) => notApplicableAdvice(inHint(context, budget), field),
  duplicate: ({ context, key }, _, budget) => duplicateAdvice(inHint(context, budget), key.field, key.operator),
  operand: ({ context, key, text }, { span }, budget) =>
    operandAdvice(inHint(context, budget), text, key.field, key.operator, span),
  null({ context, key: { field, alias } }) {
    const text = `${alias ?? field.name}[exists]=false`
    const isWritten = isOffered({ field, operator: rowOf('exists') }, context.collection)
    return isWritten ? [writeAdvice('absent', text, undefined, 'known')] : []
  },
  searches: ({ excess, facets, operators }) => ({ advice: [searchesAdvice(excess, facets, operators)] }),
  parameter: valueAdvice,
  repeated: repeatedAdvice,
  path: pathAdvice,
}

const placeOfCondition = ({ at: { start, end }, value }: Condition): PairSpan => ({ start, end, value })

/** Copies the properties that hints read. A spread of the whole context is slower. */
const inHint = (
  { schema, isInGroup, collection, source, reserved, words }: ConditionContext,
  budget: Budget,
): HintContext => ({ schema, isInGroup, collection, source, reserved, words, budget })

/** Advice for a malformed pair: its meaning in another API, in the entries of the lists around it. */
function pairAdvice(context: HintContext, { key, value, isInGroup, lists }: Malformed): readonly Advice[] {
  let { schema } = context
  const { source } = context
  for (const list of lists) {
    const path = quantified(schema, decodeClear(source, list) ?? '').list
    const field = schema.paths.get(path)
    if (field === undefined || !isEntry(field)) return []
    schema = entrySchema(schema, path)
  }
  const place = { start: key.start, end: (value ?? key).end, value }
  const text = value && decode(source, value)
  return malformedAdvice({ ...context, schema, isInGroup }, decode(source, key), text, place)
}

function begin(): (finding: Finding) => Finding {
  // Conditions do not use up the budget of parameters.
  const [ofConditions, ofParameters] = [newBudget(), newBudget()]
  return (finding) => {
    const doubt = own(finding, 'doubt') as Doubt | undefined
    if (doubt === undefined) return finding
    const advise = advisers[doubt.kind] as (doubt: Doubt, finding: Finding, budget: Budget) => Advice[] | Advised
    const advice = advise(doubt, finding, Object.hasOwn(doubt, 'parameter') ? ofParameters : ofConditions)
    if (!Array.isArray(advice))
      return withAdvice(finding, own(advice, 'advice'), own(advice, 'suggestion'), own(advice, 'parameters'))
    const { context } = doubt as Extract<Doubt, { readonly kind: 'field' }>
    return withAdvice(finding, advice, suggestionFor(context.source, finding.span, advice))
  }
}

function withAdvice(
  finding: Finding,
  advice: readonly Advice[] | undefined,
  suggestion: Suggestion | undefined,
  more?: object,
): Finding {
  const { code, span } = finding
  const parameters = advice === undefined ? finding.parameters : { ...finding.parameters, ...more, advice }
  // A spread is slower.
  return {
    code,
    span,
    parameters,
    path: own(finding, 'path'),
    operator: own(finding, 'operator'),
    suggestion,
  } as Finding
}

export const adviser: TextAdviser = { begin, hintOf, isOtherKey, renamedOperator }
export const objectAdviser: ObjectAdviser = { begin, hintOf, isOtherKey, renamedOperator, inObject }
