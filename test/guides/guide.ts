/** Guides whose packages are installed apart from the project's own: `npm --prefix test/guides ci`. */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { isComplete } from '../effort.ts'
import { asserted, complaintsAbout, strictProject } from '../package/code.ts'

const folder = import.meta.dirname
export const isInstalled = existsSync(join(folder, 'node_modules/typeorm'))

export const expectInstalled = (): void =>
  test('the packages of the guides are installed', ({ skip }) => {
    if (isInstalled) return
    expect(isComplete, 'npm --prefix test/guides ci').toBe(false)
    skip('Nothing was asked of the packages: npm --prefix test/guides ci installs them')
  })

/** Writes the code of a guide as a module, with its comments as assertions, and expects that it compiles. */
export async function loadGuide<Guide = unknown>(name: string): Promise<Guide> {
  const page = await readFile(join(folder, `../../docs/guides/${name}.md`), 'utf8')
  const code = Array.from(page.matchAll(/^```typescript\n([^]*?)^```$/gm), ([, block]) => block!).join('\n')
  const generated = join(folder, '.generated', name)
  await rm(generated, { recursive: true, force: true })
  await mkdir(join(generated, 'node_modules'), { recursive: true })
  await symlink(join(folder, '../..'), join(generated, 'node_modules/urlwhere'))
  const module = join(generated, 'guide.ts')
  await writeFile(module, `import assert from 'node:assert/strict'\n${asserted(code)}\nexport {}\n`)
  expect(await complaintsAbout([module], { ...strictProject, skipLibCheck: true })).toBe('')
  return (await import(pathToFileURL(module).href)) as Guide
}
