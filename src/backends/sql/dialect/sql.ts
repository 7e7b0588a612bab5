/** Pieces of SQL. Only the template tag puts a piece into another, so a value becomes a parameter and never text. Imports nothing. */

/** A piece of SQL: `values` are between `strings`. Made by {@link sql}. */
export interface Sql {
  readonly strings: readonly string[]
  readonly values: readonly (Sql | Parameter)[]
}

/** A value that the driver sends separately from the text. */
export interface Parameter {
  readonly parameter: unknown
  /** Only a piece has `strings`. It is declared here, because an absent property could be inherited. */
  readonly strings?: undefined
}

/**
 * Joins the program's text, other pieces and parameters to a piece.
 *
 * @example
 * const column = raw('"orders"."name"')
 * const pattern = parameter('jo%')
 * sql`lower(${column}) LIKE ${pattern}`
 */
export const sql = (strings: readonly string[], ...values: readonly (Sql | Parameter)[]): Sql => ({ strings, values })

/** Makes a parameter from a value. Only this function puts users' text into a statement. */
export const parameter = (value: unknown): Parameter => ({ parameter: value, strings: undefined })

/** Makes a piece from the program's text, for example a quoted name. Never pass it users' text. */
export const raw = (text: string): Sql => ({ strings: [text], values: [] })

/** Writes a string literal of SQL, for example for a JSON member name. Use parameters for users' values. */
export const stringLiteral = (text: string): Sql => raw(`'${text.replaceAll("'", "''")}'`)

/** Joins pieces with a text between them. */
export function join(pieces: readonly Sql[], between: string): Sql {
  const strings = ['']
  for (let at = 1; at < pieces.length; at++) strings.push(between)
  strings.push('')
  return { strings, values: pieces }
}

/** The texts around the parameters of a piece, one more than there are parameters, and the parameters in order. */
export function flatten(piece: Sql): { strings: string[]; parameters: unknown[] } {
  const pieces = { strings: [] as string[], parameters: [] as unknown[] }
  pieces.strings.push(append(pieces, '', piece))
  return pieces
}

/** Adds a piece after a text that may go on, and returns the text that may go on then. */
function append(to: { strings: string[]; parameters: unknown[] }, before: string, { strings, values }: Sql): string {
  let text = before + strings[0]!
  for (let at = 0; at < values.length; at++) {
    const value = values[at]!
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
