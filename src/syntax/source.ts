/** The text of a query, and how a piece of it is decoded. */
import { secretStart, type Span } from '../issue/index.ts'

/** Plain data: the functions below read it. */
export interface Source {
  /** As it was given: spans count in it. */
  readonly text: string
  /** Where its pairs begin: after a leading `?`, unless the text is known to have none. */
  readonly start: number
  /** Most texts have no escapes and no spaces: then a piece of the text is its own decoding. */
  readonly hasEscapes: boolean
  readonly hasPluses: boolean
}

export const sourceOf = (text: string, start = text.startsWith('?') ? 1 : 0): Source => ({
  text,
  start,
  hasEscapes: text.includes('%'),
  hasPluses: text.includes('+'),
})

/** Every escape but those of U+0001 to U+007F. */
const doubtfulEscape = /%(?!0[1-9a-f]|[1-7][\da-f])/i

/** Whether {@link decodingFault} can find anything. Most texts are cleared by this alone. */
export const isDoubtful = ({ text, hasEscapes }: Source): boolean =>
  (hasEscapes && doubtfulEscape.test(text)) || text.includes('\0') || !text.isWellFormed()

/**
 * A piece of the text, decoded once: percent-escapes, and `+` as a space.
 *
 * @param span of a piece in which {@link decodingFault} finds nothing.
 */
export function decode(source: Source, span: Span): string {
  const piece = pieceOf(source, span)
  return source.hasEscapes && piece.includes('%') ? decodeURIComponent(piece) : piece
}

/** As {@link decode}, for any piece of a plain text; `undefined` where {@link decodingFault} has to look at its escapes. */
export function decodeClear(source: Source, span: Span): string | undefined {
  const piece = pieceOf(source, span)
  if (!source.hasEscapes || !piece.includes('%')) return piece
  return doubtfulEscape.test(piece) ? undefined : decodeURIComponent(piece)
}

function pieceOf({ text, hasPluses }: Source, { start, end }: Span): string {
  const piece = text.slice(start, end)
  return hasPluses ? piece.replaceAll('+', ' ') : piece
}

/** Whether a piece of the text may hold the value of a reserved pair: then no message quotes it, and no link repeats it. */
export function mayHoldSecret({ text }: Source, { start, end }: Span, reserved: readonly string[]): boolean {
  return secretStart(text.slice(start, end), reserved) > 0
}

/** Where the pair begins that an offset is in. What comes before a name in its pair may say that the name is a secret. */
export const startOfPair = ({ text, start }: Source, at: number): number =>
  at <= start ? start : Math.max(start, text.lastIndexOf('&', at - 1) + 1)

// --- Escapes

export const percent = 0x25

/** By character code: the value of a hexadecimal digit. Any other character has a value that makes no character code. */
const hexDigits = Int16Array.from({ length: 128 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
  return digit < 0 ? 0x1000 : digit
})
const hexDigit = (code: number): number => hexDigits[code]!

/** The code of the character at an offset, raw or a percent-escape. The code of a malformed escape is that of no character. */
export function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code === percent ? hexDigit(text.charCodeAt(at + 1)) * 16 + hexDigit(text.charCodeAt(at + 2)) : code
}

/** How many characters of the text the character at an offset takes: an escape takes three. */
export const widthAt = (text: string, at: number): number => (text.charCodeAt(at) === percent ? 3 : 1)

// --- What cannot be decoded

/** A piece of the text that decodes to no character, or to one that a query must not have. */
export interface DecodingFault extends Span {
  readonly kind: 'malformed escape' | 'invalid UTF-8' | 'U+0000' | 'lone surrogate'
}

/** The first thing in a piece of the text that cannot be decoded. */
export function decodingFault({ text }: Source, { start, end }: Span): DecodingFault | undefined {
  // A loop: the stack of a regular expression has no room for millions of escapes.
  for (let at = start; at < end; at++) {
    const raw = text.charCodeAt(at)
    if (raw === percent) {
      const byte = codeAt(text, at)
      if (!(byte <= 0xff)) {
        const digits = /^[\da-f]?/i.exec(text.slice(at + 1, at + 2))![0].length
        return { kind: 'malformed escape', start: at, end: at + 1 + digits }
      }
      if (byte === 0) return { kind: 'U+0000', start: at, end: at + 3 }
      const next = byte < 0x80 ? at + 3 : endOfRun(text, at)
      if (byte >= 0x80 && !isUtf8(text.slice(at, next))) return { kind: 'invalid UTF-8', start: at, end: next }
      at = next - 1
    } else if (raw === 0) {
      return { kind: 'U+0000', start: at, end: at + 1 }
    } else if (raw >= 0xd800 && raw <= 0xdfff) {
      if (!text.slice(at, at + 2).isWellFormed()) return { kind: 'lone surrogate', start: at, end: at + 1 }
      at++
    }
  }
  return undefined
}

/** Where a run of escapes beyond ASCII ends. */
function endOfRun(text: string, start: number): number {
  let at = start
  while (text.charCodeAt(at) === percent && codeAt(text, at) >= 0x80 && codeAt(text, at) <= 0xff) at += 3
  return at
}

function isUtf8(escapes: string): boolean {
  try {
    decodeURIComponent(escapes)
    return true
  } catch {
    return false
  }
}
