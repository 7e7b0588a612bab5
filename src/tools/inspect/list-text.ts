/**
 * Splits the list in parentheses of CREATE INDEX or CREATE TABLE. Some engines store expressions, conditions and collations only as text.
 */

/** Matches a quoted name or text, a comment, or one other character. */
const piece = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\/|[^]/g

/** Splits SQL into pieces. A quoted text or a comment is one piece, with its parentheses and commas. */
const piecesOf = (sql: string): readonly string[] =>
  (sql.match(piece) ?? []).map((one) => (/^(?:--|\/\*)/.test(one) ? ' ' : one))

/**
 * Splits the first list in parentheses at its commas.
 *
 * @returns the parts, and the text after the list.
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

/** Removes the parentheses, the collation and the direction of an index entry. The catalogue has the last two. */
export function expressionOf(entry: string): string {
  const { parts, rest } = entry.startsWith('(') ? listOf(entry) : { parts: [], rest: '' }
  const inner = parts.length === 1 && rest === '' ? parts[0]! : entry.replace(ending, '').trimEnd()
  return inner === entry ? entry : expressionOf(inner)
}
