/** Code of the docs, which tests compile and run. */
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { byCompleteness } from '../effort.ts'

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

const root = join(import.meta.dirname, '../..')

const compilerIn = (folder: string) => join(root, 'node_modules', folder, 'bin/tsc')
const fast = { name: 'TypeScript 7.0', file: compilerIn('typescript-7') }
/** The compilers of adopters. A quick run has the one that takes a tenth of the time. */
export const compilers = byCompleteness([fast, { name: 'TypeScript 6.0', file: compilerIn('typescript') }], [fast])

/** The errors that a compiler reports of a project, but those of other packages' declarations. */
export async function complaintsAboutProject(project: string, compiler: string): Promise<string> {
  const options = ['-p', project, '--pretty', 'false']
  const { stdout } = await execute(process.execPath, [compiler, ...options], { cwd: root, maxBuffer: 2 ** 26 }).catch(
    (error: { readonly stdout: string }) => {
      // A compiler that reports nothing did not run.
      if (error.stdout === '') throw error
      return error
    },
  )
  return stdout.replace(/^\S*node_modules\/(?!urlwhere\/).*\n(?: .*\n)*/gm, '')
}

/** The errors that the compilers report of files in one folder, and of the declarations of the package that they import. */
export async function complaintsAbout(files: readonly string[], compilerOptions: object): Promise<string> {
  const project = join(dirname(files[0]!), `tsconfig.${randomUUID()}.json`)
  await writeFile(project, JSON.stringify({ compilerOptions, files }))
  let complaints = ''
  for (const { file } of compilers) complaints += await complaintsAboutProject(project, file)
  await rm(project)
  return complaints
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
