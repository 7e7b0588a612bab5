/** Drizzle's tables → a table of `urlwhere/sql` with its schema, and a list of what cannot be a field. */
import {
  createTableRelationsHelpers,
  extractTablesRelationalConfig,
  getTableUniqueName,
  is,
  Many,
  normalizeRelation,
  type Column,
  type NormalizedRelation,
  type Relation,
  type TableRelationalConfig,
  type TablesRelationalConfig,
} from 'drizzle-orm'
import { toCamelCase, toSnakeCase } from 'drizzle-orm/casing'
import { nameDefect } from '../ast/index.ts'
import {
  arrayColumn,
  childTable,
  column as columnOf,
  jsonColumn,
  parentTable,
  table,
  type ColumnOptions,
  type Name,
  type Stored,
  type ColumnType as StoredType,
} from '../backends/sql/index.ts'
import { defineSchema, field, type EntryField, type Field } from '../language/index.ts'
import { member, own, ownOf } from '../own.ts'
import { checkOptions } from '../options.ts'
import { columnTypes, doubts, jsonTypes, type ColumnType } from './columns.ts'
import type { DrizzleFields, DrizzleOptions, DrizzleTable, Exact, TablesOf } from './infer.ts'

/** The options, as a program may give them. */
interface Shape {
  readonly columns?: Readonly<Record<string, boolean | undefined>>
  readonly with?: Readonly<Record<string, true | Shape | undefined>>
}

interface Context {
  readonly tables: TablesRelationalConfig
  /** The names of the tables in the schema of Drizzle, by their names in the database. */
  readonly names: Readonly<Record<string, string>>
  /** What the options say of columns, by path. */
  readonly given: Readonly<Record<string, Field>>
  readonly nameOf: (column: Column) => string
  /** What cannot be a field, by path. */
  readonly problems: Map<string, string>
  /** Every column that was met, for options that name others. */
  readonly met: Set<string>
}

/** Why something cannot be a field. */
class Unsupported extends Error {}
const refuse = (reason: string): never => {
  throw new Unsupported(reason)
}

/**
 * Makes a table of `urlwhere/sql`, with its schema, out of a table of Drizzle: `pgTable`, `mysqlTable` or `sqliteTable`. The
 * columns and relations to take are given as `findMany` takes them, so that one definition says what callers may query and
 * what they get.
 *
 * Relations are those of `relations()`: `many` is a list, `one` an object. A relation with `one` says that the referenced
 * columns are unique.
 *
 * @param tables what `drizzle()` takes as its `schema`: tables and relations, by name.
 * @param name the name of the table in `tables`.
 * @throws TypeError that lists every column and relation that cannot be a field, with the reason. `columns` leaves them out,
 *   `fields` says what they hold.
 * @see https://orm.drizzle.team/docs/rqb
 * @example
 * const customers = pgTable('customers', { id: integer('id').primaryKey(), name: text('name') })
 * const mapped = fromDrizzle({ customers }, 'customers')
 * sqlBackend({ dialect: postgres, table: mapped }).compile(where(mapped.schema).equals('name', 'Ada'))
 */
export function fromDrizzle<
  S extends Record<string, unknown>,
  K extends keyof TablesOf<S> & string,
  const O extends DrizzleOptions<TablesOf<S>, TablesOf<S>[K]> = {},
>(
  tables: S,
  name: K,
  options?: O & Exact<TablesOf<S>, TablesOf<S>[K], O, 'fields' | 'casing'>,
): DrizzleTable<DrizzleFields<TablesOf<S>, TablesOf<S>[K], O>> {
  const { fields: given = {}, casing, ...shape } = checkedOptions(options === undefined ? {} : options)
  const { tables: configs, tableNamesMap } = extractTablesRelationalConfig<TablesRelationalConfig>(
    // Drizzle reads `default` of it, as of a module.
    ownOf(tables),
    createTableRelationsHelpers,
  )
  const config = Object.hasOwn(configs, name) ? configs[name]! : undefined
  if (config === undefined) {
    throw new TypeError(`name must be a table: ${Object.keys(configs).join(', ')}; found ${JSON.stringify(name)}`)
  }
  const context: Context = {
    tables: configs,
    names: tableNamesMap,
    given,
    nameOf: (column) => (column.keyAsName && casing !== undefined ? casings[casing](column.name) : column.name),
    problems: new Map(),
    met: new Set(),
  }
  const mapped = mappedOf(context, config, ownOf(shape), '')

  const unknown = Object.keys(given).filter((path) => !context.met.has(path))
  if (unknown.length > 0)
    throw new TypeError(`options.fields has paths that are no columns here: ${unknown.join(', ')}`)
  if (context.problems.size > 0) {
    const list = Array.from(context.problems, ([path, reason]) => `\n  ${path}: ${reason}`).join('')
    throw new TypeError(
      `these columns of ${name} cannot be fields:${list}\nLeave them out with the option columns, or define them with the option fields`,
    )
  }
  const schema = defineSchema(mapped.fields)
  return table(mapped.name, { schema, key: mapped.key, columns: mapped.columns }) as DrizzleTable<
    DrizzleFields<TablesOf<S>, TablesOf<S>[K], O>
  >
}

