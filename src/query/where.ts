/** The typed builder: the operators as functions whose paths, names and operands the compiler checks. */
import { checkFilter, markChecked, unchecked, type Filter, type LiteralType, type Path } from '../ast/index.ts'
import {
  checkSchema,
  isComplement,
  operatorNamed,
  readerOf,
  resolve,
  type EntryField,
  type EnumerationField,
  type Field,
  type Fields,
  type ListField,
  type ObjectField,
  type OperatorRow,
  type ResolvedField,
  type ScalarField,
  type Schema,
} from '../language/index.ts'

// Texts made of keys, for the compiler prints those as the paths that there are; of other types it prints the alias and the schema.

/** Dotted paths of fields, through objects; a list is where they end. */
type PathOf<F extends Fields> = `${keyof {
  [K in keyof F & string as K | (F[K] extends ObjectField<infer G> ? `${K}.${PathOf<G>}` : never)]: unknown
}}`

/** The definition of the field at a path. */
type FieldAt<F extends Fields, P extends string> = P extends keyof F
  ? F[P]
  : P extends `${infer K}.${infer Rest}`
    ? F[K] extends ObjectField<infer G>
      ? FieldAt<G, Rest>
      : never
    : never

/** Paths of the fields of some definition. */
type PathTo<F extends Fields, D extends Field> = `${keyof {
  [P in PathOf<F> as FieldAt<F, P> extends D ? P : never]: unknown
}}`

type Scalar = ScalarField | EnumerationField
type Ordered = ScalarField<Exclude<LiteralType, 'boolean'>>
type Countable = Ordered | EnumerationField
type Text = ScalarField<'string'>

/** What an operand for a field may be. */
type OperandFor<D> =
  D extends EnumerationField<infer V>
    ? V
    : D extends ScalarField<infer T>
      ? { string: string; integer: number; number: number; boolean: boolean; date: string; datetime: string | Date }[T]
      : never

/**
 * The operators over the fields of an object. Operands: dates are days (`'2024-01-31'`); datetimes are
 * RFC 3339 text, a `Date`, or a day, which means all of it (UTC). An operand of another form, or a path that
 * is not in the schema, is a TypeError that names it.
 */
export interface Where<F extends Fields> {
  equals<P extends PathTo<F, Scalar>>(path: P, operand: OperandFor<FieldAt<F, P>>): Filter
  /** The complement of `equals`: it selects what has no value too. */
  notEqual<P extends PathTo<F, Scalar>>(path: P, operand: OperandFor<FieldAt<F, P>>): Filter
  gt<P extends PathTo<F, Ordered>>(path: P, operand: OperandFor<FieldAt<F, P>>): Filter
  gte<P extends PathTo<F, Ordered>>(path: P, operand: OperandFor<FieldAt<F, P>>): Filter
  lt<P extends PathTo<F, Ordered>>(path: P, operand: OperandFor<FieldAt<F, P>>): Filter
  lte<P extends PathTo<F, Ordered>>(path: P, operand: OperandFor<FieldAt<F, P>>): Filter
  /** From `low` to `high`, both included. */
  range<P extends PathTo<F, Ordered>>(path: P, low: OperandFor<FieldAt<F, P>>, high: OperandFor<FieldAt<F, P>>): Filter
  /** One of the operands; none of an empty list. */
  in<P extends PathTo<F, Countable>>(path: P, operands: readonly OperandFor<FieldAt<F, P>>[]): Filter
  /** The complement of `in`: it selects what has no value too. */
  nin<P extends PathTo<F, Countable>>(path: P, operands: readonly OperandFor<FieldAt<F, P>>[]): Filter
  /** Case is ignored. */
  startsWith(path: PathTo<F, Text>, text: string): Filter
  /** Case is ignored. */
  endsWith(path: PathTo<F, Text>, text: string): Filter
  /** Case is ignored. */
  contains(path: PathTo<F, Text>, text: string): Filter
  /** The complement of `contains`: it selects what has no value too. */
  doesNotContain(path: PathTo<F, Text>, text: string): Filter
  /** Whether there is a value; for a list, whether there is an entry that has one. */
  exists(path: PathOf<F>, present?: boolean): Filter
  /** Whether one entry of a list satisfies the filter that `filter` builds. */
  some<P extends PathTo<F, ListField>>(path: P, filter: (entry: Entry<FieldAt<F, P>>) => Filter): Filter
}

/** The operators over an entry that is a scalar itself. */
interface WhereEntry<D> {
  equals(operand: OperandFor<D>): Filter
  notEqual(operand: OperandFor<D>): Filter
  gt(operand: OperandFor<D>): Filter
  gte(operand: OperandFor<D>): Filter
  lt(operand: OperandFor<D>): Filter
  lte(operand: OperandFor<D>): Filter
  range(low: OperandFor<D>, high: OperandFor<D>): Filter
  in(operands: readonly OperandFor<D>[]): Filter
  nin(operands: readonly OperandFor<D>[]): Filter
  startsWith(text: string): Filter
  endsWith(text: string): Filter
  contains(text: string): Filter
  doesNotContain(text: string): Filter
  exists(present?: boolean): Filter
}
type TextOnly = 'startsWith' | 'endsWith' | 'contains' | 'doesNotContain'
type OrderedOnly = 'gt' | 'gte' | 'lt' | 'lte' | 'range'
type Missing<D> = D extends Text
  ? never
  : D extends Ordered
    ? TextOnly
    : D extends EnumerationField
      ? TextOnly | OrderedOnly
      : TextOnly | OrderedOnly | 'in' | 'nin'

