/** Filter → query string: the inverse of reading one. */
import { checkFilter, sameTree, unchecked, type Filter, type Literal, type Path } from '../../ast/index.ts'
import { combine, newPair, type BoundGroup, type BoundMember, type BoundPair } from '../combine.ts'
import { encode, encodeItems, encodeKey, quoted } from './encode.ts'
import { entrySchema, isEntry, pathFrom } from '../entries.ts'
import { FilterError, type Issue, type Issues } from '../../issue/index.ts'
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
} from '../../language/index.ts'
import { checkOptions } from '../../options.ts'
import { own } from '../../own.ts'
import { deepestGroup } from '../../syntax/limits.ts'
import { dayBefore } from '../../text/time.ts'
import { checkWords, noWords, usualWords, type GroupWord, type GroupWords } from '../group-words.ts'

/** The options of {@link printFilter}. */
export interface PrintOptions {
  /** Allows groups, `or=(status=paid,total[gte]=100)`, which `parseFilter` reads with the same option. */
  readonly groups?: boolean
}

/**
 * Writes a filter as a query string, in canonical form: `parseFilter` with the same schema parses it to the same filter,
 * unless the text exceeds its limits. A text is returned only when the pairs that it is made of combine to the given filter.
 *
 * @param given the filter, parsed or built.
 * @param options `groups`: with them, a text can express every filter but an empty group, a membership in nothing, and
 *   what a schema's fields do not take. Groups are used only where pairs alone do not do.
 * @returns the query string without `?`, percent-encoded where a URL requires it.
 * @throws TypeError when `schema` is not a schema, `given` is not a filter, or a word of groups is a field of the schema.
 * @throws FilterError with `print_unsayable` issues when a query string cannot express the filter. Without groups, these
 *   are: an `or` (unless an `in` with days means it), a `not` around anything but one condition that has a complement,
 *   conditions on two entries of one list, one operator twice on a field, a field that is not in the schema.
 * @example
 * printFilter(orders, where(orders).range('total', 10, 20)) // => 'total[range]=10,20'
 * @example
 * const o = where(orders)
 * printFilter(orders, or(o.equals('status', 'paid'), o.gt('total', 100)), { groups: true })
 * // => 'or=(status=paid,total[gt]=100)'
 */
export function printFilter(schema: Schema, given: Filter, options: PrintOptions = {}): string {
  checkSchema(schema)
  const { groups = false } = checkOptions(options, 'options', ['groups'])
  if (typeof groups !== 'boolean') throw new TypeError('options.groups must be a boolean')
  const words = groups ? usualWords : noWords
  checkWords(schema, words)
  const said = sayFilter(schema, given, words)
  if (said.members === undefined) throw new FilterError(said.issues)
  return said.members.map((member) => memberText(member, words)).join('&')
}

/** The members that a filter is said with; or what cannot be said. */
export type Said =
  | { readonly members: readonly BoundMember[]; readonly issues: undefined }
  | { readonly members: undefined; readonly issues: Issues }

/**
 * Finds the pairs and groups that say a filter.
 *
 * @param words those of groups: without them, there are only pairs.
 * @param allows whether an operator may be used on a field.
 */
export function sayFilter(schema: Schema, given: Filter, words: GroupWords, allows: Allows = () => true): Said {
  const filter = checkFilter(given)
  const printing: Printing = { schema, allows, words, isInGroup: false, depth: 0, unsaid: [] }
  const members = words.size > 0 ? sayRow(printing, filter) : sayPlainly(printing, filter, printing.unsaid)
  if (printing.unsaid.length === 0 && members !== undefined && isReadable(members) && isSaid(members, filter)) {
    return { members, issues: undefined }
  }
  const unsaid = printing.unsaid.length > 0 ? printing.unsaid : [filter]
  return { members: undefined, issues: unsaid.map((node) => unsayable(node, words)) as readonly Issue[] as Issues }
}

/** Whether a field may be asked for with an operator. */
type Allows = (field: ResolvedField, operator: OperatorRow) => boolean

/** What saying a part of a filter needs besides the part. */
interface Printing {
  /** In a group after the path of a list, the fields of its entries. */
  readonly schema: Schema
  readonly allows: Allows
  readonly words: GroupWords
  readonly isInGroup: boolean
  /** How many groups are around. */
  readonly depth: number
  /** What has no words. */
  readonly unsaid: Filter[]
}

const isSaid = (members: readonly BoundMember[], filter: Filter): boolean => sameTree(combine(members), filter)

function unsayable(filter: Filter, words: GroupWords): Issue {
  const { kind } = filter
  const span = own(filter, 'span')
  return {
    code: 'print_unsayable',
    fault: 'server',
    message: `a query string cannot express this filter of kind ${kind} here`,
    hint:
      words.size > 0
        ? `a query string has no empty groups and no empty lists, only operators that its fields take, and groups at most ${deepestGroup} deep`
        : 'without groups, a query string joins conditions with "and", uses each operator once per field, negates single conditions, and filters one entry of each list',
    ...(span && { span }),
  }
}

