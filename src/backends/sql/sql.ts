/**
 * Pieces of SQL: text that is ours, around parameters that are the callers'. A piece goes into another only
 * through the template tag, so a value can become a parameter and nothing else. Imports nothing.
 */

/** A piece of SQL: `values` stand between `strings`. Made by {@link sql}. */
export interface Sql {
  readonly strings: readonly string[]
  readonly values: readonly (Sql | Parameter)[]
}

/** A value that the driver sends, never the text. */
export interface Parameter {
  readonly parameter: unknown
}

/**
 * Joins text of the program's own and other pieces.
 *
 * @example sql`lower(${column}) LIKE ${pattern}`
 */
export const sql = (strings: readonly string[], ...values: readonly (Sql | Parameter)[]): Sql => ({ strings, values })

/** A value for the driver to send: the one door by which users' text gets into a statement. */
export const parameter = (value: unknown): Parameter => ({ parameter: value })

/** Text that was written by a dialect: a quoted name, a literal. */
export const raw = (text: string): Sql => ({ strings: [text], values: [] })

/** Pieces with the same text between each two. */
export function join(pieces: readonly Sql[], between: string): Sql {
  return { strings: ['', ...pieces.slice(1).map(() => between), ''], values: pieces }
}

/** The pieces of text around the parameters (one more than these), in order. */
export function flatten(piece: Sql): { strings: string[]; parameters: unknown[] } {
  const strings = ['']
  const parameters: unknown[] = []
  const visit = ({ strings: own, values }: Sql): void => {
    for (let at = 0; at < own.length; at++) {
      strings[strings.length - 1] += own[at]!
      const value = values[at]
      if (value === undefined) continue
      if ('parameter' in value) {
        parameters.push(value.parameter)
        strings.push('')
      } else visit(value)
    }
  }
  visit(piece)
  return { strings, parameters }
}
