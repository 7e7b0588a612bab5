/** Advice for parameters: another value, an order, a path that the collection allows. */
import { namesOf, type Advice, type ExpectedParameter, type Finding, type WriteReason } from '../issue/index.ts'
import { isOfForm, pathsFrom, zoneNamed, zoneNames } from '../language/index.ts'
import type { PathDoubt } from '../binding/index.ts'
import { flagOf, hasDirection, isDescending, isSize, orderIn, pathsIn } from './foreign.ts'
import { sortExample } from './hints.ts'
import { exampleText, parameterText, sortText, suggestionFor, writeAdvice, type Advised } from './suggestion.ts'
import { nearest, type Budget } from '../suggest.ts'

type InParameter = Pick<PathDoubt, 'context' | 'parameter'>

/** Advice to replace a parameter of the text. */
const write = (
  { context, parameter: { parameter, at, value } }: InParameter,
  items: readonly string[],
  reason: WriteReason = 'spelling',
  isWhole = true,
): readonly Advice[] => {
  const place = { start: at.start, end: at.end, value }
  return [writeAdvice(reason, parameterText(context.collection, parameter, items), place, isWhole ? 'known' : [])]
}

/** openapi-fetch repeats a list's name for each of its items, unless an option joins them. */
export const repeatedAdvice = ({ context, parameter: { parameter } }: InParameter): readonly Advice[] =>
  isOfForm(parameter, 'paths') ? [{ kind: 'join_paths', parameter: context.collection.parameters.get(parameter)! }] : []

export function valueAdvice(doubt: InParameter, { parameters }: Finding, budget: Budget): readonly Advice[] {
  const { expected } = parameters as { readonly expected: ExpectedParameter }
  const { text } = doubt.parameter.value
  return text === '' ? [{ kind: 'no_value' }] : valueMeant[expected.kind](doubt, text, budget)
}

const valueMeant: {
  readonly [K in ExpectedParameter['kind']]: (doubt: InParameter, text: string, budget: Budget) => readonly Advice[]
} = {
  whole_number(doubt, text) {
    const { max } = doubt.context.collection.limit
    // No page contains all rows, so advice names the largest page.
    const isAll = Number(text) > max || /^(?:-1|all|none|max|unlimited|infinity)$/i.test(text)
    return isAll && doubt.parameter.parameter === 'limit' ? write(doubt, [String(max)], 'largest_page') : []
  },
  boolean(doubt, text) {
    // Other APIs call the size of a page `_count`.
    if (isSize(text) && doubt.parameter.parameter === 'count')
      return [writeAdvice('page_size', exampleText(doubt.context.collection, 'limit'), undefined, [])]
    const flag = flagOf(text)
    return flag === undefined ? [] : write(doubt, [String(flag)])
  },
  cursor: () => [{ kind: 'drop_cursor' }],
  time_zone(_, text, budget) {
    if (zoneNamed(text.replace(' ', '+')) !== undefined) return [{ kind: 'escape_plus' }]
    const near = nearest(text, zoneNames(), budget)
    return near === undefined ? [] : [{ kind: 'did_you_mean', name: near }]
  },
  form: () => [],
  one_of: () => [],
}

// --- Paths

/** Advice to replace the whole parameter; `undefined` if its meaning is unclear. */
const pathMeant: { readonly [P in PathDoubt['list']]: (doubt: PathDoubt) => readonly Advice[] | undefined } = {
  sort: orderMeant,
  fields: (doubt) => (/^(?:\*|all)$/i.test(doubt.name) ? [{ kind: 'every_field' }] : pathsMeant(doubt)),
  facets: pathsMeant,
}

/** The paths that the collection allows in a list. */
const offeredBy = ({ context, list }: PathDoubt): ReadonlyMap<string, unknown> => context.collection[pathsFrom[list]]!

function orderMeant(doubt: PathDoubt): readonly Advice[] | undefined {
  const { collection } = doubt.context
  const { text: value } = doubt.parameter.value
  if (!hasDirection(value)) return undefined
  const names = orderIn(collection.sortable, value)
  return names.length > 0 ? write(doubt, names) : sortExample(collection, isDescending(value), undefined)
}

function pathsMeant(doubt: PathDoubt): readonly Advice[] | undefined {
  if (!/[\s;|"'[\](){}]/.test(doubt.name)) return undefined
  const { names, isWhole } = pathsIn(offeredBy(doubt), doubt.parameter.value.text)
  return names.length > 0 ? write(doubt, names, 'spelling', isWhole) : undefined
}

export function pathAdvice(doubt: PathDoubt, { code, span }: Finding, budget: Budget): readonly Advice[] | Advised {
  const { context, parameter, list, text, name } = doubt
  const { collection, source } = context
  const isOrder = list === 'sort'
  const order = isOrder && text.startsWith(' ') ? orderIn(collection.sortable, parameter.value.text) : []
  if (order.length > 0) {
    const advice = write(doubt, order, 'no_sign')
    return { parameters: { problem: 'sign', name: null }, advice, suggestion: suggestionFor(source, span, advice) }
  }
  const names = Array.from(offeredBy(doubt).keys(), (path) => (isOrder ? sortText(path) : path))
  const offered: readonly Advice[] = [{ kind: 'choose', from: pathsFrom[list], choices: namesOf(names) }]
  if (code !== 'field_unknown') return offered
  const meant = pathMeant[list](doubt)
  if (meant !== undefined) return meant
  const near = nearest(name, names, budget)
  if (near === undefined) return offered
  const didYouMean = (name: string): readonly Advice[] => [{ kind: 'did_you_mean', name }]
  if (source.text[span.start] !== '-' || near.startsWith('-')) return didYouMean(near)
  // The edit keeps the sign of descending order.
  const place = { start: span.start + 1, end: span.end }
  return { advice: didYouMean(`-${near}`), suggestion: suggestionFor(source, place, didYouMean(near)) }
}
