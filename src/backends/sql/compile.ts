/** Filter → SQL. Negation is pushed to the leaves, where each has a form that is never NULL. */
import {
  checkFilter,
  kinds,
  literalTypes,
  make,
  type Filter,
  type Literal,
  type LiteralType,
  type Path,
  type Some,
} from '../../ast/index.ts'
import type { Backend, Capabilities } from '../backend.ts'
import { FilterError, type Issue } from '../../issue/index.ts'
import { checkOptions } from '../../options.ts'
import { holdsLiteral, type Field, type Fields } from '../../language/index.ts'
import { simpleLowerCase } from '../../text.ts'
import { compare, type Dialect, type StoredType } from './dialect.ts'
import { constant, exists, FALSE, groupsOf, maybeNull, unit, type Test } from './groups.ts'
import { checkMapping, featuresOf, type Table } from './mapping.ts'
import { placesOf, type Place, type Scope } from './resolve.ts'
import { flatten, parameter, sql, type Parameter, type Sql } from './sql.ts'

/** A condition for a `WHERE` clause. */
export interface SqlCondition {
  /** A boolean expression: true or false for every row, never NULL. Safe behind AND, OR and NOT. */
  readonly text: string
  /**
   * What its placeholders stand for, in order: texts, numbers, booleans, and arrays of these where the dialect sends lists as
   * arrays. Drivers declare the values that they take in types of their own, as lists that may change, so this is `any[]`:
   * each takes it without a cast.
   */
  readonly parameters: any[]
  /** The text around the parameters, for tagged templates: one piece more than there are parameters. */
  readonly strings: TemplateStringsArray
}

export interface SqlOptions {
  readonly dialect: Dialect
  readonly table: Table
  /** What the statement calls the table, where it gives it another name. */
  readonly alias?: string
  /** The number of the first placeholder, for statements with parameters before these; 1 unless given. */
  readonly firstParameter?: number
}

/** A value that is NULL exactly where the field has none. */
interface Value {
  readonly value: Sql
  readonly type: StoredType
  /** A column itself, so that indexes serve it. */
  readonly isColumn: boolean
}

const isPresent = (value: Sql, negated: boolean): Test =>
  unit(negated ? sql`${value} IS NULL` : sql`${value} IS NOT NULL`)

const plain = (value: Parameter): Sql => sql`${value}`

/** A filter with a path, whose place is looked for. */
type Located = Filter & { readonly path: Path }

/** The lists around a filter. The scope is an entry of the innermost one. */
interface Within {
  readonly issues: Issue[]
  readonly scope: Scope
  readonly lists: readonly Path[]
}

/**
 * Filters as conditions of SQL: one boolean expression, all values of the query in parameters.
 *
 * @returns a backend whose `compile` throws a FilterError (`backend_unmapped`, `backend_unsupported`) for what
 *   the table or the dialect cannot say exactly.
 * @throws TypeError that names the option which cannot be.
 * @example
 * const { text, parameters } = sqlBackend({ dialect: postgres, table: orders }).compile(filter)
 * await client.query(`SELECT * FROM "orders" WHERE ${text}`, parameters)
 */
