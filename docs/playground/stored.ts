/** The calls of `urlwhere/sql` that make the mapping of a table: to call them again, or to write them. */
import type { Table } from '../../src/backends/sql/index.ts'

type Columns = Table['columns']
type Stored = Columns[string]
type Typed = Pick<Extract<Stored, { readonly kind: 'column' }>, 'type' | 'digits' | 'typeName'>

/** A call: the name of the function, of the column or the table, and the options. */
export type Make = (maker: Maker, name: string | readonly string[], options: object) => unknown
export type Maker = 'column' | 'arrayColumn' | 'jsonColumn' | 'parentTable' | 'childTable'

/** The object without the members that are absent. */
const present = (object: object): object =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))

const typeOf = ({ type, digits, typeName }: Typed) => ({ type, digits, name: typeName })

/** Calls `make` for each column of a table or an object. */
export const columnsBy = (columns: Columns, make: Make): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(columns).map(([name, stored]) => [name, storedBy(stored, make)]))

function storedBy(stored: Stored, make: Make): unknown {
  const call = (maker: Maker, name: string | readonly string[], options: object) => make(maker, name, present(options))
  switch (stored.kind) {
    case 'column':
      return call('column', stored.name, { ...typeOf(stored), notNull: stored.notNull, invalid: stored.invalid })
    case 'array':
      return call('arrayColumn', stored.name, typeOf(stored))
    case 'json':
      return call('jsonColumn', stored.name, { type: stored.type })
    case 'flattened':
      return columnsBy(stored.columns, make)
    default:
      return otherTable(stored, call, make)
  }
}

const one = (names: readonly string[]) => (names.length === 1 ? names[0] : names)
const isJoined = ([, stored]: readonly [string, Stored]) => 'isJoined' in stored
const filled = (columns: object) => (Object.keys(columns).length === 0 ? undefined : columns)

function otherTable(stored: Extract<Stored, { readonly foreignKey: unknown }>, call: Make, make: Make): unknown {
  const { name, key, columns: all, where } = stored
  const foreignKey = stored.enforced ? { columns: stored.foreignKey, enforced: true } : one(stored.foreignKey)
  const entries = Object.entries(all)
  const some = (isWanted: (entry: [string, Stored]) => boolean) =>
    filled(columnsBy(Object.fromEntries(entries.filter(isWanted)), make))
  const columns = some((entry) => !isJoined(entry))
  const ofKey = key.length === 0 ? undefined : one(key)
  if (stored.kind === 'parent') return call('parentTable', name, { key: ofKey, foreignKey, columns, where })
  const { through, value, orderBy } = stored
  const options = {
    key: ofKey,
    columns,
    joinColumns: some(isJoined),
    value: value && storedBy(value, make),
    orderBy: orderBy && one(orderBy),
    where,
  }
  if (through === undefined) return call('childTable', name, { ...options, foreignKey })
  const join = present({ table: through.name, foreignKey, otherKey: one(through.otherKey), where: through.where })
  return call('childTable', name, { ...options, through: join })
}
