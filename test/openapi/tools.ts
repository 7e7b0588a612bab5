/** The linter, the generators of clients, the importer of Postman and the demo. The packages are in test/openapi/node_modules, once `npm --prefix test/openapi ci` has installed them. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const folder = join(import.meta.dirname, 'node_modules')
export const isInstalled = existsSync(join(folder, 'orval'))

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

/** Runs a command that a package installs. */
async function run(file: string, parameters: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [join(folder, file), ...parameters])
}

/** Writes the types of a client. */
export const generateTypes = (document: string, types: string): Promise<void> =>
  run('openapi-typescript/bin/cli.js', [document, '-o', types])

const orval = (client: 'fetch' | 'axios-functions') => async (place: string, address: string) => {
  const output = { target: './api.ts', client, ...(client === 'fetch' && { baseUrl: address }) }
  const config = { demo: { input: './openapi.json', output } }
  await writeFile(join(place, 'orval.config.js'), `export default ${JSON.stringify(config)}`)
  await run('orval/dist/bin/orval.mjs', ['--config', join(place, 'orval.config.js')])
}
/** Writes a client of the document in a folder: `api.ts`, or the folder `api`. */
export const generators = {
  'openapi-typescript': (place) => generateTypes(join(place, 'openapi.json'), join(place, 'api.ts')),
  '@hey-api/openapi-ts': (place) =>
    run('@hey-api/openapi-ts/bin/run.js', ['-i', join(place, 'openapi.json'), '-o', join(place, 'api'), '-s']),
  'orval with fetch': orval('fetch'),
  'orval with axios': orval('axios-functions'),
} satisfies Record<string, (place: string, address: string) => Promise<void>>
export type GeneratorName = keyof typeof generators

/** A row of the query of a request. */
export interface PostmanRow {
  readonly key: string
  readonly value: string
  readonly disabled: boolean
}
/** A request of a collection of Postman. */
export interface PostmanRequest {
  readonly name: string
  readonly method: string
  readonly url: { readonly path: readonly string[]; readonly query: readonly PostmanRow[] }
}
interface PostmanItem {
  readonly item?: readonly PostmanItem[]
  readonly request?: PostmanRequest
}
interface Converted {
  readonly result: boolean
  readonly reason?: string
  readonly output: readonly [{ readonly data: PostmanItem }]
}
interface Converter {
  convertV2(input: object, options: object, done: (error: Error | null, converted: Converted) => void): void
}

/** The requests that Postman makes of a document, with the settings of its import. */
export async function importByPostman(document: object, settings: object): Promise<readonly PostmanRequest[]> {
  const name = 'openapi-to-postmanv2'
  const { default: converter } = (await import(name)) as { default: Converter }
  const data = structuredClone(document)
  const { result, reason, output } = await promisify(converter.convertV2.bind(converter))(
    { type: 'json', data },
    settings,
  )
  if (!result) throw new Error(reason)
  const requestsIn = ({ item = [], request }: PostmanItem): readonly PostmanRequest[] =>
    request === undefined ? item.flatMap(requestsIn) : [request]
  return requestsIn(output[0].data)
}

/** The demo over memory, in a separate process. */
export interface Demo {
  readonly address: string
  readonly stop: () => void
}
export async function startDemo(): Promise<Demo> {
  const main = join(import.meta.dirname, '../../docs/demo/main.ts')
  const demo = spawn(process.execPath, [main], { env: { ...process.env, PORT: '0', STORE: 'memory' } })
  const [first] = (await once(demo.stdout, 'data')) as [Buffer]
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(first.toString())![0]
  return { address, stop: () => void demo.kill('SIGKILL') }
}
