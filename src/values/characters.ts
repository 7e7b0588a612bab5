/** The characters of texts: which ones every database stores, and patterns that match them. Imports nothing. */

/** Whether every database can store a text: it has no lone surrogate, and no U+0000, which PostgreSQL refuses. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

/** A regular expression with classes of Unicode, made at its first use: the engine compiles a literal at start, and these compile slowly. */
/* @__NO_SIDE_EFFECTS__ */ export function unicodePattern(source: string, flags = ''): () => RegExp {
  let pattern: RegExp | undefined
  return () => (pattern ??= new RegExp(source, `${flags}u`))
}

/** A regular expression that matches exactly a text, in ECMAScript without flags and in PCRE2. */
export const escapePattern = (text: string): string =>
  text.replace(/[\\^$.*+?()[\]{}|\n]/g, (mark) => (mark === '\n' ? '\\n' : `\\${mark}`))
