/** Starts `urlwhere serve` in a project, and stops it. */
import type { ChildProcess } from 'node:child_process'
import { exitOf, type Exit, type Project } from './project.ts'

export interface Serving {
  /** The address, with a slash at its end. */
  readonly address: string
  /** The lines before the address. */
  readonly report: string
  /** Sends a signal, and waits for the end. */
  readonly stop: (signal?: 'SIGINT' | 'SIGTERM') => Promise<Exit>
}

/** Starts the command of the package. */
export const serve = (project: Project, args: readonly string[], env?: Readonly<Record<string, string>>) =>
  servingBy(project.start(['serve', ...args, '--port', '0'], env))

/** @throws Error with the output of a process that ends before it prints its address. */
export async function servingBy(child: ChildProcess): Promise<Serving> {
  const ended = exitOf(child)
  let printed = ''
  const started = new Promise<RegExpExecArray>((resolve) => {
    child.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const match = /^([^]*\n)(http:\/\/127\.0\.0\.1:\d+\/)\n$/.exec(printed)
      if (match !== null) resolve(match)
    })
  })
  const [, report, address] = await Promise.race([
    started,
    ended.then(({ stderr }): never => {
      throw new Error(stderr)
    }),
  ])
  return {
    address: address!,
    report: report!,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    },
  }
}
