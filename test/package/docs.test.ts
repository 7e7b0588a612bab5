/**
 * The docs do what they say: their code is type-checked and run against the built package, their pictures,
 * tables and commands are compared with the real ones. `UPDATE=1` writes the tables anew.
 *
 * In code, `x // => y` says that x is y, `x // throws Name: message` what x throws. The mark `<!-- check -->` is the place of the
 * next block of test/package/checks, which runs and is not shown.
 */
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultLimits, defineCollection, formatIssue, issueCodes, parseFilter, parseQuery } from '../../src/index.ts'
import type { CollectionOptions, Limits, NarrowOptions } from '../../src/index.ts'
import { operators } from '../../src/tree.ts'
import { operatorNamed } from '../../src/language/operators.ts'
import {
  problemCodes,
  type FoundRows,
  type KeysAndBasicOptions,
  type EndpointOptions,
  type ListServiceOptions,
  type Observed,
  type RowsContext,
} from '../../src/service/index.ts'
import type { JsonSchemaOptions } from '../../src/tools/json-schema/index.ts'
import type { MongoOptions } from '../../src/backends/mongo/index.ts'
import type { SqlOptions } from '../../src/backends/sql/index.ts'
import { pagesIn } from '../../docs/site/pages.ts'
import { issuesIn } from '../issues.ts'
import { orders } from '../orders.ts'
import { spellings } from '../hints/spellings.ts'
import { asserted, complaintsAbout, inOneModule, runEach, strictProject, type Ran } from './code.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; exports: object }
const generated = join(import.meta.dirname, '.generated')
const pages = ['README.md', 'CHANGELOG.md', ...pagesIn(join(root, 'docs')).map((name) => `docs/${name}`)]
/** The reference of the imports, whose examples reference.test.ts runs. */
const isGenerated = (page: string) => /^docs\/reference\/(?:urlwhere|README)/.test(page)
const textOf = (page: string) => readFileSync(join(root, page), 'utf8')

