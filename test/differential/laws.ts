/** Laws of the language that need no second engine: what the selections of some filters have to do with each other. */
import { and, not, or, parseFilterOrThrow, type Filter, type Schema } from '../../src/index.ts'
import { map, operators } from '../../src/tree.ts'
import { operatorNamed } from '../../src/language/operators.ts'
import { queryOf, type ConditionParts } from '../../src/kit/arbitraries.ts'

/** What laws are made of. */
export interface Given {
  readonly schema: Schema
  readonly filters: readonly Filter[]
  readonly conditions: readonly ConditionParts[]
}
type Ids = readonly number[]

export interface Law {
  readonly name: string
  /** Its filters: the first, and those whose selections determine what the first selects. */
  readonly claims: (given: Given) => readonly (readonly [first: Filter, ...others: Filter[]])[]
  /** What the first must select of all rows, when the others select what they do. */
  readonly expected: (others: readonly Ids[], all: Ids) => Ids
}

const same: Law['expected'] = ([other]) => other!
const rest: Law['expected'] = ([other], all) => all.filter((id) => !other!.includes(id))
const intersection: Law['expected'] = (others, all) => all.filter((id) => others.every((ids) => ids.includes(id)))
const union: Law['expected'] = (others, all) => all.filter((id) => others.some((ids) => ids.includes(id)))

/** Two filters, whatever they are. */
const two = ({ filters: [f = and(), g = or()] }: Given) => [f, g] as const
const parse = (schema: Schema, conditions: readonly ConditionParts[]) => parseFilterOrThrow(schema, queryOf(conditions))

/** The operands of a condition, as they are when nothing is quoted. */
const operandsOf = ({ operator, value }: ConditionParts): readonly string[] =>
  operator.operands === 'one'
    ? [value]
    : Array.from(
        value.matchAll(/"((?:[^"\\]|\\.)*)"|[^,]+/gs),
        ([bare, quoted]) => quoted?.replace(/\\(.)/gs, '$1') ?? bare,
      )
const listOf = (operands: readonly string[]) =>
  operands.map((operand) => `"${operand.replace(/["\\]/g, '\\$&')}"`).join(',')

/** A condition of which another form can be made, by itself and among the others of its query. */
function places(
  { conditions }: Given,
  operator: 'range' | 'in',
): { readonly said: ConditionParts; readonly beside: ConditionParts[] }[] {
  const said = conditions.find(
    ({ field, operator: own }) =>
      operatorNamed.get(own.name)!.operandKind === 'value' && operators[operator].types.includes(field.type),
  )
  if (said === undefined) return []
  // An operator stands once on a path.
  const beside = conditions.filter(({ field }) => field.name !== said.field.name)
  return [[], ...(beside.length === 0 ? [] : [beside])].map((beside) => ({ said, beside }))
}

const twins = {
  equals: operators.notEqual,
  in: operators.nin,
  contains: operators.doesNotContain,
  notEqual: operators.equals,
  nin: operators.in,
  doesNotContain: operators.contains,
  exists: operators.exists,
}

export const laws: readonly Law[] = [
  {
    name: 'not not f selects what f does',
    claims: (given) => {
      const [f] = two(given)
      return [
        [not(not(f)), f],
        // In entries of lists too.
        [map(f, (node) => not(not(node))), f],
      ]
    },
    expected: same,
  },
  {
    name: 'De Morgan',
    claims: (given) => {
      const [f, g] = two(given)
      const turned = map(f, (node) =>
        node.kind === 'and'
          ? not(or(...node.filters.map(not)))
          : node.kind === 'or'
            ? not(and(...node.filters.map(not)))
            : node,
      )
      return [
        [not(and(f, g)), or(not(f), not(g))],
        [not(or(f, g)), and(not(f), not(g))],
        [turned, f],
      ]
    },
    expected: same,
  },
  {
    name: 'a complement selects exactly the other rows',
    claims: (given) => {
      const [f] = two(given)
      const { schema, conditions } = given
      const said = conditions.flatMap((said) => {
        const operator = twins[said.operator.name as keyof typeof twins] as ConditionParts['operator'] | undefined
        const value = operator === operators.exists ? String(said.value !== 'true') : said.value
        return operator === undefined ? [] : [{ said, twin: { ...said, operator, value } }]
      })
      return [
        [not(f), f],
        ...said.slice(0, 1).map(({ said, twin }) => [parse(schema, [twin]), parse(schema, [said])] as const),
      ]
    },
    expected: rest,
  },
  {
    name: 'a conjunction selects the intersection',
    claims: (given) => {
      const [f, g] = two(given)
      return [[and(f, g), f, g]]
    },
    expected: intersection,
  },
  {
    name: 'a disjunction selects the union',
    claims: (given) => {
      const [f, g] = two(given)
      return [[or(f, g), f, g]]
    },
    expected: union,
  },
  {
    name: 'a restriction bounds whatever is asked for',
    claims: ({ schema, conditions: [first, ...others] }) => {
      const restriction = first === undefined ? or() : parse(schema, [first])
      const asked = parse(schema, others)
      return [asked, not(asked), or(asked, and())].map((f) => [and(restriction, f), restriction, f] as const)
    },
    expected: intersection,
  },
  {
    name: 'range is gte and lte',
    claims: (given) =>
      places(given, 'range').map(({ said, beside }) => {
        const operands = operandsOf(said)
        const [low, high] = [operands[0]!, operands.at(-1)!]
        const range = { ...said, operator: operators.range, value: listOf([low, high]) }
        const bounds = [
          { ...said, operator: operators.gte, value: low },
          { ...said, operator: operators.lte, value: high },
        ]
        const { schema } = given
        // The bounds need not stand side by side.
        return [parse(schema, [range, ...beside]), parse(schema, [bounds[0]!, ...beside, bounds[1]!])]
      }),
    expected: same,
  },
  {
    name: 'in is one of its operands',
    claims: (given) =>
      places(given, 'in').map(({ said, beside }) => {
        const operands = operandsOf(said)
        const all = { ...said, operator: operators.in, value: listOf(operands) }
        const each = operands.map((value) => ({ ...said, operator: operators.equals, value }))
        const { schema } = given
        return [parse(schema, [all, ...beside]), ...each.map((one) => parse(schema, [one, ...beside]))]
      }),
    expected: union,
  },
  {
    name: 'the order of pairs does not matter',
    claims: ({ schema, conditions }) => {
      const [first, ...others] = conditions
      if (first === undefined || others.length === 0) return []
      const orders = [conditions.toReversed(), [...others, first]]
      return orders.map((order) => [parse(schema, order), parse(schema, conditions)] as const)
    },
    expected: same,
  },
]
