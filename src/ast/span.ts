/** Makes the spans of nodes. */
import { slotCache } from '../cache.ts'
import type { Span } from '../issue/index.ts'

/** Spans that were made before: to find one takes less time than to freeze one, and most conditions start at the same few offsets. */
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
