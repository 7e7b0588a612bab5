/** Keeps a page up to date under the changes of rows. */
import { memoryBackend } from '../backends/memory/index.ts'
import { and, canonicalOf, type Path } from '../tree/index.ts'
import { isRequired, pickFields, textOfPath, toPage, valueAt, withEveryProperty } from '../query/index.ts'
import type { Page, Query } from '../query/index.ts'
import { own } from '../own.ts'
import type { RowOf } from '../language/index.ts'

/** What a change did to a page. Applied to its rows by their keys, one after another, the changes give the rows of the page. */
export interface PageChange<Shown> {
  /** The rows that are new on the page. */
  readonly entered: readonly Shown[]
  /** The key fields alone of the rows that are no longer on the page. */
  readonly left: readonly unknown[]
  /** The rows that are still on the page and look different. */
  readonly changed: readonly Shown[]
  /** Whether the page must be read again. */
  readonly stale: boolean
}

/** A page that follows the changes of rows. */
export interface LivePage<Row, Shown = Row> {
  /** The result of `toPage` for a new reading, unless the page is stale. Its rows have the fields that the query shows. */
  readonly page: Page<Shown>
  /** Whether the page must be read again: a row left it, and the row that follows is unknown. `read` ends it. */
  readonly stale: boolean
  /**
   * Applies a change of a row. A change that the rows contain already has no effect.
   *
   * @param before the row before the change, or its key fields alone; `undefined` for an insert.
   * @param after the row after the change; `undefined` for a delete.
   * @throws TypeError when a row is not an object, or has no value in a key field. Then the page stays as it is.
   */
  change(before: unknown, after: Row | undefined): PageChange<Shown>
  /** Replaces the rows by a new reading, and compares the pages. */
  read(rows: readonly Row[]): PageChange<Shown>
}

/** A row with a copy of its values, because a program may change the object later. */
interface Entry<Row, Shown> {
  readonly row: Row
  readonly key: string
  readonly shown: Shown
  /** The row as JSON, to compare. */
  readonly text: string
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part))

/**
 * Keeps a page of a query up to date without reading it again for each change. It has neither the count nor the facets of the query.
 *
 * @param query its filter contains the restriction of the caller, so changes of other rows are no part of the page. It must read the key:
 *   the result identifies rows by the sort keys that every row has.
 * @param rows the rows that a backend reads for the query: at most `limit + 1`, in the order of reading.
 * @throws TypeError when the query is invalid or has an offset, or as `toPage` does.
 * @example
 * const live = livePage(parseQueryOrThrow(orderCollection, 'sort=-total&limit=2'), [{ id: 1, total: 9 }, { id: 2, total: 5 }])
 * live.change(undefined, { id: 3, total: 7 }).entered // => [{ id: 3, total: 7 }]
 * live.page.rows.map(({ id }) => id) // => [1, 3]
 */
export function livePage<Row, Asked extends string | undefined, Hidden extends string>(
  query: Query<Asked, Hidden>,
  rows: readonly Row[],
): LivePage<Row, RowOf<Row, Asked, Hidden>> {
  type Shown = RowOf<Row, Asked, Hidden>
  const whole: Query = withEveryProperty(query)
  const { filter, sort, limit, position, offset, fields, hidden } = whole
  if (offset) throw new TypeError('query.offset must be absent: the rows before the page are unknown')
  const backend = memoryBackend()
  const matches = backend.compile(filter)
  const all = and()
  const ordered = backend.compileQuery({
    ...{ filter: all, asked: [{ kind: 'filter', filter: all }], sort, limit: 1, count: false },
    ...(position && { position }),
  })
  const firstOf = (...some: unknown[]): unknown => ordered(some).rows.at(0)
  const required = sort.filter((key) => isRequired(key) && own(key, 'inKey') !== false)
  const keys = required.length === 0 ? sort : required
  const pathsOf = (list: typeof sort): readonly Path[] => list.map(({ path }) => path)
  const show = pickFields(fields, hidden) as (row: unknown) => Shown
  const [keyOf, orderOf] = [keys, sort].map((list) => pickFields(pathsOf(list)))

  const identify = (row: unknown, argument: string): string =>
    textOf(
      keys.map(({ path, type }) => {
        const value = valueAt(row, path)
        if (value === undefined || value === null)
          throw new TypeError(`${argument} has no value in ${textOfPath(path)}`)
        return canonicalOf[type](value) ?? value
      }),
    )
  const entryOf = (row: Row, argument: string): Entry<Row, Shown> => {
    const shown = show(row)
    return { row, key: identify(row, argument), shown, text: textOf(shown) }
  }

  /** In the order of reading. */
  let entries: readonly Entry<Row, Shown>[] = []
  /** The sort values of the last known row. `undefined` if all rows of the query are known. */
  let edge: unknown
  let stale = false
  let page: Page<Shown> = { rows: [] }
  let shownBefore: ReadonlyMap<string, Entry<Row, Shown>> = new Map()

  function set(next: typeof entries, nextEdge: unknown, isStale: boolean): PageChange<Shown> {
    const { rows: onPage, ...cursors } = toPage(
      query,
      next.map(({ row }) => row),
    )
    const visible = next.slice(0, onPage.length)
    if (position?.toward === 'previous') visible.reverse()
    const before = shownBefore
    shownBefore = new Map(visible.map((entry) => [entry.key, entry]))
    ;[entries, edge, stale] = [next, nextEdge, isStale]
    page = { rows: visible.map(({ shown }) => shown), ...cursors }
    const isDifferent = ({ key, text }: Entry<Row, Shown>) => before.has(key) && before.get(key)!.text !== text
    return {
      entered: visible.filter(({ key }) => !before.has(key)).map(({ shown }) => shown),
      left: [...before.values()].filter(({ key }) => !shownBefore.has(key)).map(({ row }) => keyOf!(row)),
      changed: visible.filter(isDifferent).map(({ shown }) => shown),
      stale,
    }
  }

  function read(reading: readonly Row[]): PageChange<Shown> {
    toPage(query, reading)
    const next = reading.map((row, at) => entryOf(row, `rows[${at}]`))
    return set(next, next.length > limit ? orderOf!(reading[limit]) : undefined, false)
  }

  function change(before: unknown, after: Row | undefined): PageChange<Shown> {
    const gone = [before !== undefined && identify(before, 'before'), after !== undefined && identify(after, 'after')]
    const rest = entries.filter(({ key }) => !gone.includes(key))
    const isIn =
      after !== undefined &&
      matches(after) &&
      firstOf(after) === after &&
      (edge === undefined || firstOf(after, edge) === after)
    if (!isIn) {
      if (rest.length === entries.length) return { entered: [], left: [], changed: [], stale }
      return set(rest, edge, stale || (edge !== undefined && rest.length <= limit))
    }
    const at = rest.findIndex(({ row }) => firstOf(after, row) === after)
    const next = rest.toSpliced(at < 0 ? rest.length : at, 0, entryOf(after, 'after'))
    const dropped = next.splice(limit + 1)
    return set(
      next,
      dropped.length > 0 ? orderOf!(next[limit]!.row) : edge,
      stale || (edge !== undefined && next.length <= limit),
    )
  }

  read(rows)
  return {
    get page() {
      return page
    },
    get stale() {
      return stale
    },
    change,
    read,
  }
}