// --- Groups

const depthOf = ({ members = [] }: BoundMember): number =>
  members.length === 0 ? 0 : 1 + Math.max(...members.map(depthOf))
const isReadable = (members: readonly BoundMember[]): boolean =>
  members.every((member) => depthOf(member) <= deepestGroup)

/** The pairs and groups of a query. Only words begin a group there. */
function sayRow(printing: Printing, filter: Filter): readonly BoundMember[] {
  const members = filter.kind === 'and' && filter.filters.length === 0 ? [] : sayBody(printing, filter)
  return members.map((member) => (member.word === 'some' ? grouped('and', [member]) : member))
}

/** Members that say a filter together. */
function sayBody(printing: Printing, filter: Filter): readonly BoundMember[] {
  return filter.kind === 'and' && filter.filters.length > 1
    ? sayAll(printing, filter.filters)
    : [sayOne(printing, filter)]
}

const grouped = (
  word: BoundGroup['word'],
  members: readonly BoundMember[],
  lists: readonly Path[] = [],
): BoundGroup => ({ word, lists, members, span: undefined })
const inGroup = (printing: Printing): Printing => (printing.isInGroup ? printing : { ...printing, isInGroup: true })

/** The one member that says a filter. */
function sayOne(printing: Printing, filter: Filter): BoundMember {
  const plain = sayPlainly(printing, filter)
  return plain?.length === 1 ? plain[0]! : sayGroup(printing, filter)
}

/** The group that says a filter. */
function sayGroup(printing: Printing, filter: Filter): BoundMember {
  const group = groupFor(printing, filter)
  if (group === undefined) printing.unsaid.push(filter)
  return group ?? grouped('and', [])
}

function groupFor(printing: Printing, filter: Filter): BoundGroup | undefined {
  // What is deeper is not looked at: that would take the time of all levels for each of them.
  if (printing.depth === deepestGroup) return undefined
  const inside: Printing = { ...printing, isInGroup: true, depth: printing.depth + 1 }
  switch (filter.kind) {
    case 'and': {
      const { filters } = filter
      if (filters.length > 1) return grouped('and', sayAll(inside, filters))
      if (filters.length === 0) return undefined
      // `and` around one member is that member, but around another `and` it is itself.
      const only = sayOne(inside, filters[0]!)
      return grouped('and', [only.word === 'and' ? only : grouped('and', [only])])
    }
    case 'or': {
      if (filter.filters.length === 0) return undefined
      const members = filter.filters.map((member) => sayOne(inside, member))
      return grouped('or', members)
    }
    case 'not':
      return grouped('not', sayBody(inside, filter.filter))
    case 'some': {
      const { schema, words } = printing
      const list = filter.path.join('.')
      const field = schema.paths.get(list)
      const isList = field !== undefined && isEntry(field) && field.lists.length === 1
      if (!isList || !isName(list) || words.has(list)) return undefined
      return grouped('some', sayBody({ ...inside, schema: entrySchema(schema, list) }, filter.filter), field.lists)
    }
    default:
      return undefined
  }
}

/** The members of one `and` that say filters, of which there are several. */
function sayAll(printing: Printing, filters: readonly Filter[]): readonly BoundMember[] {
  // Two dotted conditions on one list would be about one entry.
  const entered = new Set<string | undefined>()
  const groups = filters.map((filter): BoundMember | undefined => {
    const list = filter.kind === 'some' ? JSON.stringify(filter.path) : undefined
    if (filter.kind === 'and') return apart(sayOne(inGroup(printing), filter))
    if (entered.has(list) || sayPlainly(printing, filter) === undefined) return sayGroup(printing, filter)
    if (list !== undefined) entered.add(list)
    return undefined
  })
  const together = sayBetween(printing, filters, groups)
  if (isSaid(together, unchecked.and([...filters]))) return together
  // One by one. What would use an operator a second time is put in a group of its own.
  const used = new Set<string>()
  return filters.flatMap((filter, at): readonly BoundMember[] => {
    if (groups[at] !== undefined) return [groups[at]]
    const pairs = sayPlainly(printing, filter)!
    const keys = pairs.map(({ field, operator }) => `${field.name}[${operator.name}]`)
    if (!keys.some((key) => used.has(key))) {
      for (const key of keys) used.add(key)
      return pairs
    }
    return [apart(sayOne(inGroup(printing), filter))]
  })
}

/** A member by itself: `and` around it keeps it from those beside it. */
const apart = (member: BoundMember): BoundMember => (member.members === undefined ? grouped('and', [member]) : member)