const casings = { snake_case: toSnakeCase, camelCase: toCamelCase } as const

function checkedOptions(options: object): Shape & Pick<DrizzleOptions<any, any>, 'fields' | 'casing'> {
  const given = checkOptions(options, 'options', ['columns', 'with', 'fields', 'casing'])
  const { casing } = given as { readonly casing?: unknown }
  if (casing !== undefined && !Object.hasOwn(casings, casing as string)) {
    throw new TypeError(`options.casing must be ${Object.keys(casings).join(' or ')}`)
  }
  return given
}

// --- Tables

interface Mapped {
  readonly name: Name
  readonly key: readonly string[]
  readonly fields: Record<string, Field>
  readonly columns: ColumnOptions
}

/** A table, with the columns and relations that are taken; `at` is the dotted path to it, with a dot behind it. */
function mappedOf(context: Context, config: TableRelationalConfig, shape: Shape, at: string): Mapped {
  const fields: Record<string, Field> = Object.create(null) as Record<string, Field>
  const columns: Record<string, Placed> = Object.create(null) as Record<string, Placed>
  let key: readonly string[] = []
  const add = (name: string, made: () => Made): void => {
    try {
      const defect = nameDefect(name)
      if (defect !== undefined) refuse(`the name ${defect}`)
      if (Object.hasOwn(fields, name)) refuse('a relation has the name of a column')
      const { field, stored } = made()
      fields[name] = field
      columns[name] = stored
    } catch (error) {
      if (!(error instanceof Unsupported)) throw error
      context.problems.set(at + name, error.message)
    }
  }
  for (const name of takenColumns(config, shape, at)) {
    const path = at + name
    context.met.add(path)
    const given = Object.hasOwn(context.given, path) ? context.given[path] : undefined
    add(name, () => storedOf(config.columns[name]!, context.nameOf, given))
  }
  for (const [name, inner] of Object.entries(shape.with ?? {})) {
    if (inner === undefined) continue
    const relation = Object.hasOwn(config.relations, name) ? config.relations[name] : undefined
    if (relation === undefined) throw new TypeError(`options.with: ${config.tsName} has no relation ${at}${name}`)
    add(name, () => {
      const { own, their, mapped } = relatedOf(context, relation, inner, at + name)
      if (!is(relation, Many)) {
        const { name: other, key: keyOfLists, columns } = mapped
        if (keyOfLists.length > 0 && String(keyOfLists) !== String(their)) {
          refuse(`its lists refer to ${keyOfLists.join(', ')}, but the relation to ${their.join(', ')}`)
        }
        return {
          field: field.object(mapped.fields),
          stored: parentTable(other, { key: their, foreignKey: own, columns }),
        }
      }
      if (key.length > 0 && String(key) !== String(own)) {
        refuse(`it refers to ${own.join(', ')}, but another list to ${key.join(', ')}`)
      }
      key = own
      const { name: other, key: inner_, columns } = mapped
      return {
        field: field.list(field.object(mapped.fields)),
        stored: childTable(other, { foreignKey: their, key: inner_, columns }),
      }
    })
  }
  const { schema, dbName } = config
  return { name: schema === undefined ? dbName : [schema, dbName], key, fields, columns }
}

