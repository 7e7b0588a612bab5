/** Code of the docs, which tests compile and run. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'

const execute = promisify(execFile)

/** What a file of code prints, and the error that ends it. */
export interface Ran {
  readonly printed: string
  readonly error?: string
}

/** Runs files of code one after the other, in one process: PGlite alone takes it seconds to load. */
export async function runEach(files: readonly string[]): Promise<readonly Ran[]> {
  const { stdout } = await execute(process.execPath, [join(import.meta.dirname, 'run-each.ts'), ...files])
  return JSON.parse(stdout) as readonly Ran[]
}

const ofOthers = /[\\/]node_modules[\\/]/
const parsed = new Map<string, ts.SourceFile | undefined>()
/**
 * What TypeScript 6.0 has to say of files, and of the declarations of the package that they import. Those of others have faults
 * of their own. Programs with the same options share what they import.
 */
export function complaintsAbout(files: readonly string[], options: object): string {
  const { options: converted, errors } = ts.convertCompilerOptionsFromJson(options, process.cwd())
  const host = ts.createCompilerHost(converted)
  const { getSourceFile } = host
  host.getSourceFile = (name, how, ...rest) => {
    if (!ofOthers.test(name)) return getSourceFile(name, how, ...rest)
    const key = JSON.stringify([name, how, options])
    if (!parsed.has(key)) parsed.set(key, getSourceFile(name, how, ...rest))
    return parsed.get(key)
  }
  const program = ts.createProgram(files, converted, host)
  const own = program.getSourceFiles().filter(({ fileName }) => !ofOthers.test(fileName))
  const diagnostics = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ]
  return ts.formatDiagnostics(diagnostics, host)
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
