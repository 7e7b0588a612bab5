/** The sizes of programs in docs/reference/imports.md: each is a bound that the program nearly fills. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/reference/imports.md'), 'utf8')
const rows = Array.from(
  page.matchAll(/^\| ([^|]+?) +\| ((?:`[\w/]+`: [^|]+?;? ?)+?) +\| +([\d.]+) \|$/gm),
  ([, program, imports, size]) => ({
    program: program!,
    imports: imports!,
    size: Number(size),
  }),
)

test('the page has a size for each way in', () => expect(rows).toHaveLength(9))

test.each(rows)('$program: $size kB', async ({ imports, size }) => {
  const contents = Array.from(
    imports.matchAll(/`([\w/]+)`: ([^;]+)/g),
    ([, from, names]) => `export { ${names!.replaceAll('`', '')} } from '${from}'\n`,
  ).join('')
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
  })
  const bytes = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
  expect(bytes).toBeLessThanOrEqual(size * 1000)
  // A bound far above the size would hide what comes next.
  expect(bytes).toBeGreaterThan(size * 1000 - 1500)
})
