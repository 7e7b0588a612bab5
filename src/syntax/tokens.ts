/** Cuts the text into tokens. What they may stand next to is the grammar's business. */
import { createToken, Lexer, type IToken, type TokenType } from 'chevrotain'
import type { Span } from '../issue/index.ts'

// No patterns: Chevrotain's own lexer, which skips what it does not know and takes longer than the parse, is not used.
const token = (name: string): TokenType => createToken({ name, pattern: Lexer.NA })

export const Ampersand = token('Ampersand')
/** Names and the dots between them; empty where a pair begins without any. */
export const Path = token('Path')
/** `[`, a name and its `]`. */
export const Operator = token('Operator')
/** A `[` without its `]`. */
export const Open = token('Open')
/** A `]` without its `[`. */
export const Close = token('Close')
/** The first `=` of a pair and all that follows in it. */
export const Value = token('Value')

export const Comma = token('Comma')
export const Quote = token('Quote')
export const Backslash = token('Backslash')
/** What stands between the marks of a list; empty where an item is. */
export const Text = token('Text')

export const vocabulary = [Ampersand, Path, Operator, Open, Close, Value, Comma, Quote, Backslash, Text]

/** The parser reads types alone; so a token is the span of what it holds, without its brackets or its `=`, too. */
export interface Token extends IToken, Span {
  endOffset: number
  /** Of a path: how many names it has, and where the first stands that is empty; -1 when none is. */
  readonly names: number
  readonly missing: number
}

// One shape for all: what reads them stays monomorphic.
const make = (
  type: TokenType,
  startOffset: number,
  endOffset: number,
  start = startOffset,
  end = endOffset,
  names = 0,
  missing = -1,
): Token => ({
  image: '',
  startOffset,
  endOffset,
  tokenType: type,
  tokenTypeIdx: type.tokenTypeIdx!,
  start,
  end,
  names,
  missing,
})

/** By character code: the value of a hexadecimal digit; for anything else one that makes no character. */
const hexDigits = Int16Array.from({ length: 128 }, (_, code) => {
  const digit = '0123456789abcdef'.indexOf(String.fromCharCode(code).toLowerCase())
  return digit < 0 ? 0x1000 : digit
})
const hexDigit = (code: number): number => hexDigits[code]!

export const percent = 0x25

/** The code of the character at an offset, raw or a percent-escape; of a malformed escape, none that a character has. */
export function codeAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code === percent ? hexDigit(text.charCodeAt(at + 1)) * 16 + hexDigit(text.charCodeAt(at + 2)) : code
}
/** How long the character there is written. */
const widthAt = (text: string, at: number): number => (text.charCodeAt(at) === percent ? 3 : 1)

const ampersand = 0x26
const equals = 0x3d
const dot = 0x2e
const open = 0x5b
const close = 0x5d

/** Where the next mark of a key stands, from an offset on; at the end of the text when there is none. */
function nextMark(text: string, start: number): number {
  let at = start
  for (; at < text.length; at++) {
    const raw = text.charCodeAt(at)
    // No mark is beyond "]": that leaves out the small letters, of which most keys are made.
    if (raw > close) continue
    if (raw === dot || raw === open || raw === close || raw === equals || raw === ampersand) return at
    if (raw !== percent) continue
    // Only a raw "=" ends a key, only a raw "&" ends a pair.
    const escaped = codeAt(text, at)
    if (escaped === dot || escaped === open || escaped === close) return at
  }
  return at
}

/** The tokens of a query from an offset on. Each begins where the one before ends: nothing is skipped. */
export function scan(text: string, start: number): Token[] {
  const tokens: Token[] = []
  for (let at = start; ; at++) {
    at = scanKey(text, at, tokens)
    if (text.charCodeAt(at) === equals) {
      const next = text.indexOf('&', at)
      const end = next < 0 ? text.length : next
      tokens.push(make(Value, at, end, at + 1))
      at = end
    }
    if (at >= text.length) return tokens
    tokens.push(make(Ampersand, at, at + 1))
  }
}

/** The tokens of a key, up to the raw "=" or "&" or the end of the text that ends it. */
function scanKey(text: string, start: number, tokens: Token[]): number {
  let from = start
  let name = start
  let names = 1
  let missing = -1
  for (let at = nextMark(text, start); ; at = nextMark(text, name)) {
    const mark = codeAt(text, at)
    if (name === at && missing < 0) missing = at
    if (mark === dot) {
      names++
      name = at + widthAt(text, at)
      continue
    }
    if (from < at || at === start) tokens.push(make(Path, from, at, from, at, names, missing))
    if (mark === open) {
      const inside = at + widthAt(text, at)
      let to = nextMark(text, inside)
      while (codeAt(text, to) === dot) to = nextMark(text, to + 1)
      const closed = codeAt(text, to) === close
      from = closed ? to + widthAt(text, to) : inside
      tokens.push(make(closed ? Operator : Open, at, from, inside, to))
    } else if (mark === close) {
      from = at + widthAt(text, at)
      tokens.push(make(Close, at, from))
    } else return at
    name = from
  }
}

const inLists: (TokenType | undefined)[] = new Array<undefined>(128).fill(undefined)
inLists[0x2c] = Comma
inLists[0x22] = Quote
inLists[0x5c] = Backslash

/** The tokens of a value that is read as a list. */
export function scanList(text: string, start: number, end: number): Token[] {
  const tokens: Token[] = []
  let from = start
  let run = true
  for (let at = start; at < end;) {
    const type = inLists[codeAt(text, at)]
    if (type === undefined) {
      at++
      continue
    }
    // A quote that begins an item has no text before it, which tells it from one inside the item.
    if (from < at || (run && type !== Quote)) tokens.push(make(Text, from, at))
    from = at + widthAt(text, at)
    tokens.push(make(type, at, from))
    at = from
    run = type === Comma
  }
  if (from < end || run) tokens.push(make(Text, from, end))
  return tokens
}