export function sqlBackend(options: SqlOptions): Backend<SqlCondition> {
  checkOptions(options, 'options', ['dialect', 'table', 'alias', 'firstParameter'])
  const { dialect, table, alias, firstParameter = 1 } = options
  checkMapping(dialect, table, alias)
  if (!Number.isSafeInteger(firstParameter) || firstParameter < 1) {
    throw new TypeError('firstParameter must be a whole number from 1')
  }
  const { root, placeOf, entriesOf } = placesOf(dialect, table, alias)
  const { all, any, settled } = groupsOf(dialect)
  const { textRules, maxParameters = Infinity } = dialect
  const { cased = asIs } = textRules
  const lower = [`${dialect.lower}(`, ')']
  const unlowered = dialect.unlowered[dialect.lower]
  const lowerCase = (text: string) =>
    unlowered === undefined
      ? simpleLowerCase(text)
      : Array.from(text, (character) => (unlowered.test(character) ? character : simpleLowerCase(character))).join('')

  const refuse = (
    { issues, lists }: Within,
    code: 'backend_unmapped' | 'backend_unsupported',
    { path, span }: Located,
    why: string,
  ) => {
    const whole = [...lists, path].flat().join('.') || 'an entry'
    issues.push({ code, message: `${whole} ${why}`, ...(span && { span }) })
    return FALSE
  }
  const unmapped = (within: Within, node: Located): Test =>
    refuse(within, 'backend_unmapped', node, `is not stored where ${dialect.name} can reach it`)

  /** Where a path ends, if the schema does not say that something else is there; or the refusal. */
  const placed = (within: Within, node: Located, asked: LiteralType | 'object' | 'list'): Place | Test => {
    const place = placeOf(within.scope, node.path)
    if (place === undefined) return unmapped(within, node)
    const { field } = place
    if (field === undefined || (asked === 'list' ? field.type === 'list' : holdsLiteral(field, asked))) return place
    return refuse(
      within,
      'backend_unsupported',
      node,
      `is of type ${field.type}, but the filter asks for type ${asked}`,
    )
  }

  /** The type of a column that is not declared otherwise: its field's, where that takes the literal; numbers take both. */
  const defaultType = (field: Field | undefined, type: LiteralType): string => {
    const own = field?.type === 'integer' || field?.type === 'number' ? dialect.columnTypes[field.type] : undefined
    return own !== undefined && dialect.types[own]!.holds.includes(type) ? own : dialect.columnTypes[type]
  }

  /** The value of a leaf as its literal's type, or the refusal. */
  const valueOf = (within: Within, node: Located, type: LiteralType): Value | Test => {
    const place = placed(within, node, type)
    if ('form' in place) return place
    if (place.kind === 'json' && dialect.json !== undefined) {
      const { types, [readAs[type]]: read } = dialect.json
      return { value: read(place.value), type: dialect.types[types[type]]!, isColumn: false }
    }
    if (place.kind !== 'column') return unmapped(within, node)
    const stored = dialect.types[place.type ?? defaultType(place.field, type)]!
    if (stored.holds.includes(type)) return { value: place.value, type: stored, isColumn: true }
    return refuse(within, 'backend_unsupported', node, `is stored as ${place.type}, which holds no ${type}`)
  }
  /** A test that is NULL where the value is, as it stands or as its complement. */
  const tested = (test: Sql, { value, isColumn }: Value, negated: boolean): Test =>
    negated ? unit(dialect.isNotTrue(test, isColumn ? value : undefined)) : maybeNull(test, isColumn ? [value] : 'wrap')

  /** A value as text, where its type compares otherwise. */
  const textOf = (of: Value): Value =>
    of.type.asText === undefined ? of : { value: of.type.asText(of.value), type: dialect.types.text!, isColumn: false }

  const someOf = (within: Within, node: Some, negated: boolean): Test => {
    const place = placed(within, node, 'list')
    if ('form' in place) return place
    const { issues, lists } = within
    const entries = entriesOf(place, lists.length)
    if (entries === undefined) return unmapped(within, node)
    const { from, tie, scope, exists: test } = entries
    const inner = visit({ issues, scope, lists: [...lists, node.path] }, node.filter, false)
    if (inner === FALSE) return constant(negated)
    return exists(from, all(tie === undefined ? [inner] : [unit(tie), inner]), negated, test)
  }

  const visit = (within: Within, node: Filter, negated: boolean): Test => {
    switch (node.kind) {
      case 'and':
      case 'or': {
        const tests = node.filters.map((member) => visit(within, member, negated))
        return (node.kind === 'and') !== negated ? all(tests) : any(tests, within.lists.length > 0)
      }
      case 'not':
        return visit(within, node.filter, !negated)
      case 'some':
        return someOf(within, node, negated)

      case 'comparison': {
        const { operator, operand } = node
        let of = valueOf(within, node, operand.type)
        if ('form' in of) return of
        if (operator !== 'eq') of = textOf(of)
        const { encode, cast = plain, isText } = of.type
        const encoded: unknown = encode === undefined ? operand.value : encode(operand.value)
        if (encoded === undefined) return constant(negated)
        const other = cast(parameter(encoded))
        if (negated && operator === 'eq') return unit((isText ? textRules.differs : dialect.differs)(of.value, other))
        return tested((isText ? textRules.compare : compare)(of.value, operator, other), of, negated)
      }

      case 'membership': {
        if (node.operands.length === 0) return constant(negated)
        const of = valueOf(within, node, node.operands[0]!.type)
        if ('form' in of) return of
        const { encode = same } = of.type
        const values = node.operands.map(({ value }) => encode(value)).filter((value) => value !== undefined)
        return values.length === 0 ? constant(negated) : tested(dialect.among(of.value, values, of.type), of, negated)
      }

      case 'match': {
        const found = valueOf(within, node, 'string')
        if ('form' in found) return found
        const of = textOf(found)
        // Every text has the empty one in it.
        if (node.text === '') return isPresent(of.value, negated)
        const { cast = plain } = of.type
        const match = textRules[node.mode]
        return tested(
          match(sql(lower, cased(of.value)), lowerCase(node.text), (text) => cast(parameter(text))),
          of,
          negated,
        )
      }

      case 'presence': {
        if (node.type !== 'object') {
          const of = valueOf(within, node, node.type)
          return 'form' in of ? of : isPresent(of.value, negated)
        }
        const place = placed(within, node, 'object')
        if ('form' in place) return place
        if (place.kind === 'json' && dialect.json !== undefined) {
          const test = dialect.json.isObject(place.value)
          return unit(negated ? sql`NOT (${test})` : test)
        }
        // A row is there, whatever its columns hold.
        if (place.kind === 'row') return constant(!negated)
        // Columns cannot tell an empty object from none: it is there when something in it is.
        if (place.kind !== 'object' || place.field?.type !== 'object') return unmapped(within, node)
        return visit(within, make.or(presences(place.field.fields, node.path)), negated)
      }
    }
  }

  /** Each is made once. */
  const placeholders: string[] = []
  const placeholder = (at: number): string => {
    while (placeholders.length < at) placeholders.push(dialect.placeholder(firstParameter + placeholders.length))
    return placeholders[at - 1]!
  }

  const compile = (filter: Filter): SqlCondition => {
    const issues: Issue[] = []
    const whole = settled(visit({ issues, scope: root, lists: [] }, checkFilter(filter), false))
    if (issues.length > 0) throw new FilterError([issues[0]!, ...issues.slice(1)])
    const { strings, parameters } = flatten(whole.form === 'closed' ? whole.sql : sql`(${whole.sql})`)
    const count = firstParameter - 1 + parameters.length
    if (count > maxParameters) {
      const message = `the statement has ${count} parameters, but ${dialect.name} takes ${maxParameters} at most`
      throw new FilterError([{ code: 'backend_unsupported', message, ...(filter.span && { span: filter.span }) }])
    }
    let text = strings[0]!
    for (let at = 1; at < strings.length; at++) text += placeholder(at) + strings[at]!
    const template = strings as string[] & { raw: string[] }
    template.raw = strings.slice()
    return { text, parameters, strings: template }
  }

  const capabilities: Capabilities = Object.freeze({
    kinds,
    types: literalTypes,
    features: Object.freeze(featuresOf(table, unlowered === undefined)),
    preconditions: dialect.preconditions,
  })
  return { name: dialect.name, capabilities, compile }
}

const same = (value: Literal['value']): unknown => value
const asIs = (value: Sql): Sql => value

const readAs: Readonly<Record<LiteralType, 'text' | 'number' | 'boolean'>> = {
  string: 'text',
  date: 'text',
  datetime: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}

/** That something in an object has a value, as filters. */
function presences(fields: Fields, path: Path): Filter[] {
  return Object.entries(fields).map(([name, field]): Filter => {
    const own = [...path, name]
    const presence = (definition: Field, at: Path): Filter =>
      definition.type === 'list'
        ? make.some(at, presence(definition.entry, []))
        : make.presence(at, definition.type === 'enumeration' ? 'string' : definition.type)
    return presence(field, own)
  })
}