/** Groups, and between them pairs that say the other filters. */
function sayBetween(
  printing: Printing,
  filters: readonly Filter[],
  groups: readonly (BoundMember | undefined)[],
): readonly BoundMember[] {
  const atoms: Atom[] = []
  const members: { readonly at: number; readonly member: BoundMember }[] = []
  let at = 0
  for (const [index, filter] of filters.entries()) {
    const member = groups[index]
    if (member === undefined) for (const atom of atomsOf(filter, [])) atoms.push({ ...atom, at: at++ })
    else members.push({ at: at++, member })
  }
  for (const pair of sayAtoms(printing, atoms)) members.push({ at: pair.at, member: pair })
  return members.sort((a, b) => a.at - b.at).map(({ member }) => member)
}

// --- Pairs

/**
 * The pairs that say a filter; `undefined` when pairs alone cannot.
 *
 * @param unsaid where what cannot be said is added.
 */
function sayPlainly(printing: Printing, filter: Filter, unsaid?: Filter[]): readonly BoundPair[] | undefined {
  const pairs = sayAtoms(printing, atomsOf(filter, []), unsaid)
  // No single condition shows the order of the groups of a list, and the depth of an `and`.
  return isSaid(pairs, filter) ? pairs : undefined
}

/** Pairs that say atoms, in their order; those that nothing says are left out. */
function sayAtoms(printing: Printing, atoms: readonly Atom[], unsaid: Filter[] = []): readonly Placed[] {
  const pairs: Placed[] = []
  for (const [field, own] of Map.groupBy(atoms, (atom) => fieldOf(printing, atom))) {
    const said = field && sayField(printing, field, own)
    if (said !== undefined) pairs.push(...said)
    else unsaid.push(...own.map(({ node }) => node))
  }
  return pairs.sort((a, b) => a.at - b.at)
}

// --- Taking the filter apart

/** What one pair may say: a condition, or the filter under a `not`, and the lists on the way to it. */
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

/** In a group these characters are marks, even when they are escaped. */
const isName = (path: string): boolean => !/[(),=]/.test(path)

/** The field that an atom speaks of, when the schema has it in those lists. */
function fieldOf({ schema, isInGroup }: Printing, { lists, parts }: Atom): ResolvedField | undefined {
  let [leaf] = parts
  while (leaf?.kind === 'and' || leaf?.kind === 'or') [leaf] = leaf.filters
  if (leaf === undefined || leaf.kind === 'not') return undefined
  const name = [...lists.flat(), ...leaf.path].join('.')
  const field = isInGroup && !isName(name) ? undefined : schema.paths.get(name)
  const place = (lists: readonly Path[], path: Path) => JSON.stringify([lists, path])
  return field !== undefined && place(field.lists, field.path) === place(lists, leaf.path) ? field : undefined
}

// --- Saying it again. A path has an operator once, so the search decides which one says what: `gte=2&range=1,5`
// leaves two lower bounds, of which `gte` can say one.

interface Placed extends BoundPair {
  readonly at: number
}

/** One way to say an atom, or two neighbours. */
interface Reading {
  readonly operator: OperatorRow
  readonly operands: readonly Operand[]
  readonly atoms: 1 | 2
}

/** Conditions that say all the atoms of a field, each with an operator of its own. */
function sayField(printing: Printing, field: ResolvedField, atoms: readonly Atom[]): readonly Placed[] | undefined {
  // Each operator says two atoms at most.
  if (atoms.length > 2 * operatorNamed.size) return undefined
  const ways = atoms.map((atom, at) => readings(printing, field, atom, atoms.at(at + 1)))
  const say = (at: number, used: readonly OperatorRow[]): readonly Placed[] | undefined => {
    if (at === atoms.length) return []
    for (const { operator, operands, atoms: said } of ways[at]!) {
      const others = used.includes(operator) ? undefined : say(at + said, [...used, operator])
      if (others !== undefined)
        return [{ ...newPair(field, operator, operands, undefined), at: atoms[at]!.at }, ...others]
    }
    return undefined
  }
  return say(0, [])
}

