/** A collection as texts name it: its fields by their paths and by their aliases. */
import { weakCache } from '../cache.ts'
import { readOnly } from '../read-only.ts'
import type { Span } from '../issue/index.ts'
import { operatorsFor, type Collection } from './collection.ts'
import { pathsWithAliases, type Deprecated } from './aliases.ts'
import { withKeys, type ResolvedField, type Schema } from './schema.ts'

/** The names that texts may have. */
export interface FieldNames {
  /** Its `paths` contain aliases, too. `name` of a field is the name in the schema. */
  readonly schema: Schema
  /** By the path in a text, the deprecated names that cover it. `undefined` where a collection deprecates nothing. */
  readonly deprecated: ReadonlyMap<string, readonly Deprecated[]> | undefined
}

const fieldNamesOfCollections = /* @__PURE__ */ weakCache<Collection, FieldNames>()

export function fieldNamesOf(collection: Collection): FieldNames {
  const before = fieldNamesOfCollections.get(collection)
  if (before !== undefined) return before
  const { visible, aliases, deprecated } = collection
  const paths = pathsWithAliases(visible, aliases.fields)
  // Keys are remembered by schema, and an alias is a key of its collection alone.
  const isAliased = aliases.fields.size > 0 || aliases.operators.size > 0
  const schema = isAliased ? Object.freeze({ fields: visible.fields, paths: withKeys(paths) }) : visible
  const naming = {
    schema,
    deprecated: deprecated.size === 0 ? undefined : deprecatedIn(paths, [...deprecated.values()]),
  }
  fieldNamesOfCollections.set(collection, naming)
  return naming
}

const offeredOfCollections = /* @__PURE__ */ weakCache<Collection, readonly string[]>()

/** The paths and aliases of the fields with at least one operator. Worked out once: a text can misspell a hundred names. */
export function offeredPaths(collection: Collection): readonly string[] {
  let offered = offeredOfCollections.get(collection)
  if (offered === undefined) {
    const { paths } = fieldNamesOf(collection).schema
    offered = Array.from(paths).flatMap(([path, field]) => (operatorsFor(field, collection).length > 0 ? [path] : []))
    offeredOfCollections.set(collection, offered)
  }
  return offered
}

const isIn = (path: string, outer: string): boolean => path === outer || path.startsWith(`${outer}.`)

const deprecatedIn = (
  paths: ReadonlyMap<string, ResolvedField>,
  deprecated: readonly Deprecated[],
): ReadonlyMap<string, readonly Deprecated[]> =>
  readOnly(
    Array.from(paths, ([path, field]) => [
      path,
      deprecated.filter(({ name }) => isIn(path, name) || isIn(field.name, name)),
    ]),
    // A key of a record is as deprecated as the record.
    (names) => names,
  )

/** The path of a field by one of its names, in `sort`, `fields` and `facets`. */
export const canonicalPath = (collection: Collection, name: string): string =>
  collection.aliases.fields.size === 0 ? name : (fieldNamesOf(collection).schema.paths.get(name)?.name ?? name)

/** A deprecated name in a text. */
export interface DeprecatedUse extends Deprecated {
  /** The first key, or the first item of a parameter, that contains the name. */
  readonly span: Span
}

/** The deprecated names that a text was found to have. */
export interface Uses {
  readonly deprecated: ReadonlyMap<string, readonly Deprecated[]>
  readonly found: Map<string, DeprecatedUse>
}

/** No uses. Results share it. */
const noUses: readonly DeprecatedUse[] = /* @__PURE__ */ Object.freeze([])

/** Notes that a text has a path. */
export function noteUse({ deprecated, found }: Uses, path: string, { start, end }: Span): void {
  for (const one of deprecated.get(path) ?? []) {
    const before = found.get(one.name)
    if (before !== undefined && before.span.start <= start) continue
    found.set(one.name, Object.freeze({ ...one, span: Object.freeze({ start, end }) }))
  }
}

/** The uses in the order of the text. */
export const usesIn = (uses: Uses | undefined): readonly DeprecatedUse[] =>
  uses === undefined || uses.found.size === 0
    ? noUses
    : Object.freeze(Array.from(uses.found.values()).sort((a, b) => a.span.start - b.span.start))
