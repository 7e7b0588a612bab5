/** `npm start`: the demo, with `--examples` all its examples; with other arguments `urlwhere serve`, as the package has it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')
const command = join(root, 'dist/cli.js')

if ([undefined, '--examples'].includes(process.argv[2])) await import('./main.ts')
else {
  if (!existsSync(command)) {
    console.error('urlwhere: building the package once, which takes half a minute')
    spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  }
  // npm starts a script in the folder of its package. The paths of files are relative to the folder of the caller.
  process.chdir(process.env.INIT_CWD ?? process.cwd())
  process.argv.splice(2, 0, 'serve')
  await import(pathToFileURL(command).href)
}
