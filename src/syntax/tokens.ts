/** Cuts the text into tokens. The grammar knows in which order they may come. */
import { createToken, Lexer, type IToken, type TokenType } from 'chevrotain'
import type { Span } from '../issue/index.ts'
import { codeAt, percent, widthAt } from './source.ts'

// No patterns: Chevrotain's own lexer takes longer than all of a parse, and skips what it does not know.
const tokenType = (name: string): TokenType => createToken({ name, pattern: Lexer.NA })

export const Ampersand = tokenType('Ampersand')
/** Names and the dots between them. Every pair begins with one, an empty one if need be. */
export const Path = tokenType('Path')
/** `[`, a name and its `]`. */
export const Operator = tokenType('Operator')
/** A `[` without its `]`. */
export const Open = tokenType('Open')
/** A `]` without its `[`. */
export const Close = tokenType('Close')
/** The first `=` of a pair and everything that follows it in the pair. */
export const Value = tokenType('Value')

export const Comma = tokenType('Comma')
export const Quote = tokenType('Quote')
export const Backslash = tokenType('Backslash')
/** The text between the marks of a list. An empty item is an empty one. */
export const Text = tokenType('Text')

export const vocabulary = [Ampersand, Path, Operator, Open, Close, Value, Comma, Quote, Backslash, Text]

/**
 * A token spans from `startOffset` to `endOffset`. The span of what it holds, from `start` to `end`, leaves out its
 * brackets or its `=`.
 */
export interface Token extends IToken, Span {
  readonly endOffset: number
  /** How many names a path has. */
  readonly names: number
  /** Where the first name of a path is missing. */
  readonly missing: number | undefined
}

// Both constructors list the same properties in the same order: the parser then reads tokens of a single shape.

function token(
  tokenType: TokenType,
  startOffset: number,
  endOffset: number,
  start = startOffset,
  end = endOffset,
): Token {
  const tokenTypeIdx = tokenType.tokenTypeIdx!
  return { image: '', startOffset, endOffset, tokenType, tokenTypeIdx, start, end, names: 0, missing: undefined }
}

function pathToken(start: number, end: number, names: number, missing: number | undefined): Token {
  const tokenTypeIdx = Path.tokenTypeIdx!
  return { image: '', startOffset: start, endOffset: end, tokenType: Path, tokenTypeIdx, start, end, names, missing }
}

const ampersand = 0x26
const equals = 0x3d
const dot = 0x2e
const open = 0x5b
const close = 0x5d

/**
 * The tokens of a query, from an offset to the end of the text. Each begins where the one before it ends. Every
 * function below pushes the tokens that it finds at an offset, and returns the offset where they end.
 */
export function scan(text: string, start: number): Token[] {
  const tokens: Token[] = []
  let at = scanPair(text, start, tokens)
  while (at < text.length) {
    tokens.push(token(Ampersand, at, at + 1))
    at = scanPair(text, at + 1, tokens)
  }
  return tokens
}

function scanPair(text: string, start: number, tokens: Token[]): number {
  const at = scanKey(text, start, tokens)
  if (text.charCodeAt(at) !== equals) return at
  const next = text.indexOf('&', at)
  const end = next < 0 ? text.length : next
  tokens.push(token(Value, at, end, at + 1))
  return end
}

/** A path and its brackets, and whatever else comes before the `=` or the `&`. */
function scanKey(text: string, start: number, tokens: Token[]): number {
  let at = scanPath(text, start, tokens)
  while (at < text.length) {
    const raw = text.charCodeAt(at)
    // Only a raw "=" ends a key, only a raw "&" ends a pair.
    if (raw === equals || raw === ampersand) break
    const mark = codeAt(text, at)
    if (mark === open) at = scanBrackets(text, at, tokens)
    else if (mark === close) {
      const end = at + widthAt(text, at)
      tokens.push(token(Close, at, end))
      at = end
    } else at = scanPath(text, at, tokens)
  }
  return at
}

function scanPath(text: string, start: number, tokens: Token[]): number {
  let names = 1
  let missing: number | undefined
  let name = start
  let end = nextMark(text, start)
  for (; codeAt(text, end) === dot; end = nextMark(text, name)) {
    if (end === name) missing ??= end
    name = end + widthAt(text, end)
    names++
  }
  if (end === name) missing ??= end
  tokens.push(pathToken(start, end, names, missing))
  return end
}

function scanBrackets(text: string, start: number, tokens: Token[]): number {
  const inside = start + widthAt(text, start)
  let end = nextMark(text, inside)
  while (codeAt(text, end) === dot) end = nextMark(text, end + 1)
  if (codeAt(text, end) !== close) {
    tokens.push(token(Open, start, inside, inside, inside))
    return inside
  }
  const after = end + widthAt(text, end)
  tokens.push(token(Operator, start, after, inside, end))
  return after
}

/** Where the next mark of a key is, at an offset or after it: the end of the text when there is none. */
function nextMark(text: string, start: number): number {
  let at = start
  for (; at < text.length; at++) {
    const raw = text.charCodeAt(at)
    // Every mark comes before the small letters, of which most keys are made.
    if (raw > close) continue
    if (raw === dot || raw === open || raw === close || raw === equals || raw === ampersand) return at
    if (raw !== percent) continue
    const escaped = codeAt(text, at)
    if (escaped === dot || escaped === open || escaped === close) return at
  }
  return at
}

/** By character code: the tokens that are marks of a list. */
const listMarks: (TokenType | undefined)[] = new Array<undefined>(128).fill(undefined)
listMarks[0x2c] = Comma
listMarks[0x22] = Quote
listMarks[0x5c] = Backslash

/** The tokens of a value that is read as a list. */
export function scanList(text: string, start: number, end: number): Token[] {
  const tokens: Token[] = []
  // Where the text after the last mark begins, and whether an item begins there.
  let rest = start
  let isItem = true
  for (let at = start; at < end;) {
    const mark = listMarks[codeAt(text, at)]
    if (mark === undefined) {
      at++
      continue
    }
    // An item that begins with a quote has no text before it: that tells it from a quote inside a bare item.
    if (rest < at || (isItem && mark !== Quote)) tokens.push(token(Text, rest, at))
    rest = at + widthAt(text, at)
    tokens.push(token(mark, at, rest))
    at = rest
    isItem = mark === Comma
  }
  if (rest < end || isItem) tokens.push(token(Text, rest, end))
  return tokens
}
