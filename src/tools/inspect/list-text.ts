/**
 * The list in parentheses of a CREATE INDEX or CREATE TABLE: some engines keep expressions, conditions and collations as text alone.
 */

/** A quoted name or text, a comment, or any other character. */
const piece = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\/|[^]/g

/** Pieces of SQL: parentheses and commas inside of quotes and comments are none. */
const piecesOf = (sql: string): readonly string[] =>
  (sql.match(piece) ?? []).map((one) => (/^(?:--|\/\*)/.test(one) ? ' ' : one))

/**
 * Cuts the first list in parentheses at its commas.
 *
 * @returns the parts, and what follows the list.
 */
export function listOf(sql: string): { readonly parts: readonly string[]; readonly rest: string } {
  const pieces = piecesOf(sql)
  const parts: string[] = []
  let part = ''
  let depth = 0
  for (const [at, one] of pieces.entries()) {
    if (one === '(' && depth++ === 0) continue
    if (one === ')' && --depth === 0)
      return {
        parts: [...parts, part.trim()],
        rest: pieces
          .slice(at + 1)
          .join('')
          .trim(),
      }
    if (one === ',' && depth === 1) {
      parts.push(part.trim())
      part = ''
    } else if (depth > 0) part += one
  }
  return { parts, rest: '' }
}

const ending = /\s(?:asc|desc|collate\s+(?:\w+|"(?:[^"]|"")*"))$/i

/** An entry of an index without the parentheses around it, and without its collation and direction, which catalogues have. */
export function expressionOf(entry: string): string {
  const { parts, rest } = entry.startsWith('(') ? listOf(entry) : { parts: [], rest: '' }
  const inner = parts.length === 1 && rest === '' ? parts[0]! : entry.replace(ending, '').trimEnd()
  return inner === entry ? entry : expressionOf(inner)
}
