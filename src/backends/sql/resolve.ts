/** From paths to places: which column, JSON value or table a path of a filter ends in, as SQL. */
import type { Path } from '../../ast/index.ts'
import type { Field } from '../../language/index.ts'
import type { Dialect, JsonRules, JsonValue } from './dialect.ts'
import { hasPlaceholder, type ChildTable, type Columns, type Name, type Stored, type Table } from './mapping.ts'
import { join, raw, sql, type Sql } from './sql.ts'

/** Where paths begin; `field` is what the schema says of it, where there is one. */
export type Scope = { readonly field: Field | undefined } & (
  | { readonly kind: 'rows'; readonly name: Sql; readonly owner: Owner }
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'value'; readonly value: Sql; readonly type: string | undefined }
)
interface Owner {
  readonly key: readonly string[]
  readonly columns: Columns
  readonly value?: Extract<Stored, { kind: 'column' }>
}

/** Where a path ends; `field` is what the schema says of it, where there is one. */
export type Place = { readonly field: Field | undefined } & (
  | { readonly kind: 'column'; readonly value: Sql; readonly type: string | undefined }
  | { readonly kind: 'json'; readonly value: JsonValue }
  | { readonly kind: 'array'; readonly value: Sql; readonly type: string | undefined }
  | { readonly kind: 'child'; readonly child: ChildTable; readonly of: Sql; readonly key: readonly string[] }
  /** An object, spread over columns. */
  | { readonly kind: 'object' }
  /** The row itself, of the table or of a child table. */
  | { readonly kind: 'row' }
)

/** The definition that names lead to, through objects alone; `undefined` where there is none. */
function fieldAt(field: Field | undefined, path: Path): Field | undefined {
  let at = field
  for (const name of path) at = at?.type === 'object' && Object.hasOwn(at.fields, name) ? at.fields[name] : undefined
  return at
}

/** The entries of a list: what stands in `FROM`, what ties them to their row, and where their paths begin. */
export interface Entries {
  readonly from: Sql
  readonly tie?: Sql
  readonly scope: Scope
  readonly exists?: JsonRules['exists']
}

/** What is known of the places of a table. */
export interface Places {
  readonly root: Scope
  /** Where a path ends; `undefined` when nothing is stored there. */
  placeOf(scope: Scope, path: Path): Place | undefined
  /** The entries of a list; `undefined` when the place is none. `depth` counts the lists around it. */
  entriesOf(place: Place | undefined, depth: number): Entries | undefined
}

