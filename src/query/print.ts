/** Filter → query string: the inverse of reading one. */
import { checkFilter, sameFilter, unchecked, type Filter, type Path } from '../ast/index.ts'
import { combine, type BoundPair } from './combine.ts'
import { FilterError, type Issue } from '../issue/index.ts'
import {
  checkSchema,
  defaultOperator,
  isComplement,
  operatorNamed,
  readerOf,
  wholeDay,
  type Operand,
  type OperatorRow,
  type ResolvedField,
  type Schema,
} from '../language/index.ts'
import { dayBefore } from '../text.ts'

/**
 * Writes a filter as a query string, in canonical form: `parseFilter` with the same schema parses it to the same filter,
 * unless the text exceeds its limits. A text is returned only when the pairs that it is made of combine to the given filter.
 *
 * @param given the filter, parsed or built.
 * @returns the query string without `?`, percent-encoded where a URL requires it.
 * @throws TypeError when `schema` is not a schema, or `given` is not a filter.
 * @throws FilterError with `print_unsayable` issues when a query string cannot express the filter: an `or` (unless an `in`
 *   with days means it), a `not` around anything but one condition that has a complement, conditions on two entries of
 *   one list, one operator twice on a field, a field that is not in the schema.
 * @example
 * printFilter(orders, where(orders).range('total', 10, 20)) // => 'total[range]=10,20'
 */
export function printFilter(schema: Schema, given: Filter): string {
  return pairsOf(schema, given).map(pairText).join('&')
}

/** The pairs that a filter is said with. */
export function pairsOf(schema: Schema, given: Filter): readonly BoundPair[] {
  checkSchema(schema)
  const filter = checkFilter(given)
  const issues: Issue[] = []
  const conditions: Placed[] = []
  for (const [field, atoms] of Map.groupBy(atomsOf(filter, []), (atom) => fieldOf(schema, atom))) {
    const said = field && sayAll(field, atoms)
    if (said !== undefined) conditions.push(...said)
    else issues.push(...atoms.map(({ node }) => unsayable(node)))
  }
  conditions.sort((a, b) => a.at - b.at)
  // What no single condition shows: where the groups of a list stand, and how deep an `and` is.
  if (issues.length === 0 && !sameFilter(combine(conditions), filter)) issues.push(unsayable(filter))
  const [first, ...rest] = issues
  if (first !== undefined) throw new FilterError([first, ...rest])
  return conditions
}

function unsayable({ kind, span }: Filter): Issue {
  return {
    code: 'print_unsayable',
    message: `a query string cannot express this filter of kind ${kind} here`,
    hint: 'it joins conditions with "and", uses each operator once per field, negates single conditions, and filters one entry of each list',
    ...(span && { span }),
  }
}

// --- Taking the filter apart

/** What one pair may say: a condition, or what stands under a `not`, and the lists that are entered to get there. */
interface Atom {
  readonly node: Filter
  readonly lists: readonly Path[]
  /** What is said of the entry, to be joined by `and`; only under a `not` can it be several. */
  readonly parts: readonly Filter[]
  readonly complement: boolean
  /** Its place among all atoms. */
  at: number
}

function atomsOf(filter: Filter, lists: readonly Path[], atoms: Atom[] = []): readonly Atom[] {
  const add = (lists: readonly Path[], parts: readonly Filter[], complement: boolean) =>
    atoms.push({ node: filter, lists, parts, complement, at: atoms.length })
  if (filter.kind === 'and') {
    for (const member of filter.filters) atomsOf(member, lists, atoms)
  } else if (filter.kind === 'some') {
    atomsOf(filter.filter, [...lists, filter.path], atoms)
  } else if (filter.kind === 'not') {
    let inner = filter.filter
    const entered = [...lists]
    for (; inner.kind === 'some'; inner = inner.filter) entered.push(inner.path)
    add(entered, inner.kind === 'and' ? inner.filters : [inner], true)
  } else {
    add(lists, [filter], false)
  }
  return atoms
}

/** The field that an atom speaks of, when the schema has it in those lists. */
function fieldOf(schema: Schema, { lists, parts }: Atom): ResolvedField | undefined {
  let [leaf] = parts
  while (leaf?.kind === 'and' || leaf?.kind === 'or') [leaf] = leaf.filters
  if (leaf === undefined || leaf.kind === 'not' || leaf.kind === 'some') return undefined
  const field = schema.paths.get([...lists.flat(), ...leaf.path].join('.'))
  const place = (lists: readonly Path[], path: Path) => JSON.stringify([lists, path])
  return field !== undefined && place(field.lists, field.path) === place(lists, leaf.path) ? field : undefined
}

// --- Saying it again. An operator stands once on a path, so which says what is searched for: `gte=2&range=1,5`
// leaves two lower bounds, of which `gte` can say one.

interface Placed extends BoundPair {
  readonly at: number
}

/** One way to say an atom, or two that stand side by side. */
interface Reading {
  readonly operator: OperatorRow
  readonly operands: readonly Operand[]
  readonly atoms: 1 | 2
}

