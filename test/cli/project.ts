/** Creates a project with the package and some drivers, and runs the command line in it. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'

export const root = join(import.meta.dirname, '../..')
export const command = join(root, 'dist/cli.js')

export interface Exit {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}
export interface Project {
  readonly folder: string
  readonly start: (args: readonly string[], env?: Readonly<Record<string, string>>) => ChildProcess
  readonly urlwhere: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Exit>
  readonly remove: () => void
}

/** The environment of this process without the variables that the command reads. */
const { DATABASE_URL: _, NO_COLOR: __, FORCE_COLOR: ___, NODE_OPTIONS: ____, ...environment } = process.env

export const exitOf = async (child: ChildProcess): Promise<Exit> => {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  return { code, stdout, stderr }
}

export function newProject(files: Readonly<Record<string, string>>, packages: readonly string[] = []): Project {
  const folder = mkdtempSync(join(tmpdir(), 'urlwhere-cli-'))
  const link = (name: string, target: string): void => {
    const place = join(folder, 'node_modules', name)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(target, place)
  }
  link('urlwhere', root)
  for (const name of packages) link(name, join(root, 'node_modules', name))
  writeFileSync(join(folder, 'package.json'), '{ "name": "project", "type": "module" }')
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const start: Project['start'] = (args, env = {}) =>
    spawn(process.execPath, [command, ...args], { cwd: folder, env: { ...environment, ...env } })
  return {
    folder,
    start,
    urlwhere: (args, env) => exitOf(start(args, env)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
