/** The linter and the generator of clients: in test/openapi/node_modules, once `npm --prefix test/openapi ci` has installed them. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const folder = join(import.meta.dirname, 'node_modules')
export const isInstalled = existsSync(join(folder, 'openapi-typescript'))

interface Problem {
  readonly ruleId: string
  readonly message: string
  readonly location: readonly { readonly pointer?: string }[]
}
interface Redocly {
  createConfig(config: object): Promise<object>
  lintFromString(options: object): Promise<readonly Problem[]>
}

/** What Redocly has to say of a document, by all of its recommended rules. */
export async function lint(document: object): Promise<readonly string[]> {
  const name = '@redocly/openapi-core'
  const { createConfig, lintFromString } = (await import(name)) as Redocly
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: join(folder, 'document.json'),
    config: await createConfig({ extends: ['recommended-strict'] }),
  })
  return problems.map(({ ruleId, message, location: [at] }) => `${ruleId}: ${message} ${at?.pointer}`)
}

/** Writes the types of a client. */
export async function generateTypes(document: string, types: string): Promise<void> {
  const generator = join(folder, 'openapi-typescript/bin/cli.js')
  await promisify(execFile)(process.execPath, [generator, document, '-o', types])
}
