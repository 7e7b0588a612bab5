/** Cuts the text into tokens. What they may stand next to is the grammar's business. */
import { createToken, Lexer, type IToken, type TokenType } from 'chevrotain'

// No patterns: Chevrotain's own lexer, which skips what it does not know and takes longer than the parse, is not used.
const token = (name: string): TokenType => createToken({ name, pattern: Lexer.NA })

export const Ampersand = token('Ampersand')
export const Equals = token('Equals')
export const Dot = token('Dot')
export const Open = token('Open')
export const Close = token('Close')
export const Comma = token('Comma')
export const Quote = token('Quote')
export const Backslash = token('Backslash')
/** What stands between the marks of a key; empty where a name is missing. */
export const Name = token('Name')
/** What stands between the marks of a value; empty where an item is. */
export const Text = token('Text')

export const vocabulary = [Ampersand, Equals, Dot, Open, Close, Comma, Quote, Backslash, Name, Text]

/** `endOffset` is exclusive here; the parser itself reads neither offset. */
export interface Token extends IToken {
  endOffset: number
}

/** A character that ends a run. */
interface Mark {
  readonly type: TokenType
  /** The mode of what follows. */
  readonly mode: Mode
  /** Whether a run follows it, be it empty. */
  readonly run: boolean
}

/** A part of a pair: what its runs are, and its marks by character code, as written raw and as percent-escapes. */
interface Mode {
  readonly run: TokenType
  readonly raw: (Mark | undefined)[]
  readonly escaped: (Mark | undefined)[]
}

const newMode = (run: TokenType): Mode => ({
  run,
  raw: new Array<undefined>(128).fill(undefined),
  escaped: new Array<undefined>(128).fill(undefined),
})
const key = newMode(Name)
const bracket = newMode(Name)
const value = newMode(Text)

function mark(inModes: readonly Mode[], character: string, mark: Mark): void {
  for (const mode of inModes) {
    mode.raw[character.charCodeAt(0)] = mark
    // Only a raw "=" ends a key, only a raw "&" ends a pair.
    if (character !== '=' && character !== '&') mode.escaped[character.charCodeAt(0)] = mark
  }
}
mark([key, bracket, value], '&', { type: Ampersand, mode: key, run: true })
mark([key, bracket], '=', { type: Equals, mode: value, run: true })
mark([key, bracket], '[', { type: Open, mode: bracket, run: true })
mark([key, bracket], ']', { type: Close, mode: key, run: false })
mark([key], '.', { type: Dot, mode: key, run: true })
mark([value], ',', { type: Comma, mode: value, run: true })
mark([value], '"', { type: Quote, mode: value, run: false })
mark([value], '\\', { type: Backslash, mode: value, run: false })

const make = (type: TokenType, startOffset: number, endOffset: number): Token => ({
  image: '',
  startOffset,
  endOffset,
  tokenType: type,
  tokenTypeIdx: type.tokenTypeIdx!,
})

/** The value of a hexadecimal digit, by its character code; far off the tables for anything else. */
function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : 0x1000
}

/** The tokens of the text from an offset on. Each begins where the one before ends: nothing is skipped. */
export function scan(text: string, start: number): Token[] {
  const tokens: Token[] = []
  let mode = key
  let from = start
  let run = true
  for (let at = start; at < text.length;) {
    const code = text.charCodeAt(at)
    const escape = code === 0x25 // %
    const mark = escape
      ? mode.escaped[hexDigit(text.charCodeAt(at + 1)) * 16 + hexDigit(text.charCodeAt(at + 2))]
      : mode.raw[code]
    if (mark === undefined) {
      at++
      continue
    }
    // A quote that begins an item has no text before it, which tells it from one inside the item.
    if (from < at || (run && mark.type !== Quote)) tokens.push(make(mode.run, from, at))
    from = at + (escape ? 3 : 1)
    tokens.push(make(mark.type, at, from))
    at = from
    mode = mark.mode
    run = mark.run
  }
  if (from < text.length || run) tokens.push(make(mode.run, from, text.length))
  return tokens
}
