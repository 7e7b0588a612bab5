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