interface Block {
  readonly language: string
  readonly code: string
}
const fileOf = (page: string) => page.replaceAll('/', '-').replace(/\.md$/, '')
/** The fenced blocks of a text, and its marks of checks, in order. */
const fenced = (text: string): Block[] =>
  Array.from(
    text.matchAll(/^(`{3,})(\w+)\n([\s\S]*?)^\1$|^<!-- check -->$/gm),
    ([, , language = 'check', code = '']) => ({ language, code }),
  )
/** The fenced blocks of a page, with the code of its checks in their places. */
const blocksOf = (page: string): Block[] => {
  const blocks = fenced(textOf(page))
  if (!blocks.some(({ language }) => language === 'check')) return blocks
  const checks = fenced(textOf(`test/package/checks/${fileOf(page)}.md`))
  return blocks.map((block) => (block.language === 'check' ? { ...block, code: checks.shift()!.code } : block))
}

describe('code', async () => {
  const withCode = pages.filter(
    (page) => !isGenerated(page) && blocksOf(page).some(({ language }) => /^(?:ts|check)$/.test(language)),
  )
  beforeAll(async () => {
    await rm(generated, { recursive: true, force: true })
    await mkdir(join(generated, 'run'), { recursive: true })
    for (const page of withCode) {
      const code = (languages: string[]) =>
        blocksOf(page)
          .filter(({ language }) => languages.includes(language))
          .map(({ code }) => inOneModule(code))
          .join('\n')
      const head = `import assert from 'node:assert/strict'\n`
      await writeFile(join(generated, `${fileOf(page)}.ts`), head + asserted(code(['ts'])) + '\nexport {}\n')
      await writeFile(join(generated, 'run', `${fileOf(page)}.ts`), head + asserted(code(['ts', 'check'])))
    }
    const untrue = `import assert from 'node:assert/strict'\n${asserted('1 + 1 // => 3')}`
    await writeFile(join(generated, 'run', 'false.ts'), untrue)
    const entries = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'))
    await writeFile(
      join(generated, 'entries.ts'),
      entries.map((name, at) => `export * as _${at} from '${manifest.name}${name.slice(1)}'\n`).join(''),
    )
  })

  test('of every page compiles in a strict project', async () => {
    const files = withCode.map((page) => join(generated, `${fileOf(page)}.ts`))
    expect(await complaintsAbout(files, { ...strictProject, skipLibCheck: true })).toBe('')
  })
  test('of the declarations of the package compiles in a strict project', async () => {
    const options = { ...strictProject, skipDefaultLibCheck: true }
    expect(await complaintsAbout([join(generated, 'entries.ts')], options)).toBe('')
  })

  let all: Promise<readonly Ran[]> | undefined
  const runAll = () =>
    (all ??= runEach([...withCode, 'false'].map((name) => join(generated, 'run', `${fileOf(name)}.ts`))))
  test.each(withCode)('of %s does what its comments say', async (page) => {
    const { printed, error } = (await runAll())[withCode.indexOf(page)]!
    expect(error).toBeUndefined()
    // What a page prints, it shows: README does.
    if (page === 'README.md')
      expect(printed.trim()).toBe(
        blocksOf(page)
          .findLast(({ language }) => language === 'text')!
          .code.trim(),
      )
  })

  test('claims something: an assertion that is false fails', async () => {
    const claims = withCode
      .flatMap((page) => blocksOf(page))
      .filter(({ language, code }) => language === 'ts' && /\/\/ (=>|throws) /.test(code))
    expect(claims.length).toBeGreaterThan(25)
    expect((await runAll()).at(-1)).toEqual({ printed: '', error: expect.stringContaining('AssertionError') as string })
  })
})

describe('commands', () => {
  let demo: ChildProcess
  let address: string
  beforeAll(async () => {
    demo = spawn(process.execPath, [join(root, 'docs/demo/main.ts')], {
      cwd: root,
      env: { ...process.env, PORT: '0', STORE: 'memory' },
    })
    const [first] = (await once(demo.stdout!, 'data')) as [Buffer]
    address = /http:\/\/127\.0\.0\.1:\d+/.exec(first.toString())![0]
  })
  afterAll(() => demo.kill('SIGKILL'))

  test('the README names the three that matter, and CI runs the last', () => {
    const commands = blocksOf('README.md')
      .filter(({ language }) => language === 'sh')
      .map(({ code }) => code.trim())
    expect(commands).toEqual(['npm install urlwhere', 'npm ci && npm start', 'npm ci && npm test'])
    expect(readFileSync(join(root, '.ci/run'), 'utf8')).toContain(commands[2])
  })

  const curls = pages.flatMap((page) => {
    const blocks = blocksOf(page)
    return blocks.flatMap(({ language, code }, at) =>
      language === 'sh' && code.startsWith('curl')
        ? [{ page, code: code.trim(), answer: blocks[at + 1]?.language === 'json' ? blocks[at + 1]!.code : undefined }]
        : [],
    )
  })
  test.each(curls)('$page: $code', async ({ code, answer }) => {
    const { stdout } = await run('sh', [
      '-c',
      `${code.replaceAll('http://127.0.0.1:3000', address)} --silent --show-error`,
    ])
    if (answer === undefined) expect((JSON.parse(stdout) as { data: unknown[] }).data.length).toBeGreaterThan(0)
    else expect(JSON.parse(stdout)).toEqual(JSON.parse(answer))
  })
})

describe('the engines of proof.md', () => {
  const section = /^## Engines\n([^]*?)^## /m.exec(textOf('docs/internals/proof.md'))![1]!
  const shown = /^## Engines\n([^]*?)^## /m.exec(textOf('README.md'))![1]!
  const proven = Array.from(
    section.matchAll(/^\| ([^|]*?) +\| (yes|each night|no)\b/gm),
    ([, name, answer]) => [name!, answer !== 'no'] as const,
  )
  const asked = /<!-- cases -->\n\n.*\n.*\n((?:\|.*\n)*)/.exec(textOf('docs/internals/cases.md'))![1]!

  test.each(proven)('%s: asked by the cases, %s', (name, isProven) => {
    const product = /^(?:rows in )?(\w+)/.exec(name)![1]!.toLowerCase().replace('postgresql', 'postgres')
    expect(new RegExp(`^\\| ${product}\\b`, 'm').test(asked.toLowerCase())).toBe(isProven)
  })

  test('each engine that the cases are asked of is there', () => {
    const products = new Set(Array.from(asked.matchAll(/^\| ([\w-]+)(?:,| +\|)/gm), ([, name]) => name!))
    expect(products.size).toBeGreaterThanOrEqual(9)
    for (const product of products)
      for (const text of [section, shown]) expect(text.toLowerCase()).toContain(product.toLowerCase())
  })

  test('have the versions that are installed', () => {
    const installed = (name: string, parts: number) => {
      const { version } = JSON.parse(textOf(`node_modules/${name}/package.json`)) as { version: string }
      return version.split('.').slice(0, parts).join('.')
    }
    expect(section).toContain(`PGlite ${installed('@electric-sql/pglite', 2)} `)
    expect(section).toContain(`DuckDB ${installed('@duckdb/node-api', 2)} `)
    expect(section).toContain(`mingo ${installed('mingo', 1)}, sift ${installed('sift', 1)}`)
  })
})

test('stability.md names the TypeScript that checks the types', () => {
  const { version } = JSON.parse(textOf('node_modules/typescript/package.json')) as { version: string }
  expect(textOf('docs/stability.md')).toContain(`TypeScript ${version.split('.').slice(0, 2).join('.')} and 7.0 `)
})

test('the comparisons in the chart of README.md are those of the whole chart, and its sentence agrees', () => {
  const worstOf = (picture: string) =>
    Array.from(
      textOf(`docs/internals/${picture}.svg`).matchAll(
        /<text [^>]*>([^<]+)<\/text>\n(?:<(?:path|circle)[^\n]*\n)+<text [^>]*class="number">([\d.]+)</g,
      ),
      ([, label, worst]) => [label!, Number(worst)] as const,
    )
  const all = new Map(worstOf('performance'))
  const few = worstOf('performance-summary').map(([, worst]) => worst)
  expect(few).toEqual(
    [
      'qs, which makes an object of texts',
      'qs and Kysely',
      'the same of a second page',
      'JSON.stringify of 20 rows',
      'a handler by hand',
      'the same, by the list service',
      'code by hand, after 50 other filters',
    ].map((label) => all.get(label)),
  )
  // The second comparison, of the text to the whole statement.
  expect(textOf('README.md')).toContain(`takes ${few[1]!.toFixed(2)} of the time of qs with Kysely`)
})

describe('errors.md', () => {
  const sections = textOf('docs/concepts/errors.md').split(/^### /m).slice(1)
  test('has a section for every code', () => {
    expect(sections.map((section) => section.split('\n')[0]).sort()).toEqual([...issueCodes, ...problemCodes].sort())
  })

  const ofParameters = /^(?:parameter_|field_not_)/
  const [, given] = /^<!-- collection (\{.*\}) -->$/m.exec(textOf('docs/concepts/errors.md'))!
  const collection = defineCollection(orders, JSON.parse(given!) as CollectionOptions)
  const pictures = sections.flatMap((section) => {
    const options = /^<!-- (\{.*\}) -->$/m.exec(section)?.[1]
    return Array.from(section.matchAll(/^```text\n([\s\S]*?)\n```$/gm), ([, picture]) => ({
      code: section.split('\n')[0]!,
      picture: picture!,
      options: JSON.parse(options ?? '{}') as { limits?: Partial<Limits> },
    }))
  })
  test.each(pictures)('the picture of $code', ({ code, picture, options }) => {
    const [text] = picture.split('\n') as [string]
    const isQuery = ofParameters.test(code) || /^(?:sort|fields|facets)=/.test(text)
    const issues = issuesIn(isQuery ? parseQuery(collection, text, options) : parseFilter(orders, text, options))
    expect(issues.map((issue) => issue.code)).toContain(code)
    expect(
      formatIssue(
        text,
        issues.find((issue) => issue.code === code)!,
      ),
    ).toBe(picture)
  })
  test('there is one for every code that reading text can give', () => {
    const drawn = new Set(pictures.map(({ code }) => code))
    expect([...issueCodes].filter((code) => !drawn.has(code))).toEqual([
      'backend_unsupported',
      'backend_unmapped',
      'backend_refused',
      'print_unsayable',
    ])
  })
})

describe('tables', () => {
  const scalar = operators.equals.types.length
  const types = (of: readonly string[]) =>
    of.length > scalar
      ? 'every type, lists and objects included'
      : of.length === scalar
        ? 'every scalar type'
        : of.join(', ')
  const operands = { one: 'one', two: 'exactly two', list: 'one or more' }
  const rows: Readonly<Record<string, readonly string[][]>> = {
    operators: Array.from(
      operatorNamed.values(),
      ({ name, operands: count, operandKind: reads, fields, types: of }) => [
        `\`${name}\``,
        { value: operands[count], text: 'one text', flag: '`true` or `false`', count: 'a number of entries' }[reads],
        { anywhere: types(of), 'in lists': `lists, and fields in lists, of ${types(of)}`, lists: 'lists' }[fields],
        operators[name].doc,
      ],
    ),
    limits: Object.entries(defaultLimits).map(([name, limit]) => [
      {
        length: '`length`: UTF-16 units of the text',
        pairs: '`pairs`: of the text, reserved ones too',
        list: '`list`: items in a list',
        searches: '`searches`: conditions that read a text or list of every row',
        facets: '`facets`: paths in one `facets`',
        depth: '`depth`: names in a path',
        operand: '`operand`: UTF-16 units of a decoded operand',
        issues: '`issues`: that are reported',
      }[name as keyof Limits],
      (limit as number).toLocaleString('en'),
      `[\`limit_${name}\`](errors.md#limit_${name})`,
    ]),
  }
  test.each(Object.entries(rows))('%s', (name, rows) => {
    const page = 'docs/concepts/grammar.md'
    const pattern = new RegExp(`(<!-- table: ${name} -->\\n\\n\\|.*\\n\\|.*\\n)((?:\\|.*\\n)*)`)
    const expected = rows.map((cells) => `| ${cells.join(' | ')} |\n`).join('')
    if (process.env.UPDATE)
      writeFileSync(
        join(root, page),
        textOf(page).replace(pattern, (_, head: string) => head + expected),
      )
    expect(pattern.exec(textOf(page))![2]!.replace(/ +/g, ' ')).toBe(expected)
  })

  // test/hints/foreign.test.ts follows the hint of each.
  test('spellings', () => {
    const page = 'docs/reference/spellings.md'
    const pattern = /(?<=<!-- spellings -->\n\n```text\n)[^]*?(?=```)/
    const width = Math.max(...Object.values(spellings).flatMap((pairs) => pairs.map(([there]) => there.length)))
    const expected = Object.entries(spellings)
      .map(([api, pairs]) => `${api}\n${pairs.map(([there, here]) => `  ${there.padEnd(width)}  ${here}\n`).join('')}`)
      .join('\n')
    if (process.env.UPDATE)
      writeFileSync(
        join(root, page),
        textOf(page).replace(pattern, () => expected),
      )
    expect(pattern.exec(textOf(page))![0]).toBe(expected)
  })
})

