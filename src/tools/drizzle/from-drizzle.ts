/** Drizzle's tables → a table of `urlwhere/sql` with its schema, and a list of the columns that cannot be fields. */
import type { Column } from 'drizzle-orm'
import { toCamelCase, toSnakeCase } from 'drizzle-orm/casing'
import { childTable, parentTable, table, type ColumnOptions, type Name } from '../../backends/sql/index.ts'
import { checkPaths, checkReasons, collectField, newCollector, unsupported, type Collector } from '../foreign-fields.ts'
import { defineSchema, field, type Field } from '../../language/index.ts'
import { checkOptions } from '../../options.ts'
import { own, ownOf } from '../../own.ts'
import { mappedColumn, type MappedMember, type StoredMember } from './column-field.ts'
import type { DrizzleFields, DrizzleOptions, DrizzleTable, Exact, TablesOf } from './infer.ts'
import { tablesOf, type Relation, type TableConfig } from './relations.ts'

/** The options, as a program may give them. */
interface Shape {
  readonly columns?: Readonly<Record<string, boolean | undefined>>
  readonly with?: Readonly<Record<string, true | Shape | undefined>>
}

/** The conversion of one table. */
interface Conversion {
  /** The fields that the options define, by path. */
  readonly given: Readonly<Record<string, Field>>
  readonly nameOf: (column: Column) => string
  readonly collector: Collector
}

/**
 * Makes a table of `urlwhere/sql`, with its schema, out of a table of Drizzle: `pgTable`, `mysqlTable` or `sqliteTable`. The options have
 * the form of the options of `findMany`: one definition covers the fields that callers may query and those that they receive.
 *
 * Relations are those of `relations()` or `defineRelations()`: `many` is a list, `one` an object. A relation with `one` promises that the
 * referenced columns are unique.
 *
 * @param tables the `schema` of `drizzle()`: tables and relations, by name. On Drizzle 1.0, the result of `defineRelations()`.
 * @param name the name of the table in `tables`.
 * @throws TypeError that lists every column and relation that cannot be a field, with the reason and the remedy. `columns` leaves them
 *   out, `fields` defines some of them.
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
  const { fields: overrides = {}, casing, ...shape } = checkedOptions(options === undefined ? {} : options)
  const configs = tablesOf(tables)
  const config = configs.get(name)
  if (config === undefined) {
    throw new TypeError(`name must be a table: ${[...configs.keys()].join(', ')}; found ${JSON.stringify(name)}`)
  }
  const conversion: Conversion = {
    given: overrides,
    nameOf: (column) => (column.keyAsName && casing !== undefined ? casings[casing](column.name) : column.name),
    collector: newCollector(),
  }
  const mapped = mappedTable(conversion, config, ownOf(shape), '')
  const { collector } = conversion
  checkPaths(collector, Object.keys(overrides), 'options.fields has paths that are no columns here')
  checkReasons(collector, `columns of ${name}`, 'Leave them out with the option columns, or do what their lines say')
  const schema = defineSchema(mapped.fields)
  return table(mapped.name, { schema, key: mapped.key, columns: mapped.columns }) as DrizzleTable<
    DrizzleFields<TablesOf<S>, TablesOf<S>[K], O>
  >
}

const casings = { snake_case: toSnakeCase, camelCase: toCamelCase } as const

function checkedOptions(options: object): Shape & Pick<DrizzleOptions<any, any>, 'fields' | 'casing'> {
  const checked = checkOptions(options, 'options', ['columns', 'with', 'fields', 'casing'])
  const { casing } = checked as { readonly casing?: unknown }
  if (casing !== undefined && !Object.hasOwn(casings, casing as string)) {
    throw new TypeError(`options.casing must be ${Object.keys(casings).join(' or ')}`)
  }
  return checked
}

// --- Tables

interface MappedTable {
  readonly name: Name
  readonly key: readonly string[]
  readonly primaryKey: readonly string[]
  readonly fields: Record<string, Field>
  readonly columns: ColumnOptions
}

/**
 * Maps a table, with the columns and relations that the options choose.
 *
 * @param at the dotted path to the table, with a dot behind it.
 */
