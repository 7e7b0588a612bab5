/** What somebody probably meant: the hints of issues about names and operands. */
import { printable, quoteName } from '../issue/index.ts'
import {
  operatorNamed,
  operatorsFor,
  operatorWords,
  readerOf,
  valuesOf,
  type Collection,
  type OperatorName,
  type OperatorRow,
  type OperatorWords,
  type ResolvedField,
  type Schema,
} from '../language/index.ts'
import { own } from '../own.ts'
import { nearest, type Budget } from '../suggest.ts'
import { isEntry, pathFrom } from './entries.ts'
import { usualWords, type GroupWords } from './words.ts'

const words = Object.entries(operatorWords) as readonly [OperatorName, OperatorWords][]

/** By the last character of a name the operator that it means in other languages: `price>=5` asks for a field `price>`. */
const signs: ReadonlyMap<string | undefined, OperatorName> = new Map(
  words.map(([name, said]) => [own(said, 'sign'), name]),
)

/** What other interfaces call order, pages and fields. */
const pagingNames = new Set(
  (
    'page pagesize page_size perpage per_page size limit offset skip take top cursor after before start ' +
    'sort sortby sort_by order orderby order_by fields select include expand count'
  ).split(' '),
)
const pagingHint =
  'paging and sorting parameters are not filters: the service reads them with parseQuery, or names them in "reserved"'

const parametersHint = ({ parameters }: Collection) => `the parameters are ${enumerate([...parameters.values()])}`

/**
 * @param words the words of groups: none where groups are not turned on.
 * @param isInGroup whether the name is in a group.
 */
export function fieldHint(
  schema: Schema,
  name: string,
  budget: Budget,
  words: GroupWords,
  isInGroup: boolean,
  collection?: Collection,
): string | undefined {
  if (isEncoded(name)) return doublyEncoded
  if (words.has(name)) return `write a group as ${name}${isInGroup ? '' : '='}(…)`
  if (usualWords.has(name)) {
    return words.size > 0 ? `the words of groups are ${enumerate([...words.keys()])}` : 'groups are not turned on here'
  }
  if (/^(?:\/|https?:).*\?/i.test(name)) return 'pass only the query string: the part of the URL after "?"'
  const sign = signs.get(name.slice(-1))
  if (sign !== undefined) {
    const field = schema.paths.get(name.slice(0, -1))
    return field && `write the operator in brackets: ${pathFrom(field)}[${sign}]=`
  }
  const withoutPositions = name
    .split('.')
    .filter((part) => !/^\d+$/.test(part))
    .join('.')
  const entry = schema.paths.get(withoutPositions)
  // The path of an entry itself is empty: the list has a name.
  if (entry !== undefined) return noPositions(withoutPositions || entry.name)

  // Among names that are equally near, one of the same depth. Failing that, a field whose last name is near.
  const depth = depthOf(name)
  const near =
    nearest(name, namesOf(schema), budget, (path) => depthOf(path) === depth) ??
    pathEndingIn(schema, nearest(lastOf(name), lastNames(schema), budget))
  const isPaging = pagingNames.has(name.toLowerCase().split('.', 1)[0]!)
  const paging = isPaging ? (collection === undefined ? pagingHint : parametersHint(collection)) : undefined
  if (near === undefined) return paging
  return paging === undefined ? didYouMean(near) : `${didYouMean(near)} ${paging}`
}

/** What to suggest before the parenthesis of a group. */
export function groupHint(schema: Schema, name: string, budget: Budget, words: GroupWords): string {
  const lists: string[] = []
  for (const path of namesOf(schema)) if (isEntry(schema.paths.get(path)!)) lists.push(path)
  const near = nearest(name, [...words.keys(), ...lists], budget)
  return didYouMean(near) ?? `a group begins with ${enumerate([...words.keys(), ...lists])}`
}

