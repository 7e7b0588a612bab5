/** Changes pairs of a query string for the controls beside the text. */
import type { Collection } from '../../src/index.ts'

/** The name of a parameter of a query, which a collection may rename. */
export type ParameterName = Parameters<Collection['parameters']['get']>[0]

/** The name of a parameter in a text. */
export const nameIn = ({ parameters }: Collection, name: ParameterName): string => parameters.get(name) ?? name

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
export function withPair(
  collection: Collection,
  text: string,
  isReplaced: (key: string) => boolean,
  pair: string,
): string {
  const cursor = nameIn(collection, 'cursor')
  const others = text
    .replace(/^\?/, '')
    .split('&')
    .filter((one) => one !== '' && keyOf(one) !== cursor && !isReplaced(keyOf(one)))
  return [...others, ...(pair === '' ? [] : [pair])].join('&')
}

/** The text with another value of a parameter; without the parameter where the value is empty. */
export function withParameter(collection: Collection, text: string, parameter: ParameterName, value: string): string {
  const name = nameIn(collection, parameter)
  return withPair(collection, text, (key) => key === name, value === '' ? '' : `${name}=${encodeURIComponent(value)}`)
}

/** The value of a parameter in a text. */
export const parameterIn = (collection: Collection, text: string, parameter: ParameterName): string =>
  new URLSearchParams(text).get(nameIn(collection, parameter)) ?? ''

/** The query of a URL that somebody pastes: the text after its first `?`, without the fragment. */
export const queryOfUrl = (text: string): string | undefined => /^\s*https?:\/\/[^?#\s]*\?([^#\s]*)/.exec(text)?.[1]

/**
 * A text on one line, as browsers make it of an address, in which every character that changes the direction of text is
 * percent-encoded: it is in sight, and moves nothing.
 */
export const visible = (text: string): string =>
  text.replaceAll(/[\r\n]+/g, '').replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, encodeURIComponent)
