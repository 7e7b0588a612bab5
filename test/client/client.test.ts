/** The guide to front-ends: its component, drawn by React and driven by a click; and how large the import is. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { beforeAll, describe, expect, test } from 'vitest'
import { asserted, strictProject } from '../package/code.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const generated = join(import.meta.dirname, '.generated')
const guide = readFileSync(join(root, 'docs/guides/client.md'), 'utf8')
const blocks = Array.from(
  guide.matchAll(/^```(\w+)\n([^]*?)^```$|^<!-- check\n([^]*?)^-->$/gm),
  ([, language = 'check', code, check]) => ({ language, code: code ?? check! }),
)
const codeOf = (...languages: string[]) =>
  blocks
    .filter(({ language }) => languages.includes(language))
    .map(({ code }) => code)
    .join('\n')

describe('the component', () => {
  beforeAll(async () => {
    await rm(generated, { recursive: true, force: true })
    await mkdir(generated, { recursive: true })
  })

  test('compiles in a strict project', async () => {
    await writeFile(join(generated, 'component.tsx'), codeOf('ts', 'tsx'))
    const compilerOptions = {
      ...strictProject,
      ...{ module: 'preserve', jsx: 'react-jsx', lib: ['es2023', 'dom'], skipLibCheck: true },
    }
    await writeFile(join(generated, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['component.tsx'] }))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', generated]).catch((error: { stdout: string }) => error)
    expect(stdout).toBe('')
  })

  test('shows the first page, and asks for what is clicked', async () => {
    const program = `
      import assert from 'node:assert/strict'
      import { createElement } from 'react'
      import { renderToStaticMarkup } from 'react-dom/server'
      ${asserted(codeOf('ts', 'tsx', 'check'))}
      const first = await fetchOrders(queryOf({ ...state, columnFilters: [], pagination: { pageIndex: 0, pageSize: 2 } }))
      console.log(renderToStaticMarkup(createElement(OrderTable, { first })))

      // What a click on a header, on the filter and on "Next" does to the state, by TanStack's own functions.
      import { constructTable, functionalUpdate } from '@tanstack/react-table'
      import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings'
      let now = { sorting: [], columnFilters: [], pagination: { pageIndex: 0, pageSize: 2 } }
      const on = (slice) => (update) => { now = { ...now, [slice]: functionalUpdate(update, now[slice]) } }
      const click = (action) => {
        const table = constructTable({
          features: { ...features, coreReactivityFeature: storeReactivityBindings() }, columns, data: first.data, rowCount: 45,
          manualSorting: true, manualFiltering: true, manualPagination: true, state: now,
          onSortingChange: on('sorting'), onColumnFiltersChange: on('columnFilters'), onPaginationChange: on('pagination'),
        })
        action(table)
        console.log(queryString(queryOf(now)))
      }
      click((table) => table.getColumn('customerName').toggleSorting())
      click((table) => table.getColumn('customerName').toggleSorting())
      click((table) => table.getColumn('status').setFilterValue(['paid']))
      click((table) => table.nextPage())`
    const file = join(generated, 'program.mjs')
    await build({
      stdin: { contents: program, loader: 'tsx', resolveDir: import.meta.dirname },
      ...{ bundle: true, format: 'esm', platform: 'node', outfile: file, jsx: 'automatic', packages: 'external' },
    })
    const { stdout } = await run(process.execPath, [file])
    const [drawn, ...queries] = stdout.trim().split('\n')
    expect(drawn).toContain('<th><button>Arrival</button></th><th><button>Customer</button></th>')
    expect(drawn!.match(/<tbody>.*<\/tbody>/)![0]).toBe(
      '<tbody><tr><td>2024-06-17</td><td>Ana Ñáñez</td><td>new</td><td>440</td></tr>' +
        '<tr><td>2024-06-16</td><td>Jörg Weiß</td><td>held</td><td>430</td></tr></tbody>',
    )
    expect(queries).toEqual([
      'sort=customerName&limit=2&offset=0&count=true',
      'sort=-customerName&limit=2&offset=0&count=true',
      'status[in]=paid&sort=-customerName&limit=2&offset=0&count=true',
      'status[in]=paid&sort=-customerName&limit=2&offset=2&count=true',
    ])
  })
})

describe('what a front-end imports', () => {
  /** What the guide imports of `urlwhere/filter`: in the module of the collection, by its type alone, and with the schema. */
  const [module, byType, withSchema] = Array.from(
    codeOf('ts').matchAll(/^import \{([^}]*)\} from 'urlwhere\/filter'$/gm),
    ([, imported]) => imported!.split(',').filter((name) => !name.includes('type ')),
  ) as [string[], string[], string[]]

  test.each([
    ['by the type of the collection', byType, ['queryString'], 1_500, /performSelfAnalysis|defineSchema/],
    [
      'with the schema',
      [...module, ...withSchema],
      ['where', 'buildQuery', 'printQuery', 'defineCollection'],
      13_700,
      /performSelfAnalysis/,
    ],
  ])('%s: its size is as the guide says, and it has no parser', async (_, names, among, most, absent) => {
    expect(names.map((name) => name.trim())).toEqual(expect.arrayContaining(among))
    const { outputFiles } = await build({
      stdin: { contents: `export {${names.join(',')}} from 'urlwhere/filter'`, resolveDir: import.meta.dirname },
      ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' },
    })
    const size = gzipSync(outputFiles[0]!.contents, { level: 9 }).length
    expect(outputFiles[0]!.text).not.toMatch(absent)
    expect(size).toBeLessThan(most)
    const [, said] = new RegExp(`^\\| \`${among[0]}\`.*\\| about ([\\d.]+) kB`, 'm').exec(guide)!
    expect(said).toBe(Number((size / 1000).toPrecision(2)).toString())
  })
})
