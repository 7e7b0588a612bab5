/** From paths to places: which column, JSON value or table a path of a filter ends in, as SQL. */
import type { Path } from '../../ast.ts'
import type { Field, Fields } from '../../schema.ts'
import type { Dialect, JsonValue } from './dialect.ts'
import { hasPlaceholder, type ChildTable, type Columns, type Name, type Stored, type Table } from './mapping.ts'
import { join, raw, sql, type Sql } from './sql.ts'

/** Where paths begin. */
export type Scope =
  | { readonly kind: 'rows'; readonly name: Sql; readonly owner: Owner; readonly fields: Fields | undefined }
  | { readonly kind: 'json'; readonly value: JsonValue; readonly field: Field | undefined }
  | { readonly kind: 'value'; readonly value: Sql; readonly type: string | undefined }
interface Owner {
  readonly key: readonly string[]
  readonly columns: Columns
  readonly value?: Extract<Stored, { kind: 'column' }>
}

/** Where a path ends. */
export type Place =
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

/** The entries of a list: what stands in `FROM`, what ties them to their row, and where their paths begin. */
export interface Entries {
  readonly from: Sql
  readonly tie?: Sql
  readonly scope: Scope
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
  const root: Scope = { kind: 'rows', name: quote(rootName), owner: table, fields: table.schema?.fields }

  /** A member of a JSON value, and its definition where there is a schema. */
  const memberOf = (value: JsonValue, field: Field | undefined, path: Path): Place | undefined => {
    const isOutOfReach = (name: string) => hasPlaceholder(dialect, name) || dialect.json?.isOutOfReach?.(name) === true
    if (path.some(isOutOfReach)) return undefined
    let definition = field
    for (const name of path) {
      const fields: Fields = definition?.type === 'object' ? definition.fields : {}
      definition = Object.hasOwn(fields, name) ? fields[name] : undefined
    }
    if (field !== undefined && definition === undefined) return undefined
    return { kind: 'json', value: { ...value, names: [...value.names, ...path] }, field: definition }
  }

  const find = (scope: Scope, path: Path): Place | undefined => {
    if (scope.kind === 'json') return memberOf(scope.value, scope.field, path)
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
        if (path.length > 1 || !isScalar || owner.value !== undefined || hasPlaceholder(dialect, field))
          return undefined
        return { kind: 'column', value: column(name, { name: field }, definition !== undefined), type: undefined }
      }
      if (stored.kind === 'json') {
        const own: JsonValue = { source: column(name, stored), isEntry: false, names: [] }
        return memberOf(own, definition, path.slice(at + 1))
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
  const children = new Map<ChildTable, Map<Sql, Entries & Pick<Extract<Place, { kind: 'child' }>, 'fields' | 'key'>>>()
  const entriesOf = (place: Place | undefined, depth: number): Entries | undefined => {
    const name = entryName(depth)
    if (place?.kind === 'child') {
      const { child, of, key, fields } = place
      const made = children.get(child)?.get(of)
      // One child table may stand for two fields of different definitions, or in two tables of different keys.
      if (made !== undefined && made.fields === fields && made.key === key) return made
      const ties = child.foreignKey.map(
        (foreign, at) => sql`${column(name, { name: foreign })} = ${column(of, { name: key[at]! })}`,
      )
      const entries = {
        fields,
        key,
        from: sql`${qualified(child.name)} AS ${name}`,
        tie: join(ties, ' AND '),
        scope: { kind: 'rows', name, owner: child, fields },
      } as const
      const own = children.get(child) ?? new Map<Sql, typeof entries>()
      children.set(child, own.set(of, entries))
      return entries
    }
    if (place?.kind === 'json' && dialect.json !== undefined) {
      return {
        from: dialect.json.entries(place.value, name),
        scope: {
          kind: 'json',
          value: { source: name, isEntry: true, names: [] },
          field: place.field?.type === 'list' ? place.field.entry : undefined,
        },
      }
    }
    if (place?.kind === 'array' && dialect.array !== undefined) {
      return {
        from: dialect.array.entries(place.value, name),
        scope: { kind: 'value', value: dialect.array.entry(name), type: place.type },
      }
    }
    return undefined
  }

  return { root, placeOf, entriesOf }
}