/** The paths of a schema. That of an entry itself is empty: no name. */
function* namesOf({ paths }: Schema): Iterable<string> {
  for (const path of paths.keys()) if (path !== '') yield path
}
const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)
function* lastNames(schema: Schema): Iterable<string> {
  for (const path of namesOf(schema)) yield lastOf(path)
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

/** Operators by their names in other languages. */
const foreignOperators: ReadonlyMap<string, OperatorName> = new Map(
  words.flatMap(([name, { aliases }]) => aliases.map((alias) => [alias, name])),
)

export function operatorHint(
  schema: Schema,
  field: ResolvedField | undefined,
  name: string,
  budget: Budget,
  collection?: Collection,
): string | undefined {
  if (isEncoded(name)) return doublyEncoded
  if (field !== undefined && /^\d+$/.test(name)) return noPositions(field.name)
  const available = field === undefined ? [...operatorNamed.keys()] : operatorsOf(field, collection)
  // In other languages brackets lead into objects.
  const inside = field && schema.paths.get(`${pathFrom(field)}.${name}`)
  const foreign = foreignOperators.get(name.toLowerCase().replace(/[-_$]/g, ''))
  const meant =
    (inside && pathFrom(inside)) ?? available.find((one) => one === foreign) ?? nearest(name, available, budget)
  return didYouMean(meant) ?? (field && availableFor(field, collection))
}

export function notApplicableHint(
  schema: Schema,
  field: ResolvedField,
  budget: Budget,
  collection?: Collection,
): string {
  const inside: string[] = []
  if (field.type === 'object') {
    const prefix = pathFrom(field) === '' ? '' : `${pathFrom(field)}.`
    for (const name of namesOf(schema)) {
      if (--budget.left < 0 || inside.length > mostNames) break
      if (name.startsWith(prefix)) inside.push(name)
    }
  }
  return availableFor(field, collection) + (inside.length > 0 ? `; fields of ${field.name}: ${enumerate(inside)}` : '')
}

const isEncoded = (name: string) => /%[\da-f]{2}/i.test(name)
const doublyEncoded = 'the key looks percent-encoded twice: encode it once'
const noPositions = (name: string) =>
  `list positions are not supported: ${printable(name)} matches any entry of the list`
const didYouMean = (name: string | undefined) => (name === undefined ? undefined : `did you mean ${printable(name)}?`)

function availableFor(field: ResolvedField, collection: Collection | undefined): string {
  const names = operatorsOf(field, collection)
  return names.length === 0
    ? `${field.name} cannot be filtered`
    : `available operators for ${field.name}: ${names.join(', ')}`
}

const operatorsOf = (field: ResolvedField, collection: Collection | undefined): readonly OperatorName[] =>
  operatorsFor(field, collection).map(({ name }) => name)

export function duplicateHint(field: ResolvedField, { name }: OperatorRow, isInGroup: boolean): string {
  const several = own(operatorWords[name], 'several')
  const meant = several && operatorNamed.get(several)
  if (!meant?.types.includes(field.type)) {
    return `use each operator once per field${isInGroup ? ', or put one in a group of its own' : ''}`
  }
  const list = meant.operands === 'two' ? 'low,high' : 'a,b,c'
  return `to ${operatorWords[meant.name].purpose}, use ${pathFrom(field)}[${meant.name}]=${isInGroup ? `(${list})` : list}`
}

export function operandHint(
  text: string,
  field: ResolvedField,
  operator: OperatorRow,
  budget: Budget,
): string | undefined {
  const values = valuesOf(field)
  if (operator.reads === 'value' && values !== undefined) return didYouMean(nearest(text, values, budget))
  const isRead = readerOf(operator.reads, field).fromText(text.replaceAll(' ', '+'), field) !== undefined
  return isRead ? '"+" means a space in a query string: write a plus sign as %2B' : undefined
}

/** How many names a message lists. */
const mostNames = 20

/** A list for a message, cut after the first names. A name that would not be seen as one is quoted. */
export function enumerate(names: readonly string[]): string {
  const shown = names.slice(0, mostNames).map((name) => (/^$|[\s,"]/.test(name) ? quoteName(name) : printable(name)))
  return shown.join(', ') + (names.length > mostNames ? ', …' : '')
}