describe('tables of options name each', () => {
  /** Names that the compiler compares with the type: it refuses one that is missing or of another type. */
  const every =
    <T>() =>
    <const N extends readonly (keyof T)[]>(...names: keyof T extends N[number] ? N : [never]): readonly string[] =>
      names as unknown as readonly string[]

  // The part of the page before the table, the header of its first column, and the names.
  test.each<[page: string, before: string, head: string, names: readonly string[]]>([
    [
      'reference/list-service',
      '## Options',
      'option',
      every<ListServiceOptions<object>>()(
        ...(['collections', 'authenticate', 'challenge', 'basePath', 'limits', 'notation', 'timeout'] as const),
        ...(['concurrency', 'cache', 'problemTypes', 'onRequest', 'onError'] as const),
      ),
    ],
    [
      'reference/list-service',
      'Options of a collection:',
      'option',
      every<EndpointOptions<object>>()(
        ...(['collection', 'rows', 'restriction', 'timeZone', 'reserved', 'row', 'answer', 'validateRows'] as const),
      ),
    ],
    [
      'reference/list-service',
      'Options of `keysAndBasic',
      'option',
      every<KeysAndBasicOptions>()('realm', 'allowBasic'),
    ],
    ['reference/list-service', '', 'member', every<RowsContext>()('principal', 'request', 'signal', 'reserved')],
    [
      'reference/list-service',
      '## Observability',
      'member',
      every<Observed<object>>()(
        ...(['request', 'principal', 'collection', 'key', 'query', 'issues', 'status', 'duration', 'rows'] as const),
      ),
    ],
    [
      'guides/pages',
      '## Options of a collection',
      'option',
      every<CollectionOptions>()(
        ...(['key', 'sort', 'defaultSort', 'limit', 'offset', 'fields', 'count', 'search', 'facets'] as const),
        ...([
          'facetLimit',
          'hidden',
          'groups',
          'operators',
          'aliases',
          'defaults',
          'deprecated',
          'lists',
          'empty',
        ] as const),
        ...(['parameters', 'timeZone'] as const),
      ),
    ],
    [
      'guides/tenants',
      '`narrow` never adds a right',
      'option',
      every<NarrowOptions>()(
        ...(['fields', 'operators', 'sort', 'defaultSort', 'limit', 'offset', 'count', 'groups', 'timeZone'] as const),
        ...(['search', 'facets'] as const),
      ),
    ],
    [
      'guides/sql',
      '## Options of `sqlBackend`',
      'option',
      every<SqlOptions>()('dialect', 'table', 'alias', 'firstParameter', 'columns'),
    ],
    ['guides/mongodb', '', 'option', every<MongoOptions>()('schema', 'dates', 'datetimes', 'fields')],
    [
      'guides/json-schema',
      '',
      'option',
      every<JsonSchemaOptions>()('pick', 'omit', 'unsupported', 'fields', 'document'),
    ],
  ])('%s.md %s', (page, before, head, names) => {
    const text = textOf(`docs/${page}.md`)
    const rows = new RegExp(`^\\| ${head} .*\\n\\|.*\\n((?:\\|.*\\n)*)`, 'm').exec(
      text.slice(text.indexOf(before)),
    )![1]!
    const named = Array.from(rows.matchAll(/^\|([^|]*)\|/gm), ([, cell]) => cell!.match(/(?<=`)\w+(?=[`:])/g)!).flat()
    expect([...new Set(named)].sort()).toEqual(names.toSorted())
  })

  test('and the row of `rows` what it has', () => {
    const [, cell] = /^\| `rows` +\|[^|]*\|([^|]*)\|$/m.exec(textOf('docs/reference/list-service.md'))!
    const names = every<FoundRows>()('read', 'find', 'page', 'count', 'facets', 'backend')
    expect(cell!.match(/(?<=`)\w+(?=`)/g)).toEqual(names)
  })
})

