/** Cuts rows down to the fields that a query names, without those that it hides. */
import type { Path } from '../tree/index.ts'
import type { Fields } from '../language/index.ts'
import type { Query } from './query.ts'
import { chosenIn, type Chosen } from './schema-form.ts'
import { own } from '../own.ts'

/** Paths as a tree of names; `all` where a path ends. */
export function chosenOf(fields: readonly Path[]): Chosen {
  const names = Map.groupBy(fields, ([name]) => name!)
  return Object.fromEntries(
    Array.from(names, ([name, paths]) => {
      const inner = paths.map((path) => path.slice(1))
      return [name, inner.some((path) => path.length === 0) ? 'all' : chosenOf(inner)]
    }),
  )
}

/** The fields that a query shows: those that it names, or all, without the hidden ones. */
export function shownIn(fields: Fields, { fields: named, hidden = [] }: Query): Chosen | 'all' {
  const chosen = named === undefined ? 'all' : chosenOf(named)
  return hidden.length === 0 ? chosen : without(fields, chosen, chosenOf(hidden))
}

function without(fields: Fields, chosen: Chosen | 'all', hidden: Chosen): Chosen {
  const left = chosenIn(fields, chosen).flatMap(([name, definition, inner]): [string, Chosen | 'all'][] => {
    const out = own(hidden, name)
    if (out === undefined || out === 'all') return out === undefined ? [[name, inner]] : []
    const of = definition.type === 'list' ? definition.entry : definition
    return [[name, of.type === 'object' ? without(of.fields, inner, out) : inner]]
  })
  return Object.fromEntries(left)
}

/** The fields that a query reads: those that it shows, and its sort keys. */
export const readIn = (shown: Chosen | 'all', { sort }: Query): Chosen | 'all' =>
  sort.reduce<Chosen | 'all'>((chosen, { path }) => withPath(chosen, path), shown)

const withPath = (chosen: Chosen | 'all', [name, ...rest]: Path): Chosen | 'all' =>
  chosen === 'all' || name === undefined ? 'all' : { ...chosen, [name]: withPath(own(chosen, name) ?? {}, rest) }

/** @param hidden the fields to remove from the value; `undefined` for none. */
function cut(value: unknown, chosen: Chosen | 'all', hidden: Chosen | undefined): unknown {
  if (value === null || (chosen === 'all' && hidden === undefined)) return value
  if (Array.isArray(value)) return value.map((entry) => cut(entry, chosen, hidden))
  // Where the schema has an object, a scalar counts as missing.
  if (typeof value !== 'object') return null
  return Object.fromEntries(
    Object.keys(chosen === 'all' ? value : chosen).flatMap((name) => {
      const hiddenInside = hidden && own(hidden, name)
      if (hiddenInside === 'all' || !Object.hasOwn(value, name)) return []
      const inner = chosen === 'all' ? chosen : chosen[name]!
      return [[name, cut((value as Record<string, unknown>)[name], inner, hiddenInside)]]
    }),
  )
}

/**
 * Makes a function that copies a row with only the given fields, and without the hidden ones. It copies own properties only, and handles
 * each entry of a list. Call it after `toPage`, because cursors need the sort values.
 *
 * @param fields `query.fields`; `undefined` keeps all fields.
 * @param hidden `query.hidden`: the paths to remove. Without both arguments, rows stay unchanged.
 * @example toPage(query, rows).rows.map(pickFields(query.fields, query.hidden))
 */
export function pickFields(
  fields: readonly Path[] | undefined,
  hidden: readonly Path[] = [],
): (row: unknown) => unknown {
  const chosen = fields === undefined ? 'all' : chosenOf(fields)
  const left = hidden.length === 0 ? undefined : chosenOf(hidden)
  return (row) => cut(row, chosen, left)
}
