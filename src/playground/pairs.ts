/** Pairs of a query string, changed where something beside the text is chosen. */

const keyOf = (pair: string): string => {
  try {
    return decodeURIComponent(pair.split('=', 1)[0]!)
  } catch {
    return ''
  }
}

/**
 * The text with another pair in place of those with a key. Where the rows may change, their pages begin again.
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
