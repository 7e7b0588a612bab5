/** Which operators, with which operands, express one condition or two neighbours. Lowering them again shows whether they do. */
import { sameTree, unchecked, type Filter, type Literal, type Path } from '../tree/index.ts'
import { accepts, isComplement, operatorNamed, wholeDay } from '../language/index.ts'
import type { Operand, OperatorRow, ResolvedField } from '../language/index.ts'
import { isReadBack, lastDay } from '../writing/index.ts'
import { dayBefore } from '../values/time.ts'

/** Whether a field accepts an operator with operands. */
export type Allows = (field: ResolvedField, operator: OperatorRow, operands: readonly Operand[]) => boolean

/** The conditions that one pair can express. */
export interface Conditions {
  /** Conditions that `and` joins. */
  readonly parts: readonly Filter[]
  /** Whether `not` is around them. */
  readonly complement: boolean
  /** Their place among all atoms. */
  readonly at: number
}

/** Conditions with the lists around them. */
export interface Atom extends Conditions {
  readonly node: Filter
  readonly lists: readonly Path[]
}

/** An operator with operands that express an atom, or two neighbours. */
interface Candidate {
  readonly operator: OperatorRow
  readonly operands: readonly Operand[]
  readonly atoms: 1 | 2
}

/** All candidates for an atom, alone or with the next; first the ones that a person would write. */
export function candidatesFor(
  allows: Allows,
  field: ResolvedField,
  atom: Conditions,
  next: Conditions | undefined,
): readonly Candidate[] {
  const beside = next !== undefined && next.at === atom.at + 1 && !atom.complement && !next.complement
  return (beside ? ([2, 1] as const) : ([1] as const)).flatMap((atoms) => {
    const parts = atoms === 2 ? [...atom.parts, ...next!.parts] : atom.parts
    // An operator has two operands at most, or a list.
    const bounds = firstConditions(parts, 2).map(boundsOf)
    const whole = unchecked.and(parts)
    return [...operatorNamed.values()]
      .filter((operator) => accepts(field, operator))
      .flatMap((operator) => {
        // A range for a single bound ends with the last day: it comes last.
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
          allows(field, operator, operands) &&
          // Most candidates differ in the tree. Comparing it before the operands reduces the time of `printQuery` by 16 %.
          sameTree(unchecked.and(operator.lower(field, operands)), whole) &&
          operands.every((operand) => isReadBack(operand, operator, field)),
      )
      .sort((a, b) => a.rank - b.rank)
  })
}

/** The operands with which an operator may express parts. */
function operandsFor(
  operator: OperatorRow,
  parts: readonly Filter[],
  [low = [], high = [lastDay]]: readonly (readonly Operand[])[],
  complement: boolean,
): readonly (readonly Operand[])[] {
  if (operator.operandKind === 'flag') return [[{ type: 'boolean', value: !complement }]]
  switch (operator.operands) {
    case 'one':
      return low.map((operand) => [operand])
    case 'two':
      return low.flatMap((from) => high.map((to) => [from, to]))
    case 'list':
      return [itemsOf(parts)]
  }
}

/** The first conditions of parts, those inside `and` and `or` included. */
function firstConditions(parts: readonly Filter[], most: number, found: Filter[] = []): readonly Filter[] {
  for (const part of parts) {
    if (found.length === most) break
    if (part.kind === 'and' || part.kind === 'or') firstConditions(part.filters, most, found)
    else found.push(part)
  }
  return found
}

/** The day that begins at an operand, if one does. */
const dayFrom = ({ type, value }: Literal): string | undefined =>
  type === 'datetime' && String(value).endsWith('T00:00:00.000Z') ? String(value).slice(0, 10) : undefined

/** The operands that may lower to a condition. */
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
    case 'count':
      return [{ type: 'integer', value: part.operand }]
    case 'presence':
    case 'membership':
      return [lastDay] // `lte` and `gt` of the last day lower to these.
    default:
      return []
  }
}

/** The operands of the `in`, or of the `all`, that would lower to parts. */
function itemsOf(parts: readonly Filter[]): readonly Operand[] {
  const [part] = parts
  switch (part?.kind) {
    case 'or':
      return part.filters.flatMap((filter) => itemsOf(filter.kind === 'and' ? filter.filters : [filter]))
    case 'membership':
      return part.operands
    case 'comparison': {
      const day = part.operator === 'eq' ? undefined : dayFrom(part.operand)
      return [day === undefined ? part.operand : wholeDay(day)]
    }
    case 'some':
      // Each `some` is about a separate entry.
      return parts.flatMap((one) =>
        one.kind === 'some' ? itemsOf(one.filter.kind === 'and' ? one.filter.filters : [one.filter]) : [],
      )
    default:
      return []
  }
}
