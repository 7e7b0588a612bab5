/** Drizzle 1.0 and TypeScript 7.0, once `npm --prefix test/versions ci` has installed them. The project itself has older ones. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const compilerIn = (folder: string): string => join(folder, 'node_modules/typescript/bin/tsc')
const newer = compilerIn(import.meta.dirname)

export const isInstalled = existsSync(newer)

/** The compilers that check the types of the package. */
export const compilers: readonly (readonly [name: string, file: string])[] = [
  ['TypeScript 6.0', compilerIn(join(import.meta.dirname, '../..'))],
  ...(isInstalled ? [['TypeScript 7.0', newer] as const] : []),
]