function mappedTable(conversion: Conversion, config: TableConfig, shape: Shape, at: string): MappedTable {
  const fields: Record<string, Field> = Object.create(null) as Record<string, Field>
  const columns: Record<string, StoredMember> = Object.create(null) as Record<string, StoredMember>
  let key: readonly string[] = []
  const add = (name: string, make: () => MappedMember): void =>
    collectField(conversion.collector, name, at + name, () => {
      if (Object.hasOwn(fields, name)) unsupported('a relation has the name of a column')
      const { field, stored } = make()
      fields[name] = field
      columns[name] = stored
    })
  for (const name of chosenColumns(config, shape, at)) {
    const column = config.columns[name]!
    conversion.collector.paths.add(at + name)
    add(name, () => mappedColumn(column, conversion.nameOf(column), own(conversion.given, at + name)))
  }
  for (const [name, inner] of Object.entries(shape.with ?? {})) {
    if (inner === undefined) continue
    const relation = config.relations.get(name)
    if (relation === undefined) throw new TypeError(`options.with: ${config.key} has no relation ${at}${name}`)
    add(name, () => {
      const { foreignKey, references, through, mapped } = relatedTable(conversion, relation, inner, at + name)
      const { name: other, key: listKey, columns, primaryKey } = mapped
      const refersToKey = !relation.isMany || through !== undefined
      if (refersToKey && listKey.length > 0 && String(listKey) !== String(references)) {
        unsupported(`its lists refer to ${listKey.join(', ')}, but the relation to ${references.join(', ')}`)
      }
      if (!relation.isMany) {
        if (through !== undefined) unsupported('it leads to one row through another table; write it with many')
        return {
          field: field.object(mapped.fields),
          stored: parentTable(other, { key: references, foreignKey, columns }),
        }
      }
      if (key.length > 0 && String(key) !== String(foreignKey)) {
        unsupported(`it refers to ${foreignKey.join(', ')}, but another list to ${key.join(', ')}`)
      }
      key = foreignKey
      return {
        field: field.list(field.object(mapped.fields)),
        stored: childTable(other, {
          ...(through === undefined ? { foreignKey: references, key: listKey } : { through, key: references }),
          columns,
          // `select` reads the entries of a list in an order.
          ...(primaryKey.length > 0 && { orderBy: primaryKey }),
        }),
      }
    })
  }
  return { name: nameOf(config), key, primaryKey: config.primaryKey.map(conversion.nameOf), fields, columns }
}

const nameOf = ({ schema, name }: TableConfig): Name => (schema === undefined ? name : [schema, name])

/** The columns that `findMany` selects for these options. */
function chosenColumns({ columns, key }: TableConfig, { columns: asked }: Shape, at: string): string[] {
  const all = Object.keys(columns)
  if (asked === undefined) return all
  const unknown = Object.keys(asked).find((name) => !Object.hasOwn(columns, name))
  if (unknown !== undefined) throw new TypeError(`options.columns: ${key} has no column ${at}${unknown}`)
  const choices = new Map(Object.entries(asked).filter(([, isChosen]) => isChosen !== undefined))
  const isExclusion = choices.size > 0 && [...choices.values()].every((isChosen) => !isChosen)
  return all.filter((name) => (isExclusion ? !choices.has(name) : choices.get(name)))
}

function relatedTable(conversion: Conversion, relation: Relation, inner: true | Shape, path: string) {
  const shape = checkOptions(inner === true ? {} : inner, `options.with.${path}`, ['columns', 'with'])
  const { target, fields, references, through } = relation.resolve()
  const namesOf = (columns: readonly Column[]) => columns.map(conversion.nameOf)
  return {
    foreignKey: namesOf(fields),
    references: namesOf(references),
    through: through && {
      table: nameOf(through.table),
      foreignKey: namesOf(through.fields),
      otherKey: namesOf(through.references),
    },
    mapped: mappedTable(conversion, target, shape, `${path}.`),
  }
}
