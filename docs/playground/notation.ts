/** Values, documents and statements as texts for people: broken into lines where they are long. */

const isName = /^[\p{L}_$][\p{L}\p{N}_$]*$/u
export const quoted = (text: string): string =>
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

export const membersOf = (object: object): (readonly [name: string, value: unknown])[] =>
  Object.entries(object).map(([name, value]) => [isName.test(name) ? name : quoted(name), value])

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date) && !(value instanceof RegExp)

/**
 * A value as JavaScript writes it, in as many lines as it needs.
 *
 * @param column where in its line the value begins.
 */
export function notation(value: unknown, width: number, indent = '', column = indent.length): string {
  const flat = inline(value)
  if (!isPlain(value) || column + flat.length <= width) return flat
  const inner = `${indent}  `
  const isArray = Array.isArray(value)
  const members = isArray ? value.map((one) => ['', one] as const) : membersOf(value)
  const labelled = members.map(([name, member]) => [isArray ? '' : `${name}: `, member] as const)
  const [label, only] = labelled[0]!
  // The lines of a single member need no lines around them.
  if (labelled.length === 1 && isPlain(only)) {
    if (isArray) return `[${notation(only, width, indent, column + 1)}]`
    if (inner.length + label.length + inline(only).length >= width)
      return `{ ${label}${notation(only, width, indent, column + 2 + label.length)} }`
  }
  const texts = labelled.map(([label, member]) => label + notation(member, width, inner, inner.length + label.length))
  // Numbers and short texts share lines: a projection has a name for each field.
  const isShort = labelled.every(([, member]) => !isPlain(member) && inline(member).length < 12)
  const lines = isShort ? filled(texts, width - inner.length) : texts
  const [open, close] = isArray ? '[]' : '{}'
  return `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`
}

/** Joins items by commas into lines that are as long as they can be. */
function filled(items: readonly string[], width: number): readonly string[] {
  const lines: string[] = []
  for (const item of items) {
    const joined = lines.length === 0 ? '' : `${lines.at(-1)!}, ${item}`
    if (joined !== '' && joined.length < width) lines[lines.length - 1] = joined
    else lines.push(item)
  }
  return lines
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

const clauses: readonly Piece[] = ['SELECT', 'FROM', 'WHERE', 'ORDER BY', 'LIMIT', 'OFFSET']
const joins: readonly Piece[] = ['AND', 'OR']

const trimmed = (pieces: readonly Piece[]): string => flatten(pieces).trim()

/** Cuts a sequence before each piece that begins a part. */
function cut(
  pieces: readonly Piece[],
  begins: (piece: Piece, before: Piece | undefined) => boolean,
): readonly Piece[][] {
  const parts: Piece[][] = [[]]
  for (const [at, piece] of pieces.entries()) {
    if (begins(piece, pieces[at - 1])) parts.push([])
    parts.at(-1)!.push(piece)
  }
  return parts.filter((part) => trimmed(part) !== '')
}
const isAfterComma = (_: Piece, before: Piece | undefined): boolean =>
  typeof before === 'string' && before.endsWith(',') && !/^['"`]/.test(before)

/** Lines of a sequence that is too long for one: a new one at each clause, or else at each AND and OR, or else at commas. */
function lay(pieces: readonly Piece[], width: number, indent: string): string {
  const flat = trimmed(pieces)
  if (indent.length + flat.length <= width) return flat
  const breaks = [clauses, joins].find((words) => pieces.some((piece) => words.includes(piece)))
  if (breaks === undefined) return listed(pieces, width, indent, indent)
  return cut(pieces, (piece) => breaks.includes(piece))
    .map((part) => {
      const line = trimmed(part)
      return indent.length + line.length <= width ? line : clause(part, width, indent)
    })
    .join(`\n${indent}`)
}

/** `WHERE` and the like: what follows the word is a sequence of its own. */
function clause(part: readonly Piece[], width: number, indent: string): string {
  const [word, ...rest] = part
  const inner = `${indent}  `
  if (!clauses.includes(word!)) return listed(part, width, indent, inner)
  if (rest.some((piece) => joins.includes(piece))) return `${flatten([word!])} ${lay(rest, width, inner)}`
  return listed(part, width, indent, inner)
}

/** Items between commas: as many on a line as there is room for. @param inner the indent of the lines after the first. */
function listed(pieces: readonly Piece[], width: number, indent: string, inner: string): string {
  const items = cut(pieces, isAfterComma)
  if (items.length === 1) return broken(pieces, width, indent)
  let lines = ''
  let column = indent.length
  for (const item of items) {
    const flat = trimmed(item)
    if (lines !== '' && column + 1 + flat.length <= width) {
      lines += ` ${flat}`
      column += 1 + flat.length
      continue
    }
    const start = lines === '' ? indent : inner
    const whole = start.length + flat.length <= width ? flat : broken(item, width, start)
    lines += lines === '' ? whole : `\n${inner}${whole}`
    const last = whole.slice(whole.lastIndexOf('\n') + 1)
    column = last === whole ? start.length + whole.length : last.length
  }
  return lines
}

/** Writes the content of parentheses on separate lines where the line is too short. A single call stays beside the parentheses. */
function broken(pieces: readonly Piece[], width: number, indent: string): string {
  const inner = `${indent}  `
  let text = ''
  for (const [at, piece] of pieces.entries()) {
    if (typeof piece === 'string') {
      text += piece
      continue
    }
    const flat = `(${flatten(piece)})`
    const next = pieces.slice(at + 1)
    const group = next.findIndex((one) => typeof one !== 'string')
    const tail = flatten(group < 0 ? next : next.slice(0, group))
    const column = text.includes('\n')
      ? text.length - text.lastIndexOf('\n') - 1
      : indent.length + text.trimStart().length
    const isCall = piece.length === 2 && typeof piece[0] === 'string' && typeof piece[1] !== 'string'
    if (column + flat.length + tail.trimEnd().length <= width) text += flat
    else if (isCall) text += `(${broken(piece, width, indent)})`
    else text += `(\n${inner}${lay(piece, width, inner)}\n${indent})`
  }
  return text.trim()
}

/** A statement in lines; but for white space it is the same. */
export const statementLines = (text: string, width: number): string => lay(piecesOf(text), width, '')

// --- What is coloured

/** Words of SQL, and placeholders; what is quoted is neither. */
export const inSql = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|(?<keyword>\b[A-Z]{2,}\b)|(?<operand>\$\d+|\?)/g

/** The names that MongoDB gives to operators, and values. Names of fields come first: their quotes begin no value. */
// Quadratic in the text, which the page prints from the reader's own query.
export const inDocuments =
  /(?<keyword>\$\w+)(?=:)|(?:'(?:[^'\\]|\\.)*'|[\p{L}_$][\p{L}\p{N}_$]*)(?=:)|(?<operand>'(?:[^'\\]|\\.)*'|\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*|\b(?:true|false|null)\b|-?\d[\d.e+-]*n?)/gu

/** Words, texts and numbers of TypeScript. */
export const inCode =
  /\/\/.*|(?<keyword>\b(?:import|export|const|from)\b)|(?<operand>'(?:[^'\\\n]|\\.)*'|\b(?:true|false|\d[\d.]*)\b)/g
