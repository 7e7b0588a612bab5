/** Changes pairs of a query string for the controls beside the text. */

const keyOf = (pair: string): string => {
  try {
    return decodeURIComponent(pair.split('=', 1)[0]!)
  } catch {
    return ''
  }
}

/**
 * Replaces pairs of a text, and removes the cursor, because the rows can change.
 *
 * @param isReplaced tells the keys of the pairs that the new one replaces.
 * @param pair the new pair. An empty text adds no pair.
 */
export function withPair(text: string, isReplaced: (key: string) => boolean, pair: string): string {
  const others = text
    .replace(/^\?/, '')
    .split('&')
    .filter((one) => one !== '' && keyOf(one) !== 'cursor' && !isReplaced(keyOf(one)))
  return [...others, ...(pair === '' ? [] : [pair])].join('&')
}

/** The text with another value of a parameter; without the parameter where the value is empty. */
export const withParameter = (text: string, name: string, value: string): string =>
  withPair(text, (key) => key === name, value === '' ? '' : `${name}=${encodeURIComponent(value)}`)

/** The value of a parameter in a text. */
export const parameterIn = (text: string, name: string): string => new URLSearchParams(text).get(name) ?? ''

/**
 * A text on one line, as browsers make it of an address, in which every character that changes the direction of text is
 * percent-encoded: it is in sight, and moves nothing.
 */
export const visible = (text: string): string =>
  text.replaceAll(/[\r\n]+/g, '').replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, encodeURIComponent)
