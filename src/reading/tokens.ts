/** Cuts the text into tokens. The grammar knows in which order they may come. */
import { createToken, Lexer, type IToken, type TokenType } from 'chevrotain'
import type { Span } from '../issue/index.ts'
import { codeAt, percent, widthAt } from '../asked/index.ts'

// No patterns: Chevrotain's lexer skips what it does not know, and is slower than all of a parse.
const tokenType = (name: string): TokenType => createToken({ name, pattern: Lexer.NA })

/** Names and the dots between them. Every key begins with one, an empty one if need be. */
export const Path = tokenType('Path')
/** `[`, a name and its `]`. */
export const Operator = tokenType('Operator')
/** A `[` without its `]`. */
export const Open = tokenType('Open')
/** A `]` without its `[`. */
export const Close = tokenType('Close')

/** The separator of items: a comma, or the space between words. */
export const Comma = tokenType('Comma')
export const Quote = tokenType('Quote')
export const Backslash = tokenType('Backslash')
/** The text between the marks of a list. An empty item is an empty one. */
export const Text = tokenType('Text')

/** The `=` of a condition in a group. */
export const Equals = tokenType('Equals')
/** The `(` of a group. */
export const GroupOpen = tokenType('GroupOpen')
/** The `(` of a list in a group. */
export const ListOpen = tokenType('ListOpen')
/** The `)` of a group, or of a list in one. */
export const Closing = tokenType('Closing')
/** A group that is nested too deep, with all that is in it. */
export const TooDeep = tokenType('TooDeep')
/** Text that has no place in a group: after a `)`, or instead of a `(`. */
export const Rest = tokenType('Rest')

export const vocabulary = [
  ...[Path, Operator, Open, Close],
  ...[Comma, Quote, Backslash, Text],
  ...[Equals, GroupOpen, ListOpen, Closing, TooDeep, Rest],
]

/**
 * A token spans from `startOffset` to `endOffset`. The span of its content, from `start` to `end`, leaves out its
 * brackets or its `=`.
 */
export interface Token extends IToken, Span {
  readonly endOffset: number
  /** Its content, decoded where it is a name of a valid key. */
  text: string
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
  return {
    image: '',
    startOffset,
    endOffset,
    tokenType,
    tokenTypeIdx,
    start,
    end,
    text: '',
    names: 0,
    missing: undefined,
  }
}

function pathToken(start: number, end: number, names: number, missing: number | undefined): Token {
  const tokenTypeIdx = Path.tokenTypeIdx!
  return {
    image: '',
    startOffset: start,
    endOffset: end,
    tokenType: Path,
    tokenTypeIdx,
    start,
    end,
    text: '',
    names,
    missing,
  }
}

const dot = 0x2e
const open = 0x5b
const close = 0x5d
const comma = 0x2c

/** The tokens of a key, each of which begins where the one before it ends: a path and its brackets, and whatever follows them. */
export function scanKey(text: string, start: number, end: number): Token[] {
  const tokens: Token[] = []
  let at = scanPath(text, start, end, tokens)
  while (at < end) {
    const mark = codeAt(text, at)
    if (mark === open) at = scanBrackets(text, at, end, tokens)
    else if (mark === close) {
      const after = at + widthAt(text, at)
      tokens.push(token(Close, at, after))
      at = after
    } else at = scanPath(text, at, end, tokens)
  }
  return tokens
}

// These two push what they find at an offset, and return where it ends.

function scanPath(text: string, start: number, end: number, tokens: Token[]): number {
  let names = 1
  let missing: number | undefined
  let name = start
  let at = nextMark(text, start, end)
  for (; at < end && codeAt(text, at) === dot; at = nextMark(text, name, end)) {
    if (at === name) missing ??= at
    name = at + widthAt(text, at)
    names++
  }
  if (at === name) missing ??= at
  tokens.push(pathToken(start, at, names, missing))
  return at
}

function scanBrackets(text: string, start: number, end: number, tokens: Token[]): number {
  const inside = start + widthAt(text, start)
  let at = nextMark(text, inside, end)
  while (at < end && codeAt(text, at) === dot) at = nextMark(text, at + 1, end)
  if (at === end || codeAt(text, at) !== close) {
    tokens.push(token(Open, start, inside, inside, inside))
    return inside
  }
  const after = at + widthAt(text, at)
  tokens.push(token(Operator, start, after, inside, at))
  return after
}

/** Where the next mark of a key is, raw or encoded, at an offset or after it: the end when there is none. */
function nextMark(text: string, start: number, end: number): number {
  let at = start
  for (; at < end; at++) {
    const raw = text.charCodeAt(at)
    // Every mark comes before the small letters, of which most keys are made.
    if (raw > close) continue
    if (raw === dot || raw === open || raw === close) return at
    if (raw !== percent) continue
    const escaped = codeAt(text, at)
    if (escaped === dot || escaped === open || escaped === close) return at
  }
  return at
}

/** By character code: the tokens that are marks of an item. */
const itemMarks: (TokenType | undefined)[] = new Array<undefined>(128).fill(undefined)
itemMarks[0x22] = Quote
itemMarks[0x5c] = Backslash

/** Returns the length of the separator at an offset, raw or encoded, and 0 without a separator. */
type Separator = (text: string, at: number) => number

const commaAt: Separator = (text, at) => (codeAt(text, at) === comma ? widthAt(text, at) : 0)

