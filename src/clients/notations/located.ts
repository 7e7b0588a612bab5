/** Decoded pieces of a client's text with their offsets. */
import type { Span } from '../../issue/index.ts'
import type { Part, Source } from '../../asked/index.ts'

/** A decoded piece of a client's text with its span. */
export interface Token extends Part {
  /** Whether the value is `null` in JSON. */
  readonly isNull?: true
}

/** A decoded text, and the offset of each of its characters in the client's text. */
export interface Located {
  readonly text: string
  /** The last offset is the end of the text. */
  readonly offsets: readonly number[]
}

/** Decodes a piece without malformed escapes. */
export function locate(source: Source, { start, end }: Span): Located {
  const offsets: number[] = []
  let text = ''
  for (const { 0: piece, index } of source.text.slice(start, end).matchAll(/(?:%[\da-f]{2})+|[^%]+/gi)) {
    const isEscaped = piece.startsWith('%')
    const from = start + index
    let width = 0
    for (const character of isEscaped ? decodeURIComponent(piece) : piece) {
      const code = character.codePointAt(0)!
      for (let unit = 0; unit < character.length; unit++) offsets.push(from + width + (isEscaped ? 0 : unit))
      width += isEscaped ? 3 * (code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4) : character.length
      text += character === '+' && !isEscaped ? ' ' : character
    }
  }
  offsets.push(end)
  return { text, offsets }
}

export const cut = ({ text, offsets }: Located, from: number, to: number): Token => ({
  text: text.slice(from, to),
  start: offsets[from]!,
  end: offsets[to]!,
})
