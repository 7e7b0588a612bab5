/** Lists the columns of a mapping and the tables that it joins. */
import { literalTypes, unchecked, type LiteralType } from '../../tree/index.ts'
import { isPromised, literalTypeOf } from '../../language/index.ts'
import type { Collection, Field, Fields, ScalarType } from '../../language/index.ts'
import type { Column, ArrayColumn, Dialect, JsonColumn, Name, Stored, Table } from '../../backends/sql/index.ts'
import { sqlBackend, table } from '../../backends/sql/index.ts'
import { own } from '../../own.ts'
import { conjunctsIn } from './sought.ts'

/** A mapping, and the collection whose queries it answers. */
export interface Mapped {
  readonly dialect: Dialect
  readonly table: Table
  readonly collection?: Collection
}

/** A column that stores a field. */
export interface ColumnUse {
  /** The dotted path of the field. */
  readonly path: string
  readonly table: Name
  readonly stored: Column | ArrayColumn | JsonColumn
  /** The field, or the entry of a list. It is `undefined` without a schema. */
  readonly field: Field | undefined
  /** The literal type of the field. It is `undefined` for an object, and without a schema. */
  readonly literal: LiteralType | undefined
  /** The type of the dialect. It is `undefined` for JSON, and without a default type. */
  readonly type: string | undefined
  /** Whether the schema requires the field. */
  readonly isRequired: boolean
}

/** A table that the mapping joins. A list behind a join table has two: the join table, and the table of the entries. */
export interface TableUse {
  readonly path: string
  readonly kind: 'child' | 'parent'
  /** The table with the foreign key. */
  readonly table: Name
  readonly foreignKey: readonly string[]
  /** Whether the mapping promises that the database enforces the foreign key. */
  readonly isEnforced: boolean
  /** The table with the key that it refers to. */
  readonly parent: Name
  readonly key: readonly string[]
  /** The table that the mapping joins: one of the two, and the columns that its option `where` names. */
  readonly joined: Name
  readonly conditions: readonly string[]
  /** The conditions of its option `where`, in SQL without the name of the table. */
  readonly predicates: readonly string[]
}

export interface Uses {
  readonly columns: readonly ColumnUse[]
  readonly tables: readonly TableUse[]
}

interface Owner {
  readonly name: Name
  readonly key: readonly string[]
  /** The join table before it. */
  readonly joinTable?: Name
}

/** The conditions of the option `where` of a table, in SQL without the name of the table. A partial index can contain the rows of these. */
export function predicatesOf(dialect: Dialect, { name, ...options }: Pick<Table, 'name' | 'where'>): readonly string[] {
  const where = own(options, 'where')
  if (where === undefined) return []
  const sort = [{ path: ['id'], type: 'integer', direction: 'ascending' } as const]
  const query = { filter: unchecked.and([]), asked: [], sort, limit: 1, count: false }
  return conjunctsIn(sqlBackend({ dialect, table: table(name, { where }) }).compileQuery(query).where.text)
}

/** Lists the columns and joined tables of a mapping. */
export function usesOf(dialect: Dialect, { name, key, columns, ...table }: Table): Uses {
  const uses: { columns: ColumnUse[]; tables: TableUse[] } = { columns: [], tables: [] }
  const addAll = (owner: Owner, columns: Table['columns'], fields: Fields | undefined, at: string): void => {
    for (const [name, stored] of Object.entries(columns)) add(owner, stored, fields && own(fields, name), at + name)
    for (const [name, field] of Object.entries(fields ?? {})) {
      if (!Object.hasOwn(columns, name)) add(owner, { kind: 'column', name } as Column, field, at + name)
    }
  }
  const add = (owner: Owner, stored: Stored, field: Field | undefined, path: string): void => {
    const inner = field?.type === 'list' ? field.entry : field
    const fields = inner?.type === 'object' ? inner.fields : undefined
    switch (stored.kind) {
      case 'flattened':
        return addAll(owner, stored.columns, fields, `${path}.`)
      case 'child':
      case 'parent': {
        const { name, key, foreignKey } = stored
        const isEnforced = own(stored, 'enforced') === true
        const through = stored.kind === 'child' ? own(stored, 'through') : undefined
        const joinTable = through?.name ?? name
        const child = { table: joinTable, foreignKey, isEnforced, parent: owner.name, key: owner.key }
        const parent =
          through === undefined
            ? { table: owner.name, foreignKey, isEnforced, parent: name, key }
            : { table: joinTable, foreignKey: through.otherKey, isEnforced: false, parent: name, key }
        const addTie = (kind: TableUse['kind'], joined: Pick<Table, 'name' | 'where'>, tie: typeof child) =>
          uses.tables.push({
            ...{ path, kind, joined: joined.name, conditions: Object.keys(own(joined, 'where') ?? {}) },
            ...{ predicates: predicatesOf(dialect, joined), ...tie },
          })
        if (stored.kind === 'child') addTie('child', through ?? stored, child)
        if (stored.kind === 'parent' || through !== undefined) addTie('parent', stored, parent)
        const other = { name, key, joinTable }
        const value = stored.kind === 'child' ? own(stored, 'value') : undefined
        if (value !== undefined) add(other, value, inner, path)
        return addAll(other, stored.columns, fields, `${path}.`)
      }
      case 'json':
        return void uses.columns.push({ ...useOf(owner, stored, inner, path), literal: undefined, type: undefined })
      default:
        uses.columns.push(useOf(owner, stored, inner, path))
    }
  }
  const useOf = (owner: Owner, stored: ColumnUse['stored'], field: Field | undefined, path: string) => {
    const isJoined = own(stored as { readonly isJoined?: true }, 'isJoined') === true
    const table = isJoined ? owner.joinTable! : owner.name
    const literal =
      field === undefined || field.type === 'object' || field.type === 'list'
        ? undefined
        : literalTypeOf(field.type as ScalarType)
    const named = stored.kind === 'json' ? undefined : own(stored, 'type')
    const type = named ?? (literal === undefined ? undefined : own(dialect.columnTypes, literal))
    const isRequired = field !== undefined && isPromised(field)
    return { path, table, stored, field, literal, type, isRequired }
  }
  addAll({ name, key }, columns, own(table, 'schema')?.fields, '')
  return uses
}

/** Lists the literal types that a type of a dialect can store, in the order of the language. */
export const heldBy = ({ types }: Dialect, type: string): readonly LiteralType[] =>
  literalTypes.filter((literal) => own(types, type)?.holds.includes(literal) === true)
