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

/** A text as SQL's own literal, for member names of JSON and the like; never for what callers write. */
export const stringLiteral = (text: string): Sql => raw(`'${text.replaceAll("'", "''")}'`)

/** Pieces with the same text between each two. */
export function join(pieces: readonly Sql[], between: string): Sql {
  const strings = ['']
  for (let at = 1; at < pieces.length; at++) strings.push(between)
  strings.push('')
  return { strings, values: pieces }
}

/** A piece as the text around its parameters (one more than these), and the parameters, in order. */
export function flatten(piece: Sql): { strings: string[]; parameters: unknown[] } {
  const pieces = { strings: [] as string[], parameters: [] as unknown[] }
  pieces.strings.push(append(pieces, '', piece))
  return pieces
}

/** Adds a piece behind a text that is not done yet, and returns what is not done then. */
function append(to: { strings: string[]; parameters: unknown[] }, before: string, { strings, values }: Sql): string {
  let text = before + strings[0]!
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as Sql & Parameter
    if (value.strings === undefined) {
      to.strings.push(text)
      to.parameters.push(value.parameter)
      text = strings[at + 1]!
    } else {
      text = (value.values.length === 0 ? text + value.strings[0]! : append(to, text, value)) + strings[at + 1]!
    }
  }
  return text
}
