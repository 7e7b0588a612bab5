/** The typed builder: the operators as methods whose paths and operands the compiler checks. */
import { checkFilter, trust, unchecked, type Filter, type Path } from '../tree/index.ts'
import { accepts, checkSchema, entryAt, isComplement, operatorNamed, readerOf, resolve } from '../language/index.ts'
import type {
  EntryField,
  Field,
  FieldAt,
  Fields,
  ListField,
  ObjectField,
  Operator,
  OperatorRow,
  OperatorRows,
  PathTo,
  ResolvedField,
  Schema,
  Quantifier,
} from '../language/index.ts'
import { weakCache } from '../cache.ts'
import { own, refuseArgument } from '../own.ts'

/** The columns of the operator table that types derive from. */
type Row = Pick<Operator, 'operands' | 'types'> & Partial<Pick<Operator, 'fields'>>
type Rows = { readonly [name: string]: Row }

/** An operator for lists alone. */
interface ListRow extends Row {
  readonly fields: 'in lists' | 'lists'
}

/** Paths of the fields that accept an operator; lists accept one with a flag, too. */
type PathTaking<F extends Fields, R extends Row> = PathTo<
  F,
  R extends ListRow
    ? 'list'
    : R['types'][number] | 'key' | (R extends { readonly operandKind: 'flag' } ? 'list' : never)
>

/** The types of operands. */
type Operands = {
  readonly string: string
  readonly uuid: string
  readonly integer: number
  readonly bigint: bigint | number | string
  readonly number: number
  readonly decimal: string | number | bigint
  readonly boolean: boolean
  readonly date: string
  readonly datetime: string | Date
  readonly time: string
}
/** The type of an operand for a field, for a key of a record, or for the entries of a list; `never` if an operator for the types `T` does not accept the key. */
type OperandFor<D, T> = D extends { readonly type: infer N extends keyof Operands }
  ? Operands[N & T]
  : D extends { readonly type: T; readonly values: readonly (infer V)[] }
    ? V
    : D extends { readonly type: 'list'; readonly entry: infer E }
      ? OperandFor<E, T>
      : never

export type OperandsOf<R extends Row, D> = R extends { readonly operandKind: 'flag' }
  ? [present?: boolean]
  : R extends { readonly operandKind: 'count' }
    ? [entries: number]
    : {
        one: [operand: OperandFor<D, R['types'][number]>]
        two: [low: OperandFor<D, R['types'][number]>, high: OperandFor<D, R['types'][number]>]
        list: [operands: readonly OperandFor<D, R['types'][number]>[]]
      }[R['operands']]

/** A method for each operator of a table, on the fields of an object. */
export type Methods<F extends Fields, O extends Rows> = {
  [K in keyof O]: <P extends PathTaking<F, O[K]>>(path: P, ...operands: OperandsOf<O[K], FieldAt<F, P>>) => Filter
}

/** A method for each operator that a scalar entry accepts. */
type EntryMethods<D extends EntryField, O extends Rows> = {
  [K in keyof O as O[K] extends ListRow ? never : D['type'] extends O[K]['types'][number] ? K : never]: (
    ...operands: OperandsOf<O[K], D>
  ) => Filter
}

/**
 * A method for each operator of the language (see `operators`), for the paths of the fields that accept it; and `some`, `none` and
 * `every`.
 *
 * Pass a date as a day (`'2024-01-31'`). Pass a datetime as RFC 3339 text, as a `Date`, or as a day, which means the whole day in UTC.
 * Pass a bigint as a bigint, a safe integer or a text of digits. Pass a decimal as a text, a bigint or a number, whose shortest digits
 * count. `range` has two operands. `in` and `nin` have a list, which may be empty. `exists` has `true` (the default) or `false`. `all`
 * has a list of entries that the field must contain. `atLeast` and `atMost` have a number of entries. Every method throws a TypeError
 * that names the wrong path or operand.
 */
export interface Where<F extends Fields> extends Methods<F, OperatorRows> {
  /**
   * Selects the rows in which one entry of a list satisfies a filter.
   *
   * @param filter builds the filter of an entry; its paths start at the entry.
   */
  some<P extends PathTo<F, 'list'>>(path: P, filter: (entry: WhereEntry<FieldAt<F, P>>) => Filter): Filter
  /** Selects the rows in which no entry of a list satisfies a filter: the complement of `some`. It also selects rows without entries. */
  none<P extends PathTo<F, 'list'>>(path: P, filter: (entry: WhereEntry<FieldAt<F, P>>) => Filter): Filter
  /**
   * Selects the rows in which every entry of a list satisfies a filter, also rows without entries. A condition is false for an entry that
   * is null.
   */
  every<P extends PathTo<F, 'list'>>(path: P, filter: (entry: WhereEntry<FieldAt<F, P>>) => Filter): Filter
}

/**
 * The builder that `some` passes to its function. For a list of objects it has the methods of {@link Where}. For a list of scalars it has
 * a method for each operator of the entries, without a path.
 */
export type WhereEntry<L> =
  L extends ListField<infer D> ? (D extends ObjectField<infer G> ? Where<G> : EntryMethods<D, OperatorRows>) : never

/**
 * Builds filters in code, with fields, operators and operands that the compiler checks. Each method returns a filter; `and`, `or` and
 * `not` join them. Dots in a path lead into objects. Only `some`, `none` and `every` lead into a list: their whole filter applies to the
 * same entry.
 *
 * @throws TypeError when `schema` was not made with `defineSchema`.
 * @example
 * const o = where(orders)
 * and(o.equals('seller', 's-1'), o.some('items', (i) => and(i.gte('arrival', '2024-01-01'), i.contains('product', 'surf'))))
 */