describe('the imports of imports.md', () => {
  test('are those of the package', () => {
    const section = textOf('docs/reference/imports.md')
    const named = Array.from(section.matchAll(/^\| `(urlwhere\S*)`/gm), ([, name]) => name!)
    const entries = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'))
    expect(named.sort()).toEqual(entries.map((name) => manifest.name + name.slice(1)).sort())
  })
})

describe('commands that install', () => {
  const installs = pages
    .filter((page) => !isGenerated(page))
    .flatMap((page) =>
      blocksOf(page).flatMap(({ language, code }) =>
        language === 'sh' ? (code.match(/^npm install .*\burlwhere\b.*$/gm) ?? []).map((line) => ({ page, line })) : [],
      ),
    )
  // README.md says below its line what to do until a registry has the package.
  test.each(installs.filter(({ page }) => page !== 'README.md'))('$page: $line', ({ line }) => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string }
    expect(line.match(/\S*urlwhere\S*/g)).toEqual([`../urlwhere/urlwhere-${version}.tgz`])
  })
})

describe('links', () => {
  const anchorsOf = (page: string) =>
    Array.from(textOf(page).matchAll(/^#+ (.*)$|<a id="([\w-]+)">/gm), ([, title, id]) =>
      id === undefined
        ? title!
            .toLowerCase()
            .replace(/[^\w\- ]/g, '')
            .replaceAll(' ', '-')
        : id,
    ).map((slug, at, all) => {
      const before = all.slice(0, at).filter((other) => other === slug).length
      return before === 0 ? slug : `${slug}-${before}`
    })
  const links = pages.flatMap((page) =>
    Array.from(textOf(page).matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => ({ page, target: target! })).filter(
      ({ target }) => !target.startsWith('http'),
    ),
  )
  test.each(links)('$page → $target', ({ page, target }) => {
    const [path, anchor] = target.split('#') as [string, string?]
    const file = path === '' ? page : join(dirname(page), path)
    expect(existsSync(join(root, file)), file).toBe(true)
    if (anchor !== undefined) expect(anchorsOf(file)).toContain(anchor)
  })
})