type Entry<L> =
  L extends ListField<infer D> ? (D extends ObjectField<infer G> ? Where<G> : Omit<WhereEntry<D>, Missing<D>>) : never

/**
 * The operators of the language as functions, typed by a schema: each call is a filter, to be joined by
 * `and`, `or` and `not`. Paths reach into objects by dots; into a list only by `some`, which says that one
 * and the same entry satisfies all that is in it.
 *
 * @throws TypeError when the schema was not made by `defineSchema`.
 * @example
 * const o = where(orders)
 * and(o.equals('seller', 's-1'), o.some('items', (i) => and(i.gte('arrival', '2024-01-01'), i.contains('product', 'surf'))))
 */
export function where<F extends Fields>(schema: Schema<F>): Where<F> {
  checkSchema(schema)
  return objectBuilder(schema.fields) as unknown as Where<F>
}

type Method = (...args: readonly unknown[]) => Filter

function methods(method: (operator: OperatorRow, args: readonly unknown[]) => Filter): Record<string, Method> {
  return Object.fromEntries(
    Array.from(operatorNamed.values(), (operator) => [
      operator.name,
      (...args: readonly unknown[]) => markChecked(method(operator, args)),
    ]),
  )
}

function objectBuilder(fields: Fields): Record<string, Method> {
  return {
    ...methods((operator, [path, ...operands]) => {
      const [definition, names] = definitionAt(fields, path)
      if (definition.type !== 'list')
        return condition(operator, resolve(definition, path as string, [], names), operands)
      if (operator.reads !== 'flag') throw new TypeError(`path ${path} is a list: ask for an entry by some`)
      const entry = resolve(definition.entry, path as string, [], Object.freeze([]))
      return condition(operator, entry, operands, (present) => unchecked.some(names, present))
    }),
    some: (path, filter) => {
      const [definition, names] = definitionAt(fields, path)
      if (definition.type !== 'list') throw new TypeError(`path ${path} is no list`)
      if (typeof filter !== 'function') throw new TypeError('filter must be a function')
      return checkFilter(
        { kind: 'some', path: names, filter: filter(entryBuilder(definition.entry)) as unknown },
        'some',
      )
    },
  }
}

function entryBuilder(definition: EntryField): Record<string, Method> {
  if (definition.type === 'object') return objectBuilder(definition.fields)
  const entry = resolve(definition, 'the entry', [], Object.freeze([]))
  return methods((operator, operands) => condition(operator, entry, operands))
}

/** The definition that a dotted path leads to, and the names of the path. */
function definitionAt(fields: Fields, path: unknown): [Field, Path] {
  if (typeof path !== 'string') throw new TypeError('path must be a text, names joined by dots')
  const names = path.split('.')
  let definition: Field = { type: 'object', fields }
  for (const [at, name] of names.entries()) {
    if (definition.type === 'list') {
      throw new TypeError(`path ${path} crosses the list ${names.slice(0, at).join('.')}: ask for an entry by some`)
    }
    if (definition.type !== 'object' || !Object.hasOwn(definition.fields, name)) {
      throw new TypeError(`path ${path} is not in the schema`)
    }
    definition = definition.fields[name]!
  }
  return [definition, Object.freeze(names)]
}

/** The condition of an operator; `around` puts what it states in its place before it is negated. */
function condition(
  operator: OperatorRow,
  field: ResolvedField,
  args: readonly unknown[],
  around: (positive: Filter) => Filter = (positive) => positive,
): Filter {
  const { name, reads } = operator
  if (!operator.types.includes(field.type)) throw new TypeError(`path ${field.name} does not take ${name}`)
  const reader = readerOf(reads, field)
  const operands = argumentsOf(operator, args).map(([label, value]) => {
    const operand = reader.fromValue(value, field)
    if (operand === undefined) throw new TypeError(`${label} of ${name} on ${field.name} must be ${reader.expected}`)
    return operand
  })
  const parts = operator.lower(field, operands)
  const positive = around(parts.length === 1 ? parts[0]! : unchecked.and(parts))
  return isComplement(operator, operands) ? unchecked.not(positive) : positive
}

/** The operands among the arguments, each with its name. */
function argumentsOf({ operands, reads, name }: OperatorRow, args: readonly unknown[]): [string, unknown][] {
  if (args.length > (operands === 'two' ? 2 : 1))
    throw new TypeError(`${name} takes no more than ${operands} operand(s)`)
  if (operands === 'two') return ['low', 'high'].map((label, at) => [label, args[at]])
  if (operands === 'one') return [['operand', args.length > 0 ? args[0] : reads === 'flag' ? true : undefined]]
  const [list] = args
  if (!Array.isArray(list)) throw new TypeError(`operands of ${name} must be a list`)
  return Array.from(list, (value: unknown, at) => [`operands[${at}]`, value])
}
