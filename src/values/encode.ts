/** How keys and operands are written in a query string. */

/** The characters that stay readable in a query: encodeURIComponent spares `A–Z a–z 0–9 - _ . ! ~ * ' ( )`. */
const readable: Readonly<Record<string, string>> = { '%20': '+', '%2C': ',', '%2F': '/', '%3A': ':', '%40': '@' }
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:20|2C|2F|3A|40)/g, (escape) => readable[escape]!)

/** A path with an operator in brackets or without one, or the name of a parameter. No name has a bracket in it. */
export const encodeKey = (key: string): string => encodeURIComponent(key).replace(/%5[BD]/g, decodeURIComponent)

export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

/** An item of a list: quoted where a bare one would be cut, be read as a quoted one, or be empty. */
export const itemText = (text: string): string =>
  text === '' || text.startsWith('"') || text.includes(',') ? quoted(text) : text

/** A list, as `in`, `range`, `sort` and `fields` accept it. */
export const encodeItems = (texts: readonly string[]): string => texts.map((text) => encode(itemText(text))).join(',')
