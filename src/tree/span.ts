/** The spans of nodes. */
import { slotCache } from '../cache.ts'
import type { Span } from '../issue/index.ts'
import { constantOf, isObject, readPart, refuse, type Read } from './read.ts'

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const readOffset: Read<unknown> = (value) => value
export const readSpan: Read<Span | undefined> = (given, reading) => {
  if (given === undefined) return undefined
  const start = isObject(given) ? readPart(readOffset, given, 'start', reading) : undefined
  const end = isObject(given) ? readPart(readOffset, given, 'end', reading) : undefined
  return isOffset(start) && isOffset(end) && start <= end
    ? constantOf(given!, newSpan(start, end))
    : refuse(reading, 'must be the start and the end of a piece of text')
}

/** Spans of earlier queries, for speed alone: most conditions start at the same few offsets. */
const spans = /* @__PURE__ */ slotCache<Span>(4096)
/** Two offsets below this make one small integer. */
const longest = 0x8000

/** A frozen span, which may be shared. */
export function newSpan(start: number, end: number): Span {
  if (end >= longest) return Object.freeze({ start, end })
  const place = start * longest + end
  const known = spans.get(place)
  if (known !== undefined) return known
  const span = Object.freeze({ start, end })
  spans.set(place, span)
  return span
}
