/** Uuids as texts, for every backend. Imports nothing. */

/** 32 hexadecimal digits in five groups (RFC 9562, section 4), of any version. */
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i

/** The lower case of a uuid; `undefined` for every other text. */
export const canonicalUuid = (text: string): string | undefined => (uuid.test(text) ? text.toLowerCase() : undefined)

/** The text of a uuid's 16 bytes; `undefined` for any other number of bytes. */
export function uuidOfBytes(bytes: Uint8Array): string | undefined {
  if (bytes.length !== 16) return undefined
  return uuidOfDigits(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''))
}

/** The text of a uuid's 32 hexadecimal digits; `undefined` for every other text. */
export const uuidOfDigits = (digits: string): string | undefined =>
  /^[\da-f]{32}$/i.test(digits) ? digits.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') : undefined