export function where<F extends Fields>(schema: Schema<F>): Where<F> {
  const before = builders.get(schema)
  if (before !== undefined) return before as Where<F>
  checkSchema(schema)
  const made = Object.freeze(objectBuilder(schema.fields))
  builders.set(schema, made)
  return made as unknown as Where<F>
}

/** Most services call `where` for each request. A builder takes 3 µs, and a condition half a µs. */
const builders = /* @__PURE__ */ weakCache<Schema, object>()

type Method = (...args: readonly unknown[]) => Filter

function methods(
  operators: Iterable<OperatorRow>,
  method: (operator: OperatorRow, args: readonly unknown[]) => Filter,
): Record<string, Method> {
  return Object.fromEntries(
    Array.from(operators, (operator) => [
      operator.name,
      (...args: readonly unknown[]) => trust(method(operator, args)),
    ]),
  )
}

/** Builds the filter of each quantifier from the path of a list and the filter of its entries. */
const quantified: { readonly [Q in Quantifier]: (path: Path, filter: unknown) => object } = {
  some: (path, filter) => ({ kind: 'some', path, filter }),
  none: (path, filter) => ({ kind: 'not', filter: quantified.some(path, filter) }),
  every: (path, filter) => quantified.none(path, { kind: 'not', filter }),
}

function objectBuilder(fields: Fields): Record<string, Method> {
  const quantifier =
    (word: Quantifier): Method =>
    (path, filter) => {
      const [definition, names] = definitionAt(fields, path)
      if (definition.type !== 'list') refuseArgument(`path ${path} is not a list`)
      if (typeof filter !== 'function') refuseArgument('filter must be a function')
      return checkFilter(quantified[word](names, filter(entryBuilder(definition.entry))), word)
    }
  return {
    ...methods(operatorNamed.values(), (operator, [path, ...operands]) => {
      const [definition, names] = definitionAt(fields, path)
      if (definition.type !== 'list')
        return condition(operator, resolve(definition, path as string, [], names), operands)
      if (operator.fields !== 'anywhere')
        return condition(operator, resolve(definition.entry, path as string, [names], Object.freeze([])), operands)
      if (operator.operandKind !== 'flag')
        refuseArgument(`path ${path} is a list: use some(path, filter) for its entries`)
      const entry = resolve(definition.entry, path as string, [], Object.freeze([]))
      return condition(operator, entry, operands, (present) => unchecked.some(names, present))
    }),
    some: quantifier('some'),
    none: quantifier('none'),
    every: quantifier('every'),
  }
}

function entryBuilder(definition: EntryField): Record<string, Method> {
  if (definition.type === 'object') return objectBuilder(definition.fields)
  const entry = resolve(definition, 'the entry', [], Object.freeze([]))
  const operators = Array.from(operatorNamed.values()).filter((operator) => operator.fields === 'anywhere')
  return methods(operators, (operator, operands) => condition(operator, entry, operands))
}

/** The definition that a dotted path leads to, and the names of the path. */
function definitionAt(fields: Fields, path: unknown): [Field, Path] {
  if (typeof path !== 'string') refuseArgument('path must be a string, the names joined by dots')
  const names = path.split('.')
  let definition: Field = { type: 'object', fields }
  for (const [at, name] of names.entries()) {
    if (definition.type === 'list') {
      refuseArgument(
        `path ${path} crosses the list ${names.slice(0, at).join('.')}: use some(path, filter) for its entries`,
      )
    }
    const inside: Field | undefined =
      definition.type === 'object' ? own(definition.fields, name) : entryAt(definition, name)
    if (inside === undefined) refuseArgument(`path ${path} is not in the schema`)
    definition = inside
  }
  return [definition, Object.freeze(names)]
}

/** Builds the condition of an operator. `around` wraps it before a complement negates it. */
function condition(
  operator: OperatorRow,
  field: ResolvedField,
  args: readonly unknown[],
  around: (positive: Filter) => Filter = (positive) => positive,
): Filter {
  const { name, operandKind } = operator
  if (!accepts(field, operator)) refuseArgument(`operator ${name} is not available for ${field.name}`)
  const reader = readerOf(operandKind, field)
  const operands = argumentsOf(operator, args).map(([label, value]) => {
    const operand = reader.fromValue(value)
    if (operand !== undefined) return operand
    const inCode = own(reader, 'inCode')
    const expected = inCode === undefined ? reader.expected : `${reader.expected}, ${inCode}`
    refuseArgument(`${label} of ${name} on ${field.name} must be ${expected}`)
  })
  const parts = operator.lower(field, operands)
  const positive = around(parts.length === 1 ? parts[0]! : unchecked.and(parts))
  return isComplement(operator, operands) ? unchecked.not(positive) : positive
}

/** The operands among the arguments, each with its name. */
function argumentsOf({ operands, operandKind, name }: OperatorRow, args: readonly unknown[]): [string, unknown][] {
  if (args.length > (operands === 'two' ? 2 : 1))
    refuseArgument(`too many operands for ${name}: expected ${operands === 'two' ? 'two' : 'one'}`)
  if (operands === 'two') return ['low', 'high'].map((label, at) => [label, args[at]])
  if (operands === 'one') return [['operand', args.length > 0 ? args[0] : operandKind === 'flag' ? true : undefined]]
  const [list] = args
  if (!Array.isArray(list)) refuseArgument(`operands of ${name} must be a list`)
  return Array.from(list, (value: unknown, at) => [`operands[${at}]`, value])
}