/** The characters of Unicode that are spaces (White_Space). */
const spaces =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
let space: RegExp | undefined
const spaceAt: Separator = (text, at) => {
  space ??= new RegExp(['\\+', ...Array.from(spaces, (one) => `${one}|${encodeURIComponent(one)}`)].join('|'), 'iy')
  space.lastIndex = at
  return space.test(text) ? space.lastIndex - at : 0
}

/** The tokens of a value that is read as a list. */
export const scanList = (text: string, start: number, end: number): Token[] => scanItems(text, start, end, commaAt)

/** The tokens of words: those of a list, with spaces in place of commas. */
export const scanWords = (text: string, start: number, end: number): Token[] => scanItems(text, start, end, spaceAt)

function scanItems(text: string, start: number, end: number, separatorAt: Separator): Token[] {
  const tokens: Token[] = []
  // Where the text after the last mark begins, and whether an item begins there.
  let rest = start
  let isItem = true
  for (let at = start; at < end;) {
    const width = separatorAt(text, at)
    const mark = width > 0 ? Comma : itemMarks[codeAt(text, at)]
    if (mark === undefined) {
      at++
      continue
    }
    // An item that begins with a quote has no text before it: that distinguishes it from a quote inside a bare item.
    if (rest < at || (isItem && mark !== Quote)) tokens.push(token(Text, rest, at))
    rest = at + (width > 0 ? width : widthAt(text, at))
    tokens.push(token(mark, at, rest))
    at = rest
    isItem = mark === Comma
  }
  if (rest < end || isItem) tokens.push(token(Text, rest, end))
  return tokens
}

// --- Groups

const equals = 0x3d
const groupOpen = 0x28
const groupClose = 0x29
const quote = 0x22
const backslash = 0x5c

/** The marks that end a key in a group, those that end an item or a member, and those inside quotes. */
const keyEnds: readonly number[] = [equals, groupOpen, groupClose, comma]
const itemEnds: readonly number[] = [groupClose, comma]
const quoteMarks: readonly number[] = [quote, backslash]

/** Where the next of some marks is, raw or encoded, at an offset or after it; the end when there is none. */
function nextOf(marks: readonly number[], text: string, start: number, end: number): number {
  let at = start
  while (at < end && !marks.includes(codeAt(text, at))) at++
  return at
}

/** The tokens of a group's value. A group nested too deep becomes one token, because the parser of the tokens recurses. */
export function scanGroup(text: string, start: number, end: number, deepest: number): Token[] {
  const tokens: Token[] = []
  let at = start
  let depth = 0
  /** Where a group begins that is nested too deep, and how many tokens come before it. */
  let deep: { readonly start: number; readonly before: number } | undefined
  // The end is at an "&", or that of the text: no mark.
  const isAt = (mark: number): boolean => codeAt(text, at) === mark
  const push = (type: TokenType, to: number): void => {
    tokens.push(token(type, at, to))
    at = to
  }
  const pushMark = (type: TokenType): void => push(type, at + widthAt(text, at))
  const openGroup = (): void => {
    if (++depth > deepest) deep ??= { start: at, before: tokens.length }
    pushMark(GroupOpen)
  }
  const endDeep = (): void => {
    if (deep === undefined || depth > deepest) return
    tokens.length = deep.before
    tokens.push(token(TooDeep, deep.start, at))
    deep = undefined
  }

  const scanItem = (): void => {
    if (!isAt(quote)) return push(Text, nextOf(itemEnds, text, at, end))
    pushMark(Quote)
    for (let isOpen = true; isOpen;) {
      const mark = nextOf(quoteMarks, text, at, end)
      if (mark > at) push(Text, mark)
      isOpen = isAt(backslash)
      if (isOpen) {
        pushMark(Backslash)
        if (isAt(quote)) pushMark(Quote)
        else if (isAt(backslash)) pushMark(Backslash)
      } else if (isAt(quote)) pushMark(Quote)
    }
    const after = nextOf(itemEnds, text, at, end)
    if (after > at) push(Text, after)
  }
  const scanOperand = (): void => {
    if (!isAt(groupOpen)) return scanItem()
    pushMark(ListOpen)
    scanItem()
    while (isAt(comma)) {
      pushMark(Comma)
      scanItem()
    }
    if (isAt(groupClose)) pushMark(Closing)
  }
  /** @returns whether a group began, in which the next member begins. */
  const scanMember = (): boolean => {
    const endOfKey = nextOf(keyEnds, text, at, end)
    const key = scanKey(text, at, endOfKey)
    for (const one of key) tokens.push(one)
    at = endOfKey
    const isKeyed = isAt(equals)
    if (isKeyed) pushMark(Equals)
    if (isKeyed || (isAt(groupOpen) && key.length > 1)) scanOperand()
    else if (isAt(groupOpen)) {
      openGroup()
      return true
    }
    return false
  }

  if (!isAt(groupOpen)) {
    push(Rest, end)
    return tokens
  }
  openGroup()
  while (depth > 0) {
    if (scanMember()) continue
    // After a member: the comma before the next one, or the ends of groups.
    for (let isNext = false; depth > 0 && !isNext;) {
      const mark = nextOf(itemEnds, text, at, end)
      if (mark > at) push(Rest, mark)
      if (at === end) depth = 0
      else if (isAt(comma)) {
        pushMark(Comma)
        isNext = true
      } else {
        pushMark(Closing)
        depth--
        endDeep()
      }
    }
  }
  endDeep()
  if (at < end) push(Rest, end)
  return tokens
}