/** As `findMany` takes them. */
function takenColumns({ columns, tsName }: TableRelationalConfig, { columns: asked }: Shape, at: string): string[] {
  const all = Object.keys(columns)
  if (asked === undefined) return all
  const unknown = Object.keys(asked).find((name) => !Object.hasOwn(columns, name))
  if (unknown !== undefined) throw new TypeError(`options.columns: ${tsName} has no column ${at}${unknown}`)
  const said = new Map(Object.entries(asked).filter(([, isTaken]) => isTaken !== undefined))
  const isLeavingOut = said.size > 0 && [...said.values()].every((isTaken) => !isTaken)
  return all.filter((name) => (isLeavingOut ? !said.has(name) : said.get(name)))
}

function relatedOf(context: Context, relation: Relation, inner: true | Shape, path: string) {
  const shape = checkOptions(inner === true ? {} : inner, `options.with.${path}`, ['columns', 'with'])
  const { fields, references } = normalized(context, relation)
  const config = context.tables[context.names[getTableUniqueName(relation.referencedTable)]!]!
  return {
    own: fields.map(context.nameOf),
    their: references.map(context.nameOf),
    mapped: mappedOf(context, config, shape, `${path}.`),
  }
}

function normalized({ tables, names }: Context, relation: Relation): NormalizedRelation {
  try {
    return normalizeRelation(tables, names, relation)
  } catch (error) {
    return refuse((error as Error).message)
  }
}

// --- Columns

/** How a column or a relation is stored: never as a plain object of columns. */
type Placed = Exclude<Stored, { readonly kind: 'flattened' }>
type Made = { readonly field: Field; readonly stored: Placed }

/** A column as a field, and how it is stored. */
function storedOf(column: Column, nameOf: Context['nameOf'], given: Field | undefined): Made {
  const name = nameOf(column)
  const { columnType, notNull } = column
  const sqlType = column.getSQLType()
  if (jsonTypes.has(columnType)) {
    return given === undefined
      ? refuse(`${sqlType}: Drizzle does not say what is in it`)
      : { field: given, stored: jsonColumn(name) }
  }
  const entry = member(column as Column & { readonly baseColumn?: Column }, 'baseColumn')
  if (entry !== undefined) {
    if (given !== undefined && given.type !== 'list') refuse(`${sqlType}: an array is a list, not a ${given.type}`)
    const made = typed(entry, given?.type === 'list' ? given.entry : undefined)
    return {
      field: given ?? field.list(made.field as EntryField),
      stored: arrayColumn(name, made.options),
    }
  }
  const { field: held, options } = typed(column, given)
  return { field: held, stored: columnOf(name, { ...options, notNull }) }
}

/** The field of a column that holds one value, and the type of the dialect that stores it: none where its default does. */
function typed(
  column: Column,
  given: Field | undefined,
): { readonly field: Field; readonly options: { readonly type?: StoredType } } {
  const { columnType } = column
  const sqlType = column.getSQLType()
  const row = Object.hasOwn(columnTypes, columnType)
    ? ownOf((columnTypes as Readonly<Record<string, ColumnType>>)[columnType]!)
    : undefined
  if (row === undefined) {
    const doubt = own(doubts, columnType)
    if (given !== undefined && doubt !== undefined) return { field: given, options: {} }
    return refuse(`${sqlType}: ${doubt ?? 'no field holds it'}`)
  }
  if (member(column as Column & { readonly mode?: unknown }, 'mode') === 'timestamp') {
    refuse(`${sqlType}: it counts seconds; use the mode timestamp_ms`)
  }
  if (given === undefined) checkDigits(row, sqlType)
  const chosen = given ?? fieldOf(column, row)
  const types: Readonly<Record<string, StoredType>> =
    row.withoutZone !== undefined && !sqlType.endsWith('with time zone') ? row.withoutZone : row.types
  const type = own(types, chosen.type === 'enumeration' ? 'string' : chosen.type)
  return type === undefined ? refuse(`${sqlType}: it holds no ${chosen.type}`) : { field: chosen, options: { type } }
}

function fieldOf(column: Column, row: ColumnType): Field {
  const enumValues = member(column, 'enumValues')
  return enumValues === undefined || enumValues.length === 0 ? field[row.field]() : field.enumeration(enumValues)
}

/** Datetimes are to the millisecond. A driver cuts off what is finer, so that a cursor would point before its row. */
function checkDigits({ digits }: ColumnType, sqlType: string): void {
  if (digits === undefined || Number(/\((\d)\)/.exec(sqlType)?.[1] ?? digits) <= 3) return
  refuse(`${sqlType}: it holds microseconds, but a datetime milliseconds; declare a precision of 3`)
}
