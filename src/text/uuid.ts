/** Uuids as texts, for every backend. Imports nothing. */

/** 32 hexadecimal digits in five groups (RFC 9562, section 4), of any version. */
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** The lower case of a uuid; `undefined` for every other text. */
export const canonicalUuid = (text: string): string | undefined => (uuid.test(text) ? text.toLowerCase() : undefined)
