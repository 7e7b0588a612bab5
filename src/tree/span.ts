/** The spans of nodes. */
import { slotCache } from '../cache.ts'
import type { Span } from '../issue/index.ts'
import { constantOf, isObject, readPart, refuse, type Read } from './read.ts'

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0
const readOffset: Read<unknown> = (value) => value
export const readSpan: Read<Span | undefined> = (value, reading) => {
  if (value === undefined) return undefined
  const start = isObject(value) ? readPart(readOffset, value, 'start', reading) : undefined
  const end = isObject(value) ? readPart(readOffset, value, 'end', reading) : undefined
  return isOffset(start) && isOffset(end) && start <= end
    ? constantOf(value!, newSpan(start, end))
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
  const before = spans.get(place)
  if (before !== undefined) return before
  const span = Object.freeze({ start, end })
  spans.set(place, span)
  return span
}
