/** Orders that change, beside those of the store: a copy in memory, so that the lists of the demo stay the same. */
import { matcher } from '../../src/live/index.ts'
import type { Filter } from '../../src/index.ts'
import { makeOrders, randomNumbers, type Order } from './data.ts'

export interface ChangingRows<Row extends object> {
  /** The rows by their keys. */
  readonly rows: ReadonlyMap<unknown, Row>
  /** Inserts, updates or deletes the row with this key. */
  change(key: unknown, after: Row | undefined): void
  /** Calls `receive` for each change of a row that the filter selects before or after it. @returns the function that ends this. */
  follow(filter: Filter, receive: Receive<Row>): () => void
}
type Receive<Row> = (before: Row | undefined, after: Row | undefined) => void

/** One matcher finds the followers that a change concerns. */
export function changingRows<Row extends object>(
  first: Iterable<readonly [key: unknown, row: Row]>,
): ChangingRows<Row> {
  const rows = new Map(first)
  const followers = matcher<Receive<Row>>()
  return {
    rows,
    change(key, after) {
      const before = rows.get(key)
      if (after === undefined) rows.delete(key)
      else rows.set(key, after)
      const { entered, left, stayed } = followers.changes(before, after)
      for (const receive of [...entered, ...left, ...stayed]) receive(before, after)
    },
    follow(filter, receive) {
      followers.add(receive, filter)
      return () => void followers.delete(receive)
    },
  }
}

export const changingOrders = (): ChangingRows<Order> => changingRows(makeOrders().map((order) => [order.id, order]))

/** @returns a function that makes a random change: a new order, or another status or the end of one of the last orders. */
export function orderChanges({ rows, change }: ChangingRows<Order>, seed: number): () => void {
  const random = randomNumbers(seed)
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!
  let lastId = rows.size
  return () => {
    const all = [...rows.values()]
    const one = pick(all.slice(-100))
    const kind = pick(['insert', 'delete', 'update', 'update'])
    if (kind === 'insert') change(++lastId, { ...pick(all), id: lastId, status: 'new' })
    else change(one.id, kind === 'delete' ? undefined : { ...one, status: pick(['paid', 'held', 'new']) })
  }
}
