/** The text of a query, and how a piece of it is decoded. */
import { newSpan } from '../tree/index.ts'
import { secretStart, type Span } from '../issue/index.ts'
import { isPlainText } from '../values/characters.ts'
import { cutPairs, startOfPairs, type RawPair } from '../values/pairs.ts'

/** A text that is not too long, and where its pairs are. Plain data: the functions below read it. */
export interface Source {
  /** As it was given: spans count in it. */
  readonly text: string
  /** The pairs that are not empty, in the order of the text. */
  readonly pairs: readonly RawPair[]
  /** Whether the text contains `%`, and `+`. Without them, its pieces need no decoding. The text of an object has marks in their place. */
  readonly hasEscapes: boolean
  readonly hasPluses: boolean
  /** Whether every raw character of it is allowed. */
  readonly isPlain: boolean
  /** Whether a client wrote the text. The text of an object is not encoded, and no query has its spans. */
  readonly isWritten: boolean
  /** The characters in place of `%` and `+` in the text of an object. */
  readonly marks: readonly [percent: string, plus: string]
}

/** @param start where the pairs begin: 0 where a leading `?` belongs to the first key. */
export const sourceOf = (text: string, start = startOfPairs(text)): Source => ({
  text,
  pairs: cutPairs(text, start),
  hasEscapes: text.includes('%'),
  hasPluses: text.includes('+'),
  isPlain: isPlainText(text),
  isWritten: true,
  marks: unmarked,
})
const unmarked = ['%', '+'] as const

/** The source of an object with these spans of members. `write` returns its text, which only unknown keys, groups and advice need. */
export function memberSource(pairs: readonly RawPair[], write: () => string): Source {
  let made: { readonly text: string; readonly marks: readonly [string, string] } | undefined
  const whole = () => (made ??= marked(write()))
  return {
    pairs,
    hasEscapes: false,
    hasPluses: true,
    isWritten: false,
    get text() {
      return whole().text
    },
    get marks() {
      return whole().marks
    },
    get isPlain() {
      return isPlainText(whole().text)
    },
  }
}

function marked(text: string): { readonly text: string; readonly marks: readonly [string, string] } {
  // One private-use character that the text lacks replaces one character, so offsets stay.
  const marks: string[] = []
  for (let code = 0xe000; marks.length < 2; code++)
    if (!text.includes(String.fromCharCode(code))) marks.push(String.fromCharCode(code))
  const [percent, plus] = marks as [string, string]
  return { text: text.replaceAll('%', percent).replaceAll('+', plus), marks: [percent, plus] }
}

/** A piece of the text as the client wrote it. */
function rawOf(source: Source, { start, end }: Span): string {
  const piece = source.text.slice(start, end)
  return source.isWritten ? piece : withoutMarks(source, piece)
}

const withoutMarks = ({ marks: [percent, plus] }: Source, piece: string): string =>
  piece.replaceAll(percent, '%').replaceAll(plus, '+')

/** Decodes a piece of the text once, in which {@link decodingFault} finds nothing: percent-escapes, and `+` as a space. */
export function decode(source: Source, { start, end }: Span): string {
  const { text, hasEscapes, hasPluses } = source
  const raw = text.slice(start, end)
  const piece = hasPluses ? withoutPluses(source, raw) : raw
  return hasEscapes && piece.includes('%') ? decodeURIComponent(piece) : piece
}

const withoutPluses = (source: Source, piece: string): string =>
  source.isWritten ? piece.replaceAll('+', ' ') : withoutMarks(source, piece)

/** As {@link decode}; `undefined` where the piece cannot be decoded. */
export const decodeClear = (source: Source, span: Span): string | undefined =>
  decodingFault(source, span) === undefined ? decode(source, span) : undefined

/** Whether a piece of the text may contain the value of a reserved pair: no message quotes the piece, and no link repeats it. */
export function mayHoldSecret(source: Source, span: Span, reserved: readonly string[]): boolean {
  return secretStart(rawOf(source, span), reserved) > 0
}

/** Where the pair begins that an offset is in. A reserved name earlier in the pair makes what follows it a secret. */
export function startOfPair({ pairs }: Source, at: number): number {
  let [low, high] = [0, pairs.length]
  // A binary search: each finding calls this function, and a text can have thousands of findings.
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (pairs[middle]!.start <= at) low = middle
    else high = middle
  }
  return pairs[low]!.start
}

/** The span of a part of a query; `undefined` for an object, whose text no client wrote. */
export const spanIn = ({ isWritten }: Source, { start, end }: Span): Span | undefined =>
  isWritten ? newSpan(start, end) : undefined

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

/** The length of the character at an offset: 3 for an escape. */
export const widthAt = (text: string, at: number): number => (text.charCodeAt(at) === percent ? 3 : 1)

// --- Faults of the encoding

/** A piece of the text that decodes to no character, or to one that a query must not have. */
interface DecodingFault extends Span {
  readonly kind: 'malformed_escape' | 'invalid_utf8' | 'null_character' | 'lone_surrogate'
}

/** Every escape but those of U+0001 to U+007F. */
const doubtfulEscape = /%(?!0[1-9a-f]|[1-7][\da-f])/i

/** Finds the first characters of a piece of the text that cannot be decoded. */
export const decodingFault = (source: Source, span: Span): DecodingFault | undefined =>
  source.isPlain && !hasDoubtfulEscape(source, span) ? undefined : firstFault(source.text, span.start, span.end)

function hasDoubtfulEscape({ text, hasEscapes }: Source, { start, end }: Span): boolean {
  if (!hasEscapes) return false
  const piece = text.slice(start, end)
  return piece.includes('%') && doubtfulEscape.test(piece)
}

function firstFault(text: string, start: number, end: number): DecodingFault | undefined {
  // A loop: the stack of a regular expression has no room for millions of escapes.
  for (let at = start; at < end; at++) {
    const raw = text.charCodeAt(at)
    if (raw === percent) {
      const byte = codeAt(text, at)
      if (!(byte <= 0xff)) {
        const digits = /^[\da-f]?/i.exec(text.slice(at + 1, at + 2))![0].length
        return { kind: 'malformed_escape', start: at, end: at + 1 + digits }
      }
      if (byte === 0) return { kind: 'null_character', start: at, end: at + 3 }
      const next = byte < 0x80 ? at + 3 : endOfRun(text, at)
      if (byte >= 0x80 && !isUtf8(text.slice(at, next))) return { kind: 'invalid_utf8', start: at, end: next }
      at = next - 1
    } else if (raw === 0) {
      return { kind: 'null_character', start: at, end: at + 1 }
    } else if (raw >= 0xd800 && raw <= 0xdfff) {
      if (!text.slice(at, at + 2).isWellFormed()) return { kind: 'lone_surrogate', start: at, end: at + 1 }
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