export function placesOf(dialect: Dialect, table: Table, alias: string | undefined): Places {
  const mark = dialect.quote
  const quotedText = (name: string): string =>
    mark + (name.includes(mark) ? name.replaceAll(mark, mark + mark) : name) + mark
  const quote = (name: string): Sql => raw(quotedText(name))

  /**
   * One piece for each column of the mapping or the schema: made once, and what is said of it can be told to be said
   * already. Names out of a filter alone are not kept, for there is no end to them.
   */
  const pieces = new Map<Sql, Map<string, Sql>>()
  const column = (of: Sql, { name }: { readonly name: string }, isKnown = true): Sql => {
    const made = pieces.get(of)?.get(name)
    if (made !== undefined) return made
    const piece = raw(`${of.strings[0]!}.${quotedText(name)}`)
    if (isKnown) pieces.set(of, (pieces.get(of) ?? new Map<string, Sql>()).set(name, piece))
    return piece
  }
  /** What entries are called at each depth. */
  const entryNames = new Map<number, Sql>()
  const entryName = (depth: number): Sql => {
    const made = entryNames.get(depth)
    if (made !== undefined) return made
    // It must not hide the row's own name. Engines may ignore case and accents, but a longer name is another one.
    const text = `e${depth + 1}`
    const name = quote(text.length === rootName.length ? `${text}_` : text)
    entryNames.set(depth, name)
    return name
  }
  const qualified = (name: Name): Sql => join((typeof name === 'string' ? [name] : name).map(quote), '.')
  const rootName = alias ?? (typeof table.name === 'string' ? table.name : table.name.at(-1)!)
  const root: Scope = {
    kind: 'rows',
    name: quote(rootName),
    owner: table,
    field: table.schema && { type: 'object', fields: table.schema.fields },
  }

  /** A member of a JSON value. */
  const memberOf = (value: JsonValue, path: Path, field: Field | undefined): Place | undefined => {
    const isOutOfReach = (name: string) => hasPlaceholder(dialect, name) || dialect.json?.isOutOfReach?.(name) === true
    if (path.some(isOutOfReach)) return undefined
    return { kind: 'json', value: { ...value, names: [...value.names, ...path] }, field }
  }

  const find = (scope: Scope, path: Path): Place | undefined => {
    const field = fieldAt(scope.field, path)
    if (scope.field !== undefined && field === undefined) return undefined
    if (scope.kind === 'json') return memberOf(scope.value, path, field)
    if (scope.kind === 'value')
      return path.length === 0 ? { kind: 'column', value: scope.value, type: scope.type, field } : undefined
    const { name, owner } = scope
    if (path.length === 0) {
      return owner.value === undefined
        ? { kind: 'row', field }
        : { kind: 'column', value: column(name, owner.value), type: owner.value.type, field }
    }
    let columns = owner.columns
    for (let at = 0; at < path.length; at++) {
      const own = path[at]!
      const isLast = at === path.length - 1
      const stored = columns[own]
      if (stored === undefined) {
        // A field that is not named is a column of its own name; inside an object that name would be another's.
        const isScalar = field === undefined || (field.type !== 'list' && field.type !== 'object')
        if (path.length > 1 || !isScalar || owner.value !== undefined || hasPlaceholder(dialect, own)) return undefined
        return { kind: 'column', value: column(name, { name: own }, field !== undefined), type: undefined, field }
      }
      if (stored.kind === 'json') {
        const document: JsonValue = { source: column(name, stored), isEntry: false, names: [] }
        return memberOf(document, path.slice(at + 1), field)
      }
      if (stored.kind === 'flattened') {
        if (isLast) return { kind: 'object', field }
        columns = stored.columns
        continue
      }
      if (!isLast) return undefined
      if (stored.kind === 'child') return { kind: 'child', child: stored, of: name, key: owner.key, field }
      return { kind: stored.kind, value: column(name, stored), type: stored.type, field }
    }
    return undefined
  }

  /** The paths of a schema are in one filter after the other, so what is found for them is kept. */
  const found = new WeakMap<Path, { readonly scope: Scope; readonly place: Place | undefined }>()
  const placeOf = (scope: Scope, path: Path): Place | undefined => {
    const known = found.get(path)
    if (known !== undefined && known.scope === scope) return known.place
    const place = find(scope, path)
    if (Object.isFrozen(path)) found.set(path, { scope, place })
    return place
  }

  /** The entries of child tables, by whose they are: the same in every statement. */
  const children = new Map<ChildTable, Map<Sql, Entries & { readonly key: readonly string[] }>>()
  const entriesOf = (place: Place | undefined, depth: number): Entries | undefined => {
    const name = entryName(depth)
    const entry = place?.field?.type === 'list' ? place.field.entry : undefined
    if (place?.kind === 'child') {
      const { child, of, key } = place
      const made = children.get(child)?.get(of)
      // One child table may stand for two fields of different definitions, or in two tables of different keys.
      if (made !== undefined && made.scope.field === entry && made.key === key) return made
      const ties = child.foreignKey.map(
        (foreign, at) => sql`${column(name, { name: foreign })} = ${column(of, { name: key[at]! })}`,
      )
      const entries = {
        key,
        from: sql`${qualified(child.name)} AS ${name}`,
        tie: join(ties, ' AND '),
        scope: { kind: 'rows', name, owner: child, field: entry },
      } as const
      const own = children.get(child) ?? new Map<Sql, typeof entries>()
      children.set(child, own.set(of, entries))
      return entries
    }
    if (place?.kind === 'json' && dialect.json !== undefined) {
      return {
        from: dialect.json.entries(place.value, name),
        scope: { kind: 'json', value: { source: name, isEntry: true, names: [] }, field: entry },
        exists: dialect.json.exists,
      }
    }
    if (place?.kind === 'array' && dialect.array !== undefined) {
      return {
        from: dialect.array.entries(place.value, name),
        scope: { kind: 'value', value: dialect.array.entry(name), type: place.type, field: entry },
      }
    }
    return undefined
  }

  return { root, placeOf, entriesOf }
}
