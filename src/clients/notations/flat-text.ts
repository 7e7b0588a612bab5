/** Builds a text in the language of this library, and maps its spans to spans of the client's text. */
import type { Span } from '../../issue/index.ts'

/** A piece of the written text and its source. */
interface Piece {
  /** The offset in the written text. */
  readonly at: number
  readonly end: number
  /** The source in the client's text. */
  readonly span: Span
  /** Whether the piece copies the client's text character by character. */
  readonly isCopy: boolean
}

/** A text builder with a source map. */
export interface FlatText {
  /** Appends a text. `span` is its source in the client's text. */
  readonly put: (text: string, span?: Span) => void
  /** Appends a copy of a piece of the client's text. */
  readonly copy: (span: Span) => void
  readonly text: () => string
  /** Maps a span of the written text to its source in the client's text. */
  readonly origin: (span: Span) => Span
}

export function flatText(client: string): FlatText {
  const pieces: Piece[] = []
  let text = ''
  const add = (more: string, span: Span | undefined, isCopy: boolean) => {
    if (span !== undefined) pieces.push({ at: text.length, end: text.length + more.length, span, isCopy })
    text += more
  }
  return {
    put: (more, span) => add(more, span, false),
    copy: ({ start, end }) => add(client.slice(start, end), { start, end }, true),
    text: () => text,
    origin({ start, end }) {
      let from = Infinity
      let to = 0
      for (let at = firstAt(pieces, start); at < pieces.length && pieces[at]!.at <= end; at++) {
        const { at: begin, end: last, span, isCopy } = pieces[at]!
        const isTouched = start === end ? start <= last : begin < end && start < last
        if (!isTouched) continue
        const length = span.end - span.start
        const inside = (offset: number): number => span.start + Math.min(Math.max(offset - begin, 0), length)
        from = Math.min(from, isCopy ? inside(start) : span.start)
        to = Math.max(to, isCopy ? inside(end) : span.end)
        if (start === end) break
      }
      return from === Infinity ? { start: client.length, end: client.length } : { start: from, end: to }
    },
  }
}

/** Finds the last piece that begins at or before an offset. At equal offsets, prefers the empty piece. */
function firstAt(pieces: readonly Piece[], offset: number): number {
  let low = 0
  let high = pieces.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (pieces[middle]!.at <= offset) low = middle + 1
    else high = middle
  }
  let at = Math.max(low - 1, 0)
  while (at > 0 && pieces[at - 1]!.at === pieces[at]!.at) at--
  return at
}
