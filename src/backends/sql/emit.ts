/** Filter → SQL. Negation is pushed to the leaves, where each has a form that is never NULL. */
import { checkFilter, make, type Filter, type Literal, type LiteralType, type Path } from '../../ast.ts'
import type { Backend, Capabilities, Feature } from '../../backend.ts'
import { kinds, literalTypes } from '../../ast.ts'
import { FilterError, type Issue } from '../../issue.ts'
import type { Field, Fields } from '../../schema.ts'
import { simpleLowerCase } from '../../text.ts'
import { compare, type Dialect, type JsonValue, type StoredType } from './dialect.ts'
import type { ChildTable, Columns, Name, Stored, Table } from './mapping.ts'
import { flatten, join, parameter, raw, sql, type Sql } from './sql.ts'

/** A condition for a `WHERE` clause. */
export interface SqlCondition {
  /** A boolean expression: true or false for every row, never NULL. Safe behind AND, OR and NOT. */
  readonly text: string
  /** What its placeholders stand for, in order. */
  readonly parameters: readonly unknown[]
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

/** Where paths begin. */
type Scope =
  | { readonly kind: 'rows'; readonly name: Sql; readonly owner: Owner; readonly fields: Fields | undefined }
  | { readonly kind: 'json'; readonly value: JsonValue; readonly field: Field | undefined }
  | { readonly kind: 'value'; readonly value: Sql; readonly type: string | undefined }
interface Owner {
  readonly key: readonly string[]
  readonly columns: Columns
  readonly value?: Extract<Stored, { kind: 'column' }>
}

/** Where a path ends. */
type Place =
  | { readonly kind: 'column'; readonly value: Sql; readonly type: string | undefined }
  | { readonly kind: 'json'; readonly value: JsonValue; readonly field: Field | undefined }
  | { readonly kind: 'array'; readonly value: Sql; readonly type: string | undefined }
  | {
      readonly kind: 'child'
      readonly child: ChildTable
      readonly of: Sql
      readonly key: readonly string[]
      readonly fields: Fields | undefined
    }
  | { readonly kind: 'object'; readonly fields: Fields | undefined }

/** A value that is NULL exactly where the field has none. */
interface Value {
  readonly value: Sql
  readonly type: StoredType
  /** A column itself, so that indexes serve it. */
  readonly isColumn: boolean
}

/** A test, and what stands around it: `unit`s need no parentheses in a group, `closed` ones nowhere. */
interface Test {
  readonly sql: Sql
  readonly form: 'closed' | 'unit' | 'and' | 'or'
  /** What must be there for the test not to be NULL: columns to look at, or more than one can say. */
  readonly unless?: readonly Sql[] | 'wrap'
}
const TRUE: Test = { sql: sql`TRUE`, form: 'closed' }
const FALSE: Test = { sql: sql`FALSE`, form: 'closed' }

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
export function sqlBackend({ dialect, table, alias, firstParameter = 1 }: SqlOptions): Backend<SqlCondition> {
  if (!Number.isSafeInteger(firstParameter) || firstParameter < 1) {
    throw new TypeError('firstParameter must be a whole number from 1')
  }
  const quote = (name: string): Sql =>
    raw(dialect.quote + name.replaceAll(dialect.quote, dialect.quote + dialect.quote) + dialect.quote)
  const qualified = (name: Name): Sql => join((typeof name === 'string' ? [name] : name).map(quote), '.')
  const rootName = alias ?? (typeof table.name === 'string' ? table.name : table.name.at(-1)!)
  checkMapping(dialect, table, [rootName])

  const lower = raw(dialect.lower)
  const unlowered = dialect.unlowered[dialect.lower]
  const lowerCase = (text: string) =>
    unlowered === undefined
      ? simpleLowerCase(text)
      : Array.from(text, (character) => (unlowered.test(character) ? character : simpleLowerCase(character))).join('')

  const root: Scope = { kind: 'rows', name: quote(rootName), owner: table, fields: table.schema?.fields }
  const capabilities: Capabilities = Object.freeze({
    kinds,
    types: literalTypes,
    features: Object.freeze(featuresOf(table, unlowered === undefined)),
    preconditions: dialect.preconditions,
  })

  const compile = (filter: Filter): SqlCondition => {
    checkFilter(filter)
    const issues: Issue[] = []
    const refuse = (code: 'backend_unmapped' | 'backend_unsupported', message: string, { span }: Filter): Test => {
      issues.push({ code, message, ...(span && { span }) })
      return FALSE
    }

    const unmapped = (node: Filter & { readonly path: Path }): Test =>
      refuse(
        'backend_unmapped',
        `${node.path.join('.') || 'an entry'} is not stored where ${dialect.name} can reach it`,
        node,
      )

    /** The value of a leaf as its literal's type, or the refusal. */
    const valueOf = (scope: Scope, node: Filter & { readonly path: Path }, type: LiteralType): Value | Test => {
      const place = placeOf(scope, node.path)
      if (place?.kind === 'json' && dialect.json !== undefined) {
        const { types, ...readers } = dialect.json
        return { value: readers[readAs[type]](place.value), type: dialect.types[types[type]]!, isColumn: false }
      }
      if (place?.kind !== 'column') return unmapped(node)
      const stored = dialect.types[place.type ?? dialect.columnTypes[type]]!
      if (stored.holds.includes(type)) return { value: place.value, type: stored, isColumn: true }
      return refuse(
        'backend_unsupported',
        `${node.path.join('.')} is stored as ${place.type}, which holds no ${type}`,
        node,
      )
    }
    const textOf = (of: Value): Value =>
      of.type.asText === undefined
        ? of
        : { value: of.type.asText(of.value), type: dialect.types.text!, isColumn: false }
    const operand = ({ encode, cast = (plain) => plain }: StoredType, value: Literal['value']): Sql | undefined => {
      const encoded = encode === undefined ? value : encode(value)
      return encoded === undefined ? undefined : cast(sql`${parameter(encoded)}`)
    }
    const positive = (test: Sql, { value, isColumn }: Value): Test => ({
      sql: test,
      form: 'unit',
      unless: isColumn ? [value] : 'wrap',
    })
    const negative = (test: Sql): Test => ({ sql: sql`(${test}) IS NOT TRUE`, form: 'unit' })
    const present = (value: Sql, negated: boolean): Test => ({
      sql: negated ? sql`${value} IS NULL` : sql`${value} IS NOT NULL`,
      form: 'unit',
    })

    const visit = (node: Filter, scope: Scope, negated: boolean, depth: number): Test => {
      switch (node.kind) {
        case 'and':
        case 'or': {
          const tests = node.filters.map((member) => visit(member, scope, negated, depth))
          return (node.kind === 'and') !== negated ? all(tests) : any(tests, depth > 0)
        }
        case 'not':
          return visit(node.filter, scope, !negated, depth)

        case 'some': {
          const from = entriesOf(placeOf(scope, node.path), depth)
          if (from === undefined) return unmapped(node)
          const inner = visit(node.filter, from.scope, false, depth + 1)
          if (inner === FALSE) return negated ? TRUE : FALSE
          const where = all([...(from.where === undefined ? [] : [from.where]), inner])
          const body = sql`SELECT 1 FROM ${from.entries}${where === TRUE ? sql`` : sql` WHERE ${where.sql}`}`
          return { sql: negated ? sql`NOT EXISTS (${body})` : sql`EXISTS (${body})`, form: 'closed' }
        }

        case 'comparison': {
          const {
            operator,
            operand: { type: literal, value: said },
          } = node
          let of = valueOf(scope, node, literal)
          if ('form' in of) return of
          if (operator !== 'eq') of = textOf(of)
          const other = operand(of.type, said)
          if (other === undefined) return negated ? TRUE : FALSE
          const { textRules } = dialect
          if (negated && operator === 'eq') {
            return { sql: (of.type.isText ? textRules.differs : dialect.differs)(of.value, other), form: 'unit' }
          }
          const test = (of.type.isText ? textRules.compare : compare)(of.value, operator, other)
          return negated ? negative(test) : positive(test, of)
        }

        case 'membership': {
          const [first] = node.operands
          if (first === undefined) return negated ? TRUE : FALSE
          const of = valueOf(scope, node, first.type)
          if ('form' in of) return of
          const { encode } = of.type
          const encoded = node.operands.map(({ value }) => (encode === undefined ? value : encode(value)))
          const values = encoded.filter((value) => value !== undefined)
          if (values.length === 0) return negated ? TRUE : FALSE
          const test = dialect.among(of.value, values, of.type)
          return negated ? negative(test) : positive(test, of)
        }

        case 'match': {
          const found = valueOf(scope, node, 'string')
          if ('form' in found) return found
          const of = textOf(found)
          if (node.text === '') return present(of.value, negated)
          const { cast = (plain: Sql) => plain } = of.type
          const test = dialect.textRules[node.mode](sql`${lower}(${of.value})`, lowerCase(node.text), (text) =>
            cast(sql`${parameter(text)}`),
          )
          return negated ? negative(test) : positive(test, of)
        }

        case 'presence': {
          if (node.type !== 'object') {
            const of = valueOf(scope, node, node.type)
            return 'form' in of ? of : present(of.value, negated)
          }
          const place = placeOf(scope, node.path)
          if (place?.kind === 'json' && dialect.json !== undefined) {
            const test = dialect.json.isObject(place.value)
            return { sql: negated ? sql`NOT (${test})` : test, form: 'unit' }
          }
          // Columns cannot tell an empty object from none: it is there when something in it is.
          if (place?.kind !== 'object' || place.fields === undefined) return unmapped(node)
          return visit(make.or(presences(place.fields, node.path)), scope, negated, depth)
        }

        default:
          return node satisfies never
      }
    }

    const column = (name: Sql, { name: own }: { readonly name: string }): Sql =>
      raw(`${name.strings[0]!}.${quote(own).strings[0]!}`)

    const placeOf = (scope: Scope, path: Path): Place | undefined => {
      if (scope.kind === 'json') return { kind: 'json', ...memberOf(scope.value, scope.field, path) }
      if (scope.kind === 'value')
        return path.length === 0 ? { kind: 'column', value: scope.value, type: scope.type } : undefined
      const { name, owner } = scope
      if (path.length === 0) {
        return owner.value === undefined
          ? { kind: 'object', fields: scope.fields }
          : { kind: 'column', value: column(name, owner.value), type: owner.value.type }
      }
      let columns = owner.columns
      let fields = scope.fields
      for (let at = 0; at < path.length; at++) {
        const field = path[at]!
        const isLast = at === path.length - 1
        const definition = fields === undefined || !Object.hasOwn(fields, field) ? undefined : fields[field]
        if (scope.fields !== undefined && definition === undefined) return undefined
        const stored = columns[field]
        if (stored === undefined) {
          // A field that is not named is a column of its own name; inside an object that name would be another's.
          const isScalar = definition === undefined || (definition.type !== 'list' && definition.type !== 'object')
          if (path.length > 1 || !isScalar || owner.value !== undefined) return undefined
          return { kind: 'column', value: column(name, { name: field }), type: undefined }
        }
        if (stored.kind === 'json') {
          const own: JsonValue = { source: column(name, stored), isEntry: false, names: [] }
          return { kind: 'json', ...memberOf(own, definition, path.slice(at + 1)) }
        }
        if (stored.kind === 'flattened') {
          fields = definition?.type === 'object' ? definition.fields : undefined
          if (isLast) return { kind: 'object', fields }
          columns = stored.columns
          continue
        }
        if (!isLast) return undefined
        if (stored.kind === 'child') {
          const entry = definition?.type === 'list' ? definition.entry : undefined
          const inside = entry?.type === 'object' ? entry.fields : undefined
          return { kind: 'child', child: stored, of: name, key: owner.key, fields: inside }
        }
        return { kind: stored.kind, value: column(name, stored), type: stored.type }
      }
      return undefined
    }

    /** What stands in FROM for the entries of a list, what ties them to their row, and where their paths begin. */
    const entriesOf = (
      place: Place | undefined,
      depth: number,
    ): { entries: Sql; where?: Test; scope: Scope } | undefined => {
      const name = quote(entryName(rootName, depth))
      if (place?.kind === 'child') {
        const { child, of, key, fields } = place
        const ties = child.foreignKey.map((foreign, at) => sql`${name}.${quote(foreign)} = ${of}.${quote(key[at]!)}`)
        return {
          entries: sql`${qualified(child.name)} AS ${name}`,
          where: { sql: join(ties, ' AND '), form: ties.length > 1 ? 'and' : 'unit' },
          scope: { kind: 'rows', name, owner: child, fields },
        }
      }
      if (place?.kind === 'json' && dialect.json !== undefined) {
        const field = place.field?.type === 'list' ? place.field.entry : undefined
        return {
          entries: dialect.json.entries(place.value, name),
          scope: { kind: 'json', value: { source: name, isEntry: true, names: [] }, field },
        }
      }
      if (place?.kind === 'array' && dialect.array !== undefined) {
        return {
          entries: dialect.array.entries(place.value, name),
          scope: { kind: 'value', value: dialect.array.entry(name), type: place.type },
        }
      }
      return undefined
    }

    const whole = settled(visit(filter, root, false, 0))
    const [first, ...rest] = issues
    if (first !== undefined) throw new FilterError([first, ...rest])
    const { strings, parameters } = flatten(whole.form === 'closed' ? whole.sql : sql`(${whole.sql})`)
    return {
      text: strings.reduce((text, piece, at) => text + dialect.placeholder(firstParameter + at - 1) + piece),
      parameters,
      strings: Object.freeze(Object.assign(strings, { raw: Object.freeze([...strings]) })),
    }
  }

  return { name: dialect.name, capabilities, compile }
}

const readAs: Readonly<Record<LiteralType, 'text' | 'number' | 'boolean'>> = {
  string: 'text',
  date: 'text',
  datetime: 'text',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
}

/** A member of a JSON value, and its definition where there is a schema. */
function memberOf(
  value: JsonValue,
  field: Field | undefined,
  path: Path,
): { value: JsonValue; field: Field | undefined } {
  let definition = field
  for (const name of path) {
    definition =
      definition?.type === 'object' && Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined
  }
  return { value: path.length === 0 ? value : { ...value, names: [...value.names, ...path] }, field: definition }
}

const entryName = (rootName: string, depth: number): string => {
  const name = `e${depth + 1}`
  // Its own name would hide the row's.
  return name === rootName ? `${name}_` : name
}

/** A group that holds where all of its tests do; what they may be NULL for is looked at once. */
function all(tests: readonly Test[]): Test {
  const members = tests.filter((test) => test !== TRUE)
  if (members.includes(FALSE)) return FALSE
  if (members.length < 2) return members[0] ?? TRUE
  const each = members.map((test) => (test.unless === 'wrap' ? settled(test) : test))
  const columns = each.flatMap(({ unless = [] }) => unless as readonly Sql[])
  const unless = [...new Map(columns.map((value) => [value.strings[0], value])).values()]
  return {
    sql: join(
      each.map(({ sql: own, form }) => (form === 'or' ? sql`(${own})` : own)),
      ' AND ',
    ),
    form: 'and',
    ...(unless.length > 0 && { unless }),
  }
}

/** A group that holds where one of its tests does. In EXISTS, NULL is as good as false. */
function any(tests: readonly Test[], inside: boolean): Test {
  const members = tests.filter((test) => test !== FALSE)
  if (members.includes(TRUE)) return TRUE
  if (members.length < 2) return members[0] ?? FALSE
  const each = inside ? members : members.map(settled)
  return {
    sql: join(
      each.map(({ sql: own, form }) => (form === 'and' ? sql`(${own})` : own)),
      ' OR ',
    ),
    form: 'or',
  }
}

/** A test that is never NULL. */
function settled(test: Test): Test {
  const { unless } = test
  if (unless === undefined) return test
  if (unless === 'wrap') return { sql: sql`(${test.sql}) IS TRUE`, form: 'unit' }
  const there = unless.map((value): Test => ({ sql: sql`${value} IS NOT NULL`, form: 'unit' }))
  return all([{ sql: test.sql, form: test.form }, ...there])
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

/** What a mapping can tell apart. A column tells neither other forms nor empty objects; JSON does. */
function featuresOf({ key, columns }: Table, unicode: boolean): Feature[] {
  const stored = Object.entries(columns)
  const isSpread = ({ kind }: Stored): boolean => kind === 'flattened' || kind === 'child'
  const features: Feature[] = unicode ? ['unicode-case'] : []
  if (stored.length > 0 && stored.every(([field, { kind }]) => kind === 'json' || key.includes(field)))
    features.push('other-forms')
  if (stored.length > 0 && !stored.some(([, place]) => isSpread(place))) features.push('empty-objects')
  return features
}

/** Names and types that the dialect cannot have. */
function checkMapping(dialect: Dialect, table: Table, names: readonly string[]): void {
  const isMark = (name: string) => dialect.placeholder(1) === '?' && name.includes('?')
  const check = (name: string): void => {
    if (isMark(name))
      throw new TypeError(`the name ${JSON.stringify(name)} has a ?, which is a placeholder in ${dialect.name}`)
  }
  const checkType = (field: string, type: string | undefined): void => {
    if (type === undefined || Object.hasOwn(dialect.types, type)) return
    throw new TypeError(
      `columns.${field}: ${dialect.name} has no type ${type}; it has ${Object.keys(dialect.types).join(', ')}`,
    )
  }
  const visit = (columns: Columns, at: string): void => {
    for (const [field, stored] of Object.entries(columns)) {
      const where = at + field
      if (stored.kind === 'flattened') {
        visit(stored.columns, `${where}.`)
        continue
      }
      ;[stored.name].flat().forEach(check)
      if (stored.kind === 'child') {
        ;[...stored.key, ...stored.foreignKey].forEach(check)
        if (stored.value !== undefined) {
          check(stored.value.name)
          checkType(where, stored.value.type)
        }
        visit(stored.columns, `${where}.`)
      } else if (stored.kind === 'json') {
        if (dialect.json === undefined) throw new TypeError(`columns.${where}: ${dialect.name} has no JSON`)
      } else {
        checkType(where, stored.type)
        if (stored.kind === 'array' && dialect.array === undefined) {
          throw new TypeError(`columns.${where}: ${dialect.name} has no arrays; lists are JSON or child tables`)
        }
      }
    }
  }
  ;[...names, ...[table.name].flat(), ...table.key].forEach(check)
  visit(table.columns, '')
}
