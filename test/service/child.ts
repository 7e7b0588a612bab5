/** The reference service as a process of its own, and what is measured of it: its memory, what it prints, how it ends. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const main = join(import.meta.dirname, '../../docs/demo/main.ts')
const probe = join(import.meta.dirname, 'probe.ts')

export interface Child {
  readonly port: number
  /** Settles when it has ended. */
  readonly gone: Promise<unknown>
  /** Its samples of its memory so far. */
  readonly samples: readonly NodeJS.MemoryUsage[]
  readonly sample: () => void
  readonly linesOfErrors: () => number
  /** Ends it, and returns what was wrong with it and with its end. */
  readonly stop: () => Promise<string[]>
}

/**
 * @param store what STORE is to be.
 * @param folder where it makes its temporary folder.
 * @param mayFail whether its store fails, for which it prints a line.
 */
export async function startChild(
  store: string,
  folder: string,
  mayFail: boolean,
  preload: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Child> {
  const child = fork(main, {
    execArgv: [probe, ...preload].flatMap((file) => ['--import', file]),
    env: { ...process.env, ...env, TMPDIR: folder, PORT: '0', STORE: store },
    silent: true,
  })
  let [out, err] = ['', '']
  child.stdout!.on('data', (text: Buffer) => (out += text.toString()))
  child.stderr!.on('data', (text: Buffer) => (err += text.toString()))
  const gone = once(child, 'close').then(() => 'gone')
  // The last lines of its start-up text.
  while (!/^urlwhere demo: .*\n/m.test(out)) {
    if ((await Promise.race([gone, once(child.stdout!, 'data')])) === 'gone') throw new Error(`no service: ${err}`)
  }
  const start = out.length
  const samples: NodeJS.MemoryUsage[] = []
  child.on('message', (usage: NodeJS.MemoryUsage) => samples.push(usage))

  return {
    port: Number(/^urlwhere demo: http:\/\/127\.0\.0\.1:(\d+)$/m.exec(out)![1]),
    gone,
    samples,
    // A service that ends at this moment closes the channel (EPIPE): `stop` judges how it ended.
    sample: () => child.connected && child.send('memory', () => undefined),
    linesOfErrors: () => err.split('\n').length - 1,
    stop: async () => {
      const faults: string[] = []
      if (child.exitCode !== null || child.signalCode !== null) faults.push('the service ended by itself')
      else {
        child.kill('SIGTERM')
        if ((await Promise.race([gone, sleep(15_000, 'late', { ref: false })])) === 'late') {
          faults.push('the service did not end')
          child.kill('SIGKILL')
          await gone
        }
      }
      if (child.exitCode !== 0) faults.push(`the service ended with ${child.exitCode ?? child.signalCode}`)
      const left = readdirSync(folder).filter((name) => name.startsWith('urlwhere-demo-'))
      if (left.length > 0) faults.push('the service left its folder')

      // Of a store that fails, the name of the error.
      const expected = mayFail ? /^(?:urlwhere demo: \w+)?$/ : /^$/
      const lines = [...out.slice(start).split('\n'), ...err.split('\n').filter((line) => !expected.test(line))]
      const strange = new Set(lines.filter((line) => line !== ''))
      return [...faults, ...Array.from(strange, (line) => `the service printed: ${line}`).slice(0, 10)]
    },
  }
}
