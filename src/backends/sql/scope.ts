/** The scope of conditions: where their paths start, how texts are lower-cased, which issues they have. */
import type { Path, Some } from '../../tree/index.ts'
import type { Issue } from '../../issue/index.ts'
import { own } from '../../own.ts'
import { simpleLowerCase } from '../../values/case.ts'
import { dotted, nameOf, ofServer, type Leaf } from '../issues.ts'
import type { Dialect } from './dialect/dialect.ts'
import { sql, type Sql } from './dialect/sql.ts'
import type { Entries, Resolver, StoredField, StoredParent } from './resolve.ts'

/** The row, an entry of a list, or the row of a parent table. */
export interface Scope {
  readonly dialect: Dialect
  readonly resolver: Resolver
  readonly lowering: CaseFolding
  readonly write: Write
  /** The issues of all scopes of a statement. */
  readonly issues: Issue[]
  readonly start: StoredField
  /** The dotted path of the list or object that holds the start; '' for the row. */
  readonly list: string
  /** How many lists and parent tables are around the start. */
  readonly depth: number
  /** Whether NULL selects no row, as false does: in WHERE, where nothing negates the whole. Negation is in the conditions. */
  readonly nullIsFalse: boolean
  /** The dotted paths that are never NULL here, whatever their columns are declared. */
  readonly neverNull: ReadonlySet<string>
  /**
   * The first sort key, if the planner knows how many rows are in a range: an index may be walked from the outermost bound of an OR. Other
   * planners may then read all rows between two of its ranges.
   */
  readonly walked: Path | undefined
  /** Whether the condition is the position of a page. */
  readonly isPosition: boolean
  /** The aliases of the parent tables that a statement joins, quoted, by dotted path. EXISTS looks up the others. */
  readonly joined: ReadonlyMap<string, string>
  /** The dotted paths of the joined parents that each row of the statement has. */
  readonly inner: ReadonlySet<string>
}

/** Writes the SQL of a condition by its operands; a constant where it is true, or false, of all values. */
export type Write = <C extends Leaf>(condition: C, writer: (condition: C) => Sql | boolean) => Sql | boolean

/** Keeps the text of a statement from the cache, because a caller has endlessly many keys of records: it has a condition without a place. */
export const notKept = ({ write }: Scope, { path }: Leaf): void =>
  void write({ kind: 'presence', path, type: 'object' }, () => true)

export const noPaths: Scope['neverNull'] = /* @__PURE__ */ new Set()

/** The scope of the entries of a list, or of the row of a parent table, at a path. */
export const inEntry = (scope: Scope, entries: Entries, path: Path): Scope => ({
  ...scope,
  start: entries.entry,
  list: dotted(scope.list, path),
  depth: scope.depth + 1,
  // The WHERE of an EXISTS.
  nullIsFalse: true,
  neverNull: noPaths,
  walked: undefined,
})

/** The scope of the row of a parent table at a path, where the statement joins it; `undefined` elsewhere. */
export function inJoined(scope: Scope, parent: StoredParent, path: Path): Scope | undefined {
  const list = dotted(scope.list, path)
  // Inside EXISTS, the same path may be of an entry.
  const name = scope.depth === 0 ? scope.joined.get(list) : undefined
  if (name === undefined) return undefined
  return { ...scope, start: parent.joinedAs(name, scope.inner.has(list)), list, neverNull: noPaths, walked: undefined }
}

/** Refuses a condition. Its constant is in no statement, because the issues are thrown. */
export function refuse(
  { issues, list }: Scope,
  code: 'backend_unsupported' | 'backend_unmapped',
  filter: Leaf | Some,
  why: string,
): false {
  const field = nameOf(list, filter.path)
  issues.push(ofServer(code, `${field} ${why}`, filter, { problem: 'storage', field }))
  return false
}

export const unmapped = (scope: Scope, filter: Leaf | Some): false =>
  refuse(scope, 'backend_unmapped', filter, `is not stored where ${scope.dialect.name} can reach it`)

/** Lower-cases stored texts in the engine, and operands before they are sent, alike. */
export interface CaseFolding {
  ofValue(value: Sql): Sql
  ofText(text: string): string
  /** Whether every letter is lower-cased. */
  readonly isWhole: boolean
}

export function loweringOf({ lower, unlowered, textRules: { cased = (value) => value } }: Dialect): CaseFolding {
  const call = [`${lower}(`, ')']
  const left = own(unlowered, lower)
  const lowerCase = (character: string) => (left!.test(character) ? character : simpleLowerCase(character))
  return {
    ofValue: (value) => sql(call, cased(value)),
    ofText: left === undefined ? simpleLowerCase : (text) => Array.from(text, lowerCase).join(''),
    isWhole: left === undefined,
  }
}
