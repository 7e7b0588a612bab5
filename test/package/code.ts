/** Code of the docs, which tests compile and run. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a file of code, and returns the text that it prints. */
export async function printedBy(file: string): Promise<string> {
  const preload = join(import.meta.dirname, 'preload.ts')
  const hasPglite = (await readFile(file, 'utf8')).includes('PGlite.create(')
  const { stdout } = await execute(process.execPath, [...(hasPglite ? ['--import', preload] : []), file])
  return stdout
}

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
