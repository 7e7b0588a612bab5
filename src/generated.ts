/** Makes functions out of generated text, where the process allows it. Imports nothing. */

let isForbidden = false

/** Whether the process has refused generated code. */
export const isGenerationForbidden = (): boolean => isForbidden

/**
 * Calls a function of generated text. The text contains no operand of a filter.
 *
 * @param constants the variables of the text, by name.
 * @returns the result of the text; `undefined` where the process forbids generated code.
 */
export function generated(constants: Readonly<Record<string, unknown>>, text: string): unknown {
  if (isForbidden) return undefined
  try {
    return new Function(...Object.keys(constants), `'use strict'\n${text}`)(...Object.values(constants)) as unknown
  } catch (error) {
    // A Content Security Policy, or node --disallow-code-generation-from-strings.
    if (!(error instanceof EvalError)) throw error
    isForbidden = true
    return undefined
  }
}