/** Conditions that say all the atoms of a field, each with an operator of its own. */
function sayAll(field: ResolvedField, atoms: readonly Atom[]): readonly Placed[] | undefined {
  const ways = atoms.map((atom, at) => readings(field, atom, atoms[at + 1]))
  const say = (at: number, used: readonly OperatorRow[]): readonly Placed[] | undefined => {
    if (at === atoms.length) return []
    for (const { operator, operands, atoms: said } of ways[at]!) {
      const others = used.includes(operator) ? undefined : say(at + said, [...used, operator])
      if (others !== undefined) return [{ field, operator, operands, at: atoms[at]!.at }, ...others]
    }
    return undefined
  }
  return say(0, [])
}

/** All ways to say an atom, alone or with the next, the most natural first. Lowering shows which they are. */
function readings(field: ResolvedField, atom: Atom, next: Atom | undefined): readonly Reading[] {
  const beside = next !== undefined && next.at === atom.at + 1 && !atom.complement && !next.complement
  return (beside ? ([2, 1] as const) : ([1] as const)).flatMap((atoms) => {
    const parts = atoms === 2 ? [...atom.parts, ...next!.parts] : atom.parts
    return [...operatorNamed.values()]
      .filter(({ types }) => types.includes(field.type))
      .flatMap((operator) => {
        // A range for a single bound ends with the last day: a last resort.
        const last = operator.operands === 'two' ? 10 : 0
        return operandsFor(operator, parts, atom.complement).map((operands, at) => ({
          operator,
          operands,
          atoms,
          rank: at + last,
        }))
      })
      .filter(
        ({ operator, operands }) =>
          operands.length > 0 &&
          operands.every((operand) => isReadBack(operand, operator, field)) &&
          isComplement(operator, operands) === atom.complement &&
          sameFilter(unchecked.and(operator.lower(field, operands)), unchecked.and(parts)),
      )
      .sort((a, b) => a.rank - b.rank)
  })
}

/** The operands with which an operator might say these parts. */
function operandsFor(
  operator: OperatorRow,
  parts: readonly Filter[],
  complement: boolean,
): readonly (readonly Operand[])[] {
  if (operator.reads === 'flag') return [[{ type: 'boolean', value: !complement }]]
  const [low = [], high = [lastDay]] = parts.flatMap(conditionsOf).map(boundsOf)
  switch (operator.operands) {
    case 'one':
      return low.map((operand) => [operand])
    case 'two':
      return low.flatMap((from) => high.map((to) => [from, to]))
    case 'list':
      return [itemsOf(parts)]
  }
}

/** Whether reading an operand's text gives that very operand: it has the field's type and may stand there. */
function isReadBack(operand: Operand, { reads }: OperatorRow, field: ResolvedField): boolean {
  return JSON.stringify(readerOf(reads, field).fromText(textOfOperand(operand), field)) === JSON.stringify(operand)
}

const lastDay = wholeDay('9999-12-31')

/** The conditions in groups, in their order. */
const conditionsOf = (part: Filter): readonly Filter[] =>
  part.kind === 'and' || part.kind === 'or' ? part.filters.flatMap(conditionsOf) : [part]

/** The operands that a single condition may have been made from. */
function boundsOf(part: Filter): readonly Operand[] {
  switch (part.kind) {
    case 'comparison': {
      const { operand } = part
      if (operand.type !== 'datetime' || !operand.value.endsWith('T00:00:00.000Z')) return [operand]
      // Midnight: the start of a day, or the end of the one before.
      const day = operand.value.slice(0, 10)
      const before = dayBefore(day)
      return [wholeDay(day), operand, ...(before === undefined ? [] : [wholeDay(before)])]
    }
    case 'match':
      return [{ type: 'string', value: part.text }]
    case 'presence':
    case 'membership':
      return [lastDay] // lte and gt of the last day.
    default:
      return []
  }
}

/** The operands that the parts would be one `in` of. */
function itemsOf(parts: readonly Filter[]): readonly Operand[] {
  const [part] = parts
  switch (part?.kind) {
    case 'or':
      return part.filters.flatMap((filter) => itemsOf(filter.kind === 'and' ? filter.filters : [filter]))
    case 'membership':
      return part.operands
    case 'comparison':
      return boundsOf(part).slice(0, 1)
    default:
      return []
  }
}

// --- Text

/** What stays readable in a query: encodeURIComponent spares `A–Z a–z 0–9 - _ . ! ~ * ' ( )`. */
const readable: Readonly<Record<string, string>> = { '%20': '+', '%2C': ',', '%2F': '/', '%3A': ':', '%40': '@' }
export const encode = (text: string) =>
  encodeURIComponent(text).replace(/%(?:20|2C|2F|3A|40)/g, (escape) => readable[escape]!)

const textOfOperand = (operand: Operand): string =>
  operand.type === 'day' ? String(operand.from.value).slice(0, 10) : String(operand.value)

/** An item of a list: quoted where a bare one would be cut, be taken for a quoted one, or be none at all. */
export const itemText = (text: string): string =>
  text === '' || text.startsWith('"') || text.includes(',') ? `"${text.replace(/["\\]/g, '\\$&')}"` : text

/** A pair as a query string has it. */
export function pairText({ field, operator, operands }: BoundPair): string {
  const path = field.name.split('.').map(encodeURIComponent).join('.')
  const brackets = operator.name === defaultOperator.name ? '' : `[${operator.name}]`
  const texts = operands.map(textOfOperand)
  return `${path}${brackets}=${texts.map((text) => encode(operator.operands === 'one' ? text : itemText(text))).join(',')}`
}
