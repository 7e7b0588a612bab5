/**
 * `npm run schemathesis`: Schemathesis, a program in Python, makes requests out of the description, and looks for answers of the
 * demo that are not as described. SCHEMATHESIS is its command (`pip install schemathesis`), EXAMPLES how many random requests
 * it makes of each operation. The description is the demo's own, or one of the STYLE that is given.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openProgress } from '../progress.ts'
import { seed } from '../seed.ts'
import { documentOf } from './documents.ts'
import type { ParameterStyle } from '../../src/tools/openapi/index.ts'

const root = join(import.meta.dirname, '../..')

/** What Schemathesis prints, and whether it found nothing. */
export async function runSchemathesis(
  command: string,
  style: ParameterStyle | undefined,
  examples: number,
): Promise<{ readonly found: boolean; readonly output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'urlwhere-'))
  const demo = spawn(process.execPath, [join(root, 'docs/demo/main.ts')], {
    env: { ...process.env, PORT: '0', STORE: 'memory' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const [first] = (await once(demo.stdout, 'data')) as [Buffer]
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(first.toString())![0]
    // 3.2: earlier versions have no method QUERY, which the demo takes and names in `Allow`.
    const description = style === undefined ? `${address}/openapi.json?apiKey=office-key` : join(folder, 'openapi.json')
    if (style !== undefined) {
      const { components, ...document } = documentOf({ version: '3.2', style })
      // The configuration names both schemes: it warns of one that the document lacks.
      const securitySchemes = { ...components.securitySchemes, basic: { type: 'http', scheme: 'basic' } }
      await writeFile(description, JSON.stringify({ ...document, components: { ...components, securitySchemes } }))
    }
    const child = spawn(
      command,
      [
        ...['--config-file', join(import.meta.dirname, 'schemathesis.toml')],
        ...['run', description, '--url', address],
        ...['--checks', 'all', '--phases', 'examples,coverage,fuzzing,stateful', '--continue-on-failure'],
        ...['--max-examples', String(examples), '--seed', String(seed), '--no-color'],
      ],
      {
        cwd: folder,
        env: {
          ...process.env,
          SCHEMATHESIS_HOOKS: 'hooks',
          PYTHONPATH: import.meta.dirname,
          PYTHONDONTWRITEBYTECODE: '1',
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
    const progress = openProgress()
    // Schemathesis names its phase in the last line that it has printed.
    const lastLine = () => output.trimEnd().split('\n').at(-1)!.trim()
    const ticking = setInterval(() => progress.tell(`schemathesis, ${lastLine()}`), 1_000)
    const [code] = (await once(child, 'close')) as [number | null]
    clearInterval(ticking)
    progress.clear()
    return { found: code !== 0, output }
  } finally {
    demo.kill()
    await rm(folder, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const { SCHEMATHESIS = 'schemathesis', STYLE, EXAMPLES = '50' } = process.env
  const { found, output } = await runSchemathesis(SCHEMATHESIS, STYLE as ParameterStyle | undefined, Number(EXAMPLES))
  console.log(output)
  process.exitCode = found ? 1 : 0
}
