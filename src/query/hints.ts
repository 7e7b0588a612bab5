/** What somebody probably meant: the hints of issues about names and operands. */
import { printable, quoteName } from '../issue/index.ts'
import {
  operatorNamed,
  readerOf,
  type OperatorName,
  type OperatorRow,
  type ResolvedField,
  type Schema,
} from '../language/index.ts'
import { nearest, type Budget } from '../suggest.ts'

/** What `price>=5` and the like mean elsewhere: here a field called `price>`. */
const signs: ReadonlyMap<string, OperatorName> = new Map([
  ['!', 'notEqual'],
  ['>', 'gte'],
  ['<', 'lte'],
  ['~', 'contains'],
])

/** First names of what other interfaces call order, pages and fields. */
const pagingNames = new Set(
  (
    'page pagesize page_size perpage per_page size limit offset skip take top cursor after before start ' +
    'sort sortby sort_by order orderby order_by fields select include expand count'
  ).split(' '),
)
const pagingHint = 'parameters of paging and sorting are no filters: a service names them in "reserved"'

export function fieldHint(schema: Schema, name: string, budget: Budget): string | undefined {
  if (isEncoded(name)) return doublyEncoded
  if (/^(?:\/|https?:).*\?/i.test(name)) return 'give the query alone, without what comes before the "?" of its URL'
  const sign = signs.get(name.slice(-1))
  if (sign !== undefined) {
    const field = schema.paths.get(name.slice(0, -1))
    return field?.name && `operators stand in brackets: ${field.name}[${sign}]=`
  }
  const withoutPositions = name
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .join('.')
  if (withoutPositions !== name && schema.paths.has(withoutPositions)) return noPositions(withoutPositions)

  // Of candidates that are equally near, one that is as deep; else a field of that name, wherever it is.
  const depth = depthOf(name)
  const near =
    nearest(name, schema.paths.keys(), budget, (path) => depthOf(path) === depth) ??
    pathEndingIn(schema, nearest(lastOf(name), lastNames(schema), budget))
  const paging = pagingNames.has(name.toLowerCase().split('.', 1)[0]!) ? pagingHint : undefined
  if (near === undefined) return paging
  return paging === undefined ? didYouMean(near) : `${didYouMean(near)} ${paging}`
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)
function* lastNames({ paths }: Schema): Iterable<string> {
  for (const path of paths.keys()) yield lastOf(path)
}
function pathEndingIn({ paths }: Schema, name: string | undefined): string | undefined {
  if (name !== undefined) for (const path of paths.keys()) if (lastOf(path) === name) return path
  return undefined
}

function depthOf(path: string): number {
  let depth = 1
  for (let dot = path.indexOf('.'); dot >= 0; dot = path.indexOf('.', dot + 1)) depth++
  return depth
}

/** What others call our operators, in small letters without hyphens and underscores. */
const foreignOperators: ReadonlyMap<string, OperatorName> = new Map([
  ['eq', 'equals'],
  ['is', 'equals'],
  ['ne', 'notEqual'],
  ['neq', 'notEqual'],
  ['not', 'notEqual'],
  ['isnot', 'notEqual'],
  ['>', 'gt'],
  ['ge', 'gte'],
  ['<', 'lt'],
  ['le', 'lte'],
  ['between', 'range'],
  ['oneof', 'in'],
  ['notin', 'nin'],
  ['prefix', 'startsWith'],
  ['sw', 'startsWith'],
  ['suffix', 'endsWith'],
  ['ew', 'endsWith'],
  ['like', 'contains'],
  ['ilike', 'contains'],
  ['includes', 'contains'],
  ['regex', 'contains'],
  ['~', 'contains'],
  ['notlike', 'doesNotContain'],
  ['nlike', 'doesNotContain'],
  ['notcontains', 'doesNotContain'],
  ['null', 'exists'],
  ['isnull', 'exists'],
  ['notnull', 'exists'],
  ['exist', 'exists'],
])

export function operatorHint(
  schema: Schema,
  field: ResolvedField | undefined,
  name: string,
  budget: Budget,
): string | undefined {
  if (isEncoded(name)) return doublyEncoded
  if (field !== undefined && /^\d+$/.test(name)) return noPositions(field.name)
  const taken = field === undefined ? [...operatorNamed.keys()] : operatorsOf(field)
  // Elsewhere brackets lead into objects.
  const inside = field && schema.paths.get(`${field.name}.${name}`)
  const foreign = foreignOperators.get(name.toLowerCase().replace(/[-_$]/g, ''))
  const meant =
    inside?.name ?? (foreign !== undefined && taken.includes(foreign) ? foreign : nearest(name, taken, budget))
  return didYouMean(meant) ?? (field && `${field.name} takes ${taken.join(', ')}`)
}

export function notApplicableHint(schema: Schema, field: ResolvedField, budget: Budget): string {
  const inside: string[] = []
  if (field.type === 'object') {
    for (const name of schema.paths.keys()) {
      if (--budget.left < 0 || inside.length > mostNames) break
      if (name.startsWith(`${field.name}.`)) inside.push(name)
    }
  }
  const fields = inside.length > 0 ? `; fields in it are ${enumerate(inside)}` : ''
  return `it takes ${operatorsOf(field).join(', ')}${fields}`
}

const isEncoded = (name: string) => /%[\da-f]{2}/i.test(name)
const doublyEncoded = 'the key looks doubly encoded: encode it once'
const noPositions = (name: string) => `lists have no positions: ${printable(name)} looks at every entry`
const didYouMean = (name: string | undefined) => (name === undefined ? undefined : `did you mean ${printable(name)}?`)

function operatorsOf({ type }: ResolvedField): OperatorName[] {
  const names: OperatorName[] = []
  for (const { name, types } of operatorNamed.values()) if (types.includes(type)) names.push(name)
  return names
}

/** What somebody may have meant who repeated an operator. */
const repeated: Partial<Record<OperatorName, readonly [operator: OperatorName, operands: string, what: string]>> = {
  equals: ['in', 'a,b,c', 'one of several values'],
  notEqual: ['nin', 'a,b,c', 'none of several values'],
  gte: ['range', 'low,high', 'values between two bounds'],
  lte: ['range', 'low,high', 'values between two bounds'],
  in: ['in', 'a,b,c', 'one of several values'],
  nin: ['nin', 'a,b,c', 'none of several values'],
}

export function duplicateHint(field: ResolvedField, operator: OperatorRow): string {
  const [meant, operands, what] = repeated[operator.name] ?? []
  const takes = meant !== undefined && operatorNamed.get(meant)!.types.includes(field.type)
  return takes
    ? `for ${what} write ${field.name}[${meant}]=${operands}`
    : 'a condition of a field has each operator once'
}

export function operandHint(
  text: string,
  field: ResolvedField,
  operator: OperatorRow,
  budget: Budget,
): string | undefined {
  if (operator.reads === 'value' && field.values !== undefined) {
    const near = didYouMean(nearest(text, field.values, budget))
    return `${near === undefined ? '' : `${near} `}The values are ${enumerate(field.values)}`
  }
  const plus = readerOf(operator.reads, field).fromText(text.replaceAll(' ', '+'), field) !== undefined
  return plus ? 'a "+" in a query is a space: write %2B' : undefined
}

/** How many names a hint lists at most. */
const mostNames = 20

/** A list for a hint; a name that would not be seen as one entry is quoted. */
function enumerate(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => (/^$|[\s,"]/.test(name) ? quoteName(name) : printable(name)))
  return shown.join(', ') + (names.length > mostNames ? ', …' : '')
}
