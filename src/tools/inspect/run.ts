/** Executes the statements of a description, and checks the rows that `run` returns. */

/**
 * Executes a statement by the driver of the program, and returns its rows. A row is an object or an array. The parameters are texts. Their
 * type is `any[]`, because each driver declares a different type.
 *
 * @example const run: Run = (text, parameters) => file.prepare(text).all(...parameters)
 */
export type Run = (text: string, parameters: any[]) => readonly unknown[] | Promise<readonly unknown[]>

/**
 * Reads the column `c1` of each row: JSON of an object or a list, as text or already parsed. So all drivers return the same numbers,
 * booleans and lists.
 *
 * @throws TypeError that describes the result of `run`, if it is not a list of rows.
 */
export async function ask<T extends object>(
  run: Run,
  text: string,
  parameters: readonly string[] = [],
): Promise<readonly T[]> {
  return (await rowsOf(run, text, parameters)).map((row) => {
    const value = memberOf(row, 'c1', 0)
    if (value === undefined) throw new TypeError(`${wrong} without the column c1: ${shapeOf(row)}. ${advice}`)
    const facts = typeof value === 'string' ? parsed(value) : value
    // mysql2 returns a pair, whose first member is the list of rows.
    if (typeof facts !== 'object' || facts === null || Object.hasOwn(facts, 'c1')) {
      throw new TypeError(`${wrong} whose c1 is not JSON: ${shapeOf(value)}. ${advice}`)
    }
    return facts as T
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Executes a statement that some engines refuse. Returns `undefined` if the engine refuses it.
 *
 * @param probe a statement that every engine accepts. If it fails too, the connection has failed.
 */
export async function tryTo<T>(statement: () => Promise<T>, run: Run, probe: string): Promise<T | undefined> {
  try {
    return await statement()
  } catch (error) {
    if (error instanceof TypeError) throw error
    await ask(run, probe)
    return undefined
  }
}

/** Calls `run` and checks that it returns a list. */
export async function rowsOf(run: Run, text: string, parameters: readonly string[] = []): Promise<readonly unknown[]> {
  const rows: unknown = await run(text, [...parameters])
  if (!Array.isArray(rows)) throw new TypeError(`run returned no list of rows, but ${shapeOf(rows)}. ${advice}`)
  return rows
}

/** Reads a value of a row. The row is an object or an array. */
export function memberOf(row: unknown, name: string, at: number): unknown {
  if (Array.isArray(row)) return row[at] as unknown
  if (typeof row !== 'object' || row === null || !Object.hasOwn(row, name)) return undefined
  return (row as Readonly<Record<string, unknown>>)[name]
}

const wrong = 'run returned a row'
const advice = 'It must return a list of rows, each an object or an array, as the driver made them'

function shapeOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value).slice(0, 40)
  return Array.isArray(value)
    ? `a list of ${value.length}`
    : `an object with ${Object.keys(value).join(', ') || 'no member'}`
}

/** Copies an object without its `null` and `undefined` members. A catalogue contains NULL for a fact that a column does not have. */
export const stated = <T extends object>(facts: { readonly [K in keyof T]: T[K] | null | undefined }): T =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined)) as T

/** Groups items by a key, in the order of the first item of each group. */
export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}
