/** The code of docs/guides/sql-drivers.md, in a module of its own. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
export const page = await readFile(join(root, 'docs/guides/sql-drivers.md'), 'utf8')
const code = Array.from(page.matchAll(/^```ts\n([^]*?)^```$/gm), ([, block]) => block!).join('\n')
export const names = Array.from(code.matchAll(/^const (\w+)/gm), ([, name]) => name!)

/** @param folder gets the module: each test file, which has a process of its own, has its own module. */
export async function loadRecipes<Recipes>(folder: string): Promise<Recipes> {
  const inSource = (file: string) => JSON.stringify(join(root, 'src', file))
  const source = code
    .replace("'urlwhere/drizzle'", inSource('tools/drizzle/index.ts'))
    .replace("'urlwhere/http'", inSource('service/index.ts'))
  const generated = join(folder, '.generated')
  await mkdir(generated, { recursive: true })
  await writeFile(join(generated, 'recipes.ts'), `${source}\nexport { ${names.join(', ')} }\n`)
  return (await import(join(generated, 'recipes.ts'))) as Recipes
}