/** All ways to say an atom, alone or with the next, the most natural first. Lowering shows which they are. */
function readings({ allows }: Printing, field: ResolvedField, atom: Atom, next: Atom | undefined): readonly Reading[] {
  const beside = next !== undefined && next.at === atom.at + 1 && !atom.complement && !next.complement
  return (beside ? ([2, 1] as const) : ([1] as const)).flatMap((atoms) => {
    const parts = atoms === 2 ? [...atom.parts, ...next!.parts] : atom.parts
    // An operator reads two operands at most, or a list.
    const bounds = firstConditions(parts, 2).map(boundsOf)
    return [...operatorNamed.values()]
      .filter((operator) => operator.types.includes(field.type) && allows(field, operator))
      .flatMap((operator) => {
        // A range for a single bound ends with the last day: a last resort.
        const last = operator.operands === 'two' ? 10 : 0
        return operandsFor(operator, parts, bounds, atom.complement).map((operands, at) => ({
          operator,
          operands,
          atoms,
          rank: at + last,
        }))
      })
      .filter(
        ({ operator, operands }) =>
          operands.length > 0 &&
          isComplement(operator, operands) === atom.complement &&
          operands.every((operand) => isReadBack(operand, operator, field)) &&
          sameTree(unchecked.and(operator.lower(field, operands)), unchecked.and(parts)),
      )
      .sort((a, b) => a.rank - b.rank)
  })
}

/** The operands with which an operator might say these parts. */
function operandsFor(
  operator: OperatorRow,
  parts: readonly Filter[],
  [low = [], high = [lastDay]]: readonly (readonly Operand[])[],
  complement: boolean,
): readonly (readonly Operand[])[] {
  if (operator.reads === 'flag') return [[{ type: 'boolean', value: !complement }]]
  switch (operator.operands) {
    case 'one':
      return low.map((operand) => [operand])
    case 'two':
      return low.flatMap((from) => high.map((to) => [from, to]))
    case 'list':
      return [itemsOf(parts)]
  }
}

/** Whether reading an operand's text gives that very operand: it has the field's type, and the operator takes it. */
function isReadBack(operand: Operand, { reads }: OperatorRow, field: ResolvedField): boolean {
  const text = textOfOperand(operand)
  const read = readerOf(reads, field).fromText(text, field)
  // Operands of one type and text are the same.
  return read !== undefined && read.type === operand.type && textOfOperand(read) === text
}

const lastDay = /* @__PURE__ */ wholeDay('9999-12-31')

/** The first conditions in groups, in their order. */
function firstConditions(parts: readonly Filter[], most: number, found: Filter[] = []): readonly Filter[] {
  for (const part of parts) {
    if (found.length === most) break
    if (part.kind === 'and' || part.kind === 'or') firstConditions(part.filters, most, found)
    else found.push(part)
  }
  return found
}

/** The day that begins with an operand; `undefined` when none does. */
const dayFrom = ({ type, value }: Literal): string | undefined =>
  type === 'datetime' && String(value).endsWith('T00:00:00.000Z') ? String(value).slice(0, 10) : undefined

/** The operands that a single condition may have been made from. */
function boundsOf(part: Filter): readonly Operand[] {
  switch (part.kind) {
    case 'comparison': {
      const { operand } = part
      const day = dayFrom(operand)
      if (day === undefined) return [operand]
      // Midnight: the start of a day, or the end of the one before.
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
    case 'comparison': {
      const day = dayFrom(part.operand)
      return [day === undefined ? part.operand : wholeDay(day)]
    }
    default:
      return []
  }
}

// --- Text

const textOfOperand = (operand: Operand): string =>
  operand.type === 'day' ? String(operand.from.value).slice(0, 10) : String(operand.value)

/** An item in a group, where parentheses are marks, too. */
const groupItemText = (text: string): string => (/^$|^["(]|[),]/.test(text) ? quoted(text) : text)

const keyText = ({ field, operator }: BoundPair): string => {
  const brackets = operator.name === defaultOperator.name && pathFrom(field) !== '' ? '' : `[${operator.name}]`
  return encodeKey(pathFrom(field) + brackets)
}

/** A pair as a query string has it. */
export function pairText(pair: BoundPair): string {
  const { operator, operands } = pair
  const texts = operands.map(textOfOperand)
  return `${keyText(pair)}=${operator.operands === 'one' ? encode(texts[0]!) : encodeItems(texts)}`
}

/** A pair or a group as a query string has it. */
export function memberText(member: BoundMember, words: GroupWords): string {
  return member.members === undefined ? pairText(member) : insideText(member, words, '=')
}

/**
 * A pair or a group as a group has it.
 *
 * @param equals the text before a parenthesis.
 */
export function insideText(member: BoundMember, words: GroupWords, equals = ''): string {
  if (member.members !== undefined) {
    const { word, lists, members } = member
    const name = word === 'some' ? lists.flat().join('.') : nameOf(words, word)
    return `${encodeKey(name)}${equals}(${members.map((one) => insideText(one, words)).join(',')})`
  }
  const { operator, operands } = member
  const items = operands.map((operand) => encode(groupItemText(textOfOperand(operand)))).join(',')
  return `${keyText(member)}=${operator.operands === 'one' ? items : `(${items})`}`
}

function nameOf(words: GroupWords, meant: GroupWord): string {
  for (const [name, word] of words) if (word === meant) return name
  throw new Error(`no word for ${meant}`)
}
