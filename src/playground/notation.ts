/** Values, documents and statements as texts for people: broken into lines where they are long. */

const isName = /^[\p{L}_$][\p{L}\p{N}_$]*$/u
const quoted = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`

/** A value as JavaScript writes it, on one line. */
export function inline(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  if (value instanceof Date) return `new Date(${quoted(value.toISOString())})`
  if (value instanceof RegExp) return String(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    const members = membersOf(value).map(([name, member]) => `${name}: ${inline(member)}`)
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
  }
  return String(value)
}

const membersOf = (object: object): (readonly [name: string, value: unknown])[] =>
  Object.entries(object).map(([name, value]) => [isName.test(name) ? name : quoted(name), value])

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof RegExp)

/** A value as JavaScript writes it, in as many lines as it needs. */
export function notation(value: unknown, width: number, indent = ''): string {
  const flat = inline(value)
  if (!isPlain(value) || indent.length + flat.length <= width) return flat
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const members = Array.isArray(value)
    ? value.map((member) => notation(member, width, inner))
    : membersOf(value).map(([name, member]) => `${name}: ${notation(member, width, inner)}`)
  return `${open}\n${members.map((member) => `${inner}${member},\n`).join('')}${indent}${close}`
}

// --- SQL

/** A piece of a statement, or the content of parentheses. */
type Piece = string | readonly Piece[]

const tokenPattern = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|[()]|\s+|(?:ORDER BY|[^\s()'"`])[^\s()'"`]*/g

function piecesOf(text: string): readonly Piece[] {
  const open: Piece[][] = [[]]
  for (const [token] of text.matchAll(tokenPattern)) {
    if (token === '(') open.push([])
    else if (token === ')' && open.length > 1) {
      const group = open.pop()!
      open.at(-1)!.push(group)
    } else open.at(-1)!.push(/^\s+$/.test(token) ? ' ' : token)
  }
  return open[0]!
}

const flatten = (pieces: readonly Piece[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : `(${flatten(piece)})`)).join('')

const clauses: readonly Piece[] = ['FROM', 'WHERE', 'ORDER BY', 'LIMIT', 'OFFSET']
const joins: readonly Piece[] = ['AND', 'OR']

/** Lines of a sequence that is too long for one: a new one at each clause, or else at each AND and OR. */
function lay(pieces: readonly Piece[], width: number, indent: string): string {
  const flat = flatten(pieces).trim()
  if (indent.length + flat.length <= width) return flat
  const breaks = pieces.some((piece) => clauses.includes(piece)) ? clauses : joins
  const parts: Piece[][] = [[]]
  for (const piece of pieces) {
    if (breaks.includes(piece)) parts.push([])
    parts.at(-1)!.push(piece)
  }
  return parts
    .filter((part) => flatten(part).trim() !== '')
    .map((part) => {
      if (parts.length === 1) return broken(part, width, indent)
      return indent.length + flatten(part).trim().length <= width ? flatten(part).trim() : clause(part, width, indent)
    })
    .join(`\n${indent}`)
}

/** `WHERE` and the like: what follows it may be a sequence of its own. */
function clause(part: readonly Piece[], width: number, indent: string): string {
  const [word, ...rest] = part
  if (clauses.includes(word!) && rest.some((piece) => joins.includes(piece))) {
    return `${flatten([word!])} ${lay(rest, width, `${indent}  `)}`
  }
  return broken(part, width, indent)
}

/** Long content of parentheses gets its own lines. */
function broken(pieces: readonly Piece[], width: number, indent: string): string {
  const inner = `${indent}  `
  return pieces
    .map((piece) => {
      if (typeof piece === 'string') return piece
      const flat = flatten(piece)
      return flat.length + indent.length <= width / 2
        ? `(${flat})`
        : `(\n${inner}${lay(piece, width, inner)}\n${indent})`
    })
    .join('')
    .trim()
}

/** A statement in lines; but for white space it is the same. */
export const statementLines = (text: string, width: number): string => lay(piecesOf(text), width, '')

// --- What is coloured

/** Words of SQL, and placeholders; what is quoted is neither. */
export const inSql = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|(?<keyword>\b[A-Z]{2,}\b)|(?<operand>\$\d+|\?)/g

/** The names that MongoDB gives to operators, and values. Names of fields come first: their quotes begin no value. */
export const inDocuments =
  /(?<keyword>\$\w+)(?=:)|(?:'(?:[^'\\]|\\.)*'|[\p{L}_$][\p{L}\p{N}_$]*)(?=:)|(?<operand>'(?:[^'\\]|\\.)*'|\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*|\b(?:true|false|null)\b|-?\d[\d.e+-]*n?)/gu
