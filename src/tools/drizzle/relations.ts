/**
 * The tables of a program and their relations: those of `relations()`, which Drizzle 1.0 has in `drizzle-orm/_relations`, and those of
 * its `defineRelations()`. It takes nothing from Drizzle that only one of the versions has.
 */
import { entityKind, getTableColumns, getTableName, getTableUniqueName, is, Table, type Column } from 'drizzle-orm'
import { unsupported } from '../foreign-fields.ts'
import { ownOf } from '../../own.ts'

export interface TableConfig {
  /** Its name in the program. */
  readonly key: string
  readonly name: string
  readonly schema: string | undefined
  readonly columns: Readonly<Record<string, Column>>
  readonly primaryKey: readonly Column[]
  readonly relations: ReadonlyMap<string, Relation>
}
export interface Relation {
  readonly isMany: boolean
  /** @throws Unsupported where no field can store it. */
  readonly resolve: () => Resolved
}
interface Resolved {
  readonly target: TableConfig
  /** The columns of the table that has the relation, and those of the target that they are equal to. */
  readonly fields: readonly Column[]
  readonly references: readonly Column[]
  /** The join table, and its columns that are equal to `fields` and to `references`. */
  readonly through?: JoinColumns | undefined
}
interface JoinColumns {
  readonly table: TableConfig
  readonly fields: readonly Column[]
  readonly references: readonly Column[]
}
interface MutableConfig extends TableConfig {
  readonly relations: Map<string, Relation>
}

/**
 * The tables by their names in the program.
 *
 * @param source tables and `relations()`, or the result of `defineRelations`.
 */
export function tablesOf(source: object): ReadonlyMap<string, TableConfig> {
  const values = Object.entries(withoutModule(ownOf(source as Record<string, unknown>)))
  const tables = new Map<string, MutableConfig>()
  const byName = new Map<string, MutableConfig>()
  for (const [key, value] of values) {
    const table = isDefined(value) ? value.table : value
    if (!is(table, Table)) continue
    const config = configOf(key, table)
    tables.set(key, config)
    byName.set(getTableUniqueName(table), config)
  }
  const declared = values.flatMap(([, value]) => (isDeclarations(value) ? declarationsOf(value) : []))
  for (const one of declared) {
    const from = byName.get(getTableUniqueName(one.source))
    from?.relations.set(one.name, { isMany: one.isMany, resolve: () => resolved(one, from, byName, declared) })
  }
  for (const [key, value] of values) if (isDefined(value)) addDefined(tables, tables.get(key)!, value.relations)
  return tables
}

/** The exports of an imported CommonJS module are in its `default`. */
function withoutModule(source: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const [only, ...others] = Object.keys(source)
  const inner = only === 'default' && others.length === 0 ? source.default : undefined
  return typeof inner === 'object' && inner !== null && !is(inner, Table)
    ? ownOf(inner as Record<string, unknown>)
    : source
}

// --- Tables

/** Drizzle keeps these in registered symbols; the names are the same in every version. */
const schemaOf = Symbol.for('drizzle:Schema')
const extraConfig = Symbol.for('drizzle:ExtraConfigBuilder')
const extraColumns = Symbol.for('drizzle:ExtraConfigColumns')
interface Symbols {
  readonly [schemaOf]?: string
  readonly [extraConfig]?: (columns: unknown) => object | undefined
  readonly [extraColumns]?: unknown
}

function configOf(key: string, table: Table): MutableConfig {
  const columns = getTableColumns(table)
  const { [schemaOf]: schema, [extraConfig]: extra, [extraColumns]: configColumns } = table as Table & Symbols
  const keys = Object.values(extra?.(configColumns) ?? {}).filter((one) => kindOf(one).endsWith('PrimaryKeyBuilder'))
  return {
    key,
    name: getTableName(table),
    schema,
    columns,
    primaryKey: [
      ...Object.values(columns).filter(({ primary }) => primary),
      ...keys.flatMap((one) => (one as { readonly columns: readonly Column[] }).columns),
    ],
    relations: new Map(),
  }
}

