/** Drizzle 1.0 and TypeScript 7.0, once `npm --prefix test/versions ci` has installed them. The project itself has older ones. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const compilerIn = (folder: string): string => join(folder, 'node_modules/typescript/bin/tsc')
const compiler = compilerIn(import.meta.dirname)

export const isInstalled = existsSync(compiler)

type Compiler = readonly [name: string, file: string]
/** Compilers that are not the one of the project. */
export const newer: readonly Compiler[] = isInstalled ? [['TypeScript 7.0', compiler]] : []

/** The compilers that check the types of the package. */
export const compilers: readonly Compiler[] = [
  ['TypeScript 6.0', compilerIn(join(import.meta.dirname, '../..'))],
  ...newer,
]
