/** Code of the docs, which tests compile and run. */

/** Code whose comments are assertions: `x // => y` says that x is y, `x // throws Name: message` what x throws. */
export function asserted(code: string): string {
  return code
    .split('\n')
    .map((line) => {
      const [, lead, expression, sign, claim] = /^(\s*(?:if \([^)]*\) )?)(.*?) \/\/ (=>|throws) (.*)$/.exec(line) ?? []
      if (sign === '=>') return `${lead}assert.deepEqual(${expression}, ${claim})`
      if (sign === 'throws') {
        const [, name, message] = /^(\w+): (.*)$/.exec(claim!)!
        return `${lead}assert.throws(() => ${expression}, ${JSON.stringify({ name, message })})`
      }
      return line
    })
    .join('\n')
}

/** Code of files that import each other, without these imports: to be read as one module. */
export const inOneModule = (code: string): string => code.replace(/^import [^']* from '\.\/.*'\n/gm, '')

/** The options of a strict project of somebody who has the package. */
export const strictProject = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023'],
  types: ['node'],
  noEmit: true,
}
