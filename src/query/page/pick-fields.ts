/** Cuts rows down to the fields that a query names and a collection shows. */
import type { Path } from '../../ast/index.ts'
import type { Collection } from '../../language/index.ts'
import { textOfPath } from './query.ts'
import type { Chosen } from './schema-form.ts'

/** The first names of paths, and what they choose in each; `all` of it where a path ends. */
export function chosenOf(fields: readonly Path[]): Chosen {
  const names = Map.groupBy(fields, ([name]) => name!)
  return Object.fromEntries(
    Array.from(names, ([name, paths]) => {
      const inner = paths.map((path) => path.slice(1))
      return [name, inner.some((path) => path.length === 0) ? 'all' : chosenOf(inner)]
    }),
  )
}

function cut(value: unknown, chosen: Chosen | 'all'): unknown {
  if (chosen === 'all' || value === null) return value
  if (Array.isArray(value)) return value.map((entry) => cut(entry, chosen))
  // Where the schema has an object, a scalar counts as missing.
  if (typeof value !== 'object') return null
  return Object.fromEntries(
    Object.entries(chosen).flatMap(([name, inner]) =>
      Object.hasOwn(value as object, name) ? [[name, cut((value as Record<string, unknown>)[name], inner)]] : [],
    ),
  )
}

/**
 * Makes a function that cuts a row down to some fields: its own properties only, lists entry by entry. A cursor needs the
 * sort values, so cut rows after `toPage`.
 *
 * @param fields `query.fields`; rows stay as they are when it is `undefined`.
 * @example toPage(query, rows).rows.map(pickFields(query.fields))
 */
export function pickFields(fields: readonly Path[] | undefined): (row: unknown) => unknown {
  if (fields === undefined) return (row) => row
  const chosen = chosenOf(fields)
  return (row) => cut(row, chosen)
}

/**
 * Makes what cuts a row down to an answer of a collection: fields of the schema, of `fields` where the collection lists them, and
 * of the query's where it names some. A row may have others, which nobody declared.
 */
export function shownBy({ visible, selectable }: Collection): (fields?: readonly Path[]) => (row: unknown) => unknown {
  const names = Array.from(visible.paths.keys())
  const objects = new Set(names.map((name) => name.slice(0, Math.max(0, name.lastIndexOf('.')))))
  const shown = names.filter((name) => !objects.has(name) && selectable?.has(name) !== false)
  const cutTo = (paths: readonly string[]) => pickFields(paths.map((path) => path.split('.')))
  const whole = cutTo(shown)
  return (fields) => {
    if (fields === undefined) return whole
    const asked = fields.map(textOfPath)
    return cutTo(shown.filter((name) => asked.some((one) => name === one || name.startsWith(`${one}.`))))
  }
}