/** The name that Drizzle gives to a class. */
function kindOf(value: unknown): string {
  const { constructor } = (value ?? {}) as { readonly constructor?: { readonly [entityKind]?: string } }
  return constructor?.[entityKind] ?? ''
}

// --- relations()

interface Declarations {
  readonly table: Table
  readonly config: (helpers: unknown) => Readonly<Record<string, Declared>>
}
const isDeclarations = (value: unknown): value is Declarations => kindOf(value) === 'Relations'

interface Declared {
  readonly name: string
  readonly isMany: boolean
  readonly source: Table
  readonly target: Table
  readonly config: {
    readonly relationName?: string
    readonly fields?: readonly Column[]
    readonly references?: readonly Column[]
  }
}

function declarationsOf({ table, config }: Declarations): readonly Declared[] {
  const helper = (isMany: boolean) => (target: Table, columnsOf?: Declared['config']) => {
    const one: Declared = { name: '', isMany, source: table, target, config: columnsOf ?? {} }
    return { withFieldName: (name: string) => ({ ...one, name }) }
  }
  return Object.values(config({ one: helper(false), many: helper(true) }))
}

/** The columns of a relation; where it names none, those of the one relation that leads back. */
function resolved(
  { name, isMany, source, target, config }: Declared,
  from: TableConfig,
  byName: ReadonlyMap<string, TableConfig>,
  declared: readonly Declared[],
): Resolved {
  const to = byName.get(getTableUniqueName(target))
  if (to === undefined) return unsupported(`Table "${getTableName(target)}" not found in schema`)
  const { fields, references, relationName } = config
  if (!isMany && fields !== undefined && references !== undefined) return { target: to, fields, references }
  const back = declared.filter(
    (other) =>
      byName.get(getTableUniqueName(other.source)) === to &&
      (relationName === undefined
        ? other.target === source
        : other.config !== config && other.config.relationName === relationName),
  )
  if (back.length > 1) {
    return unsupported(
      relationName === undefined
        ? `There are multiple relations between "${to.key}" and "${getTableName(source)}". Please specify relation name`
        : `There are multiple relations with name "${relationName}" in table "${to.key}"`,
    )
  }
  const [other] = back
  return other !== undefined && other.config.fields !== undefined && other.config.references !== undefined
    ? { target: to, fields: other.config.references, references: other.config.fields }
    : unsupported(`There is not enough information to infer relation "${from.key}.${name}"`)
}

// --- defineRelations()

interface Defined {
  readonly table: Table
  readonly relations: Readonly<Record<string, DefinedRelation>>
}
const isDefined = (value: unknown): value is Defined => {
  const { table, relations } = (value ?? {}) as Partial<Defined>
  return is(table, Table) && typeof relations === 'object' && relations !== null
}
interface DefinedRelation {
  readonly relationType?: 'one' | 'many'
  readonly targetTableName: string
  readonly sourceColumns: readonly DefinedColumn[]
  readonly targetColumns: readonly DefinedColumn[]
  /** A symbol where there is none. */
  readonly where?: unknown
  readonly through?: { readonly source: readonly DefinedColumn[]; readonly target: readonly DefinedColumn[] }
}
interface DefinedColumn {
  readonly _: { readonly column: Column; readonly tableName: string }
}

function addDefined(
  tables: ReadonlyMap<string, TableConfig>,
  config: MutableConfig,
  relations: Defined['relations'],
): void {
  for (const [name, relation] of Object.entries(relations)) {
    const { relationType, targetTableName, sourceColumns, targetColumns, where, through } = relation
    const resolve = (): Resolved => {
      if (relationType === undefined) return unsupported('it is no relation to rows')
      if (typeof where === 'object') return unsupported('it has a condition of its own')
      const target = tables.get(targetTableName)
      if (target === undefined) return unsupported('it leads to no table')
      const columnsOf = (columns: readonly DefinedColumn[]) => columns.map(({ _: { column } }) => column)
      const joined = through && {
        table: tables.get(through.source[0]!._.tableName)!,
        fields: columnsOf(through.source),
        references: columnsOf(through.target),
      }
      return { target, fields: columnsOf(sourceColumns), references: columnsOf(targetColumns), through: joined }
    }
    config.relations.set(name, { isMany: relationType === 'many', resolve })
  }
}
