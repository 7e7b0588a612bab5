/** The entries of an index, cut out of its CREATE INDEX: SQLite keeps expressions and conditions as text alone. */

/** A quoted name or text, a comment, or any other character. */
const piece = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\/|[^]/g

/** Pieces of SQL: brackets and commas inside of quotes and comments are none. */
const piecesOf = (sql: string): readonly string[] =>
  (sql.match(piece) ?? []).map((one) => (/^(?:--|\/\*)/.test(one) ? ' ' : one))

const ending = /\s(?:asc|desc|collate\s+(?:\w+|"(?:[^"]|"")*"))$/i

/** An entry without its collation and direction, which `pragma_index_xinfo` has. */
function expressionOf(entry: string): string {
  const whole = entry.trim()
  const rest = whole.replace(ending, '')
  return rest === whole ? whole : expressionOf(rest)
}

/**
 * @param sql a whole CREATE INDEX.
 * @returns the text of each entry without direction and collation, and the condition of a partial index.
 */
export function entriesOf(sql: string): { readonly texts: readonly string[]; readonly predicate: string | undefined } {
  const pieces = piecesOf(sql)
  const texts: string[] = []
  let text = ''
  let depth = 0
  for (const [at, one] of pieces.entries()) {
    if (one === '(') depth++
    if (one === ')') depth--
    // The parenthesis that ends the list.
    if (one === ')' && depth === 0) {
      const [, predicate] = /^\s*where\b([^]*)$/i.exec(pieces.slice(at + 1).join('')) ?? []
      return { texts: [...texts, expressionOf(text)], predicate: predicate?.trim() }
    }
    if (one === ',' && depth === 1) {
      texts.push(expressionOf(text))
      text = ''
    } else if (depth > 1 || (depth === 1 && one !== '(')) text += one
  }
  return { texts, predicate: undefined }
}
