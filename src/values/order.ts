/** The order of texts, for every backend. Imports nothing. */

/**
 * Compares two texts by Unicode code point. JavaScript's `<` compares UTF-16 units instead, so it puts U+10000 and beyond,
 * which are surrogates (D800–DFFF), before U+E000–U+FFFF.
 *
 * @returns a negative number, zero or a positive number.
 */
export function compareCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left !== right) {
      const leftAstral = left >= 0xd800 && left <= 0xdfff
      const rightAstral = right >= 0xd800 && right <= 0xdfff
      return leftAstral === rightAstral ? left - right : leftAstral ? 1 : -1
    }
  }
  return a.length - b.length
}

/**
 * Returns the first text, by code point, after all texts with a prefix; `undefined` if no text follows them. With it, a search for a
 * prefix is a range, for an index.
 *
 * @example afterPrefix('jo') // => 'jp'
 */
export function afterPrefix(prefix: string): string | undefined {
  const unit = prefix.charCodeAt(prefix.length - 1)
  if (unit < 0xd7ff) return prefix.slice(0, -1) + String.fromCharCode(unit + 1)
  const points = Array.from(prefix, (character) => character.codePointAt(0)!)
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    // Surrogates are not characters.
    if (last < 0x10ffff) return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
  }
  return undefined
}
