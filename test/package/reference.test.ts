/**
 * docs/reference names every export of every import, every option and member, in the words of the doc comments, and
 * their examples do what they say. `npm run reference` writes it anew.
 */
import { readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import ts from 'typescript'
import { beforeAll, describe, expect, test } from 'vitest'
import { entry } from '../../rollup.config.ts'
import { asserted, complaintsAbout, runEach, strictProject, type Ran } from './code.ts'

const root = join(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string
  exports: Readonly<Record<string, { import?: { default: string } }>>
}
/** `./dist/sql.js` is built out of the entry `sql`. */
const doorOf = (built: string) =>
  join(root, (entry as Readonly<Record<string, string>>)[/^\.\/dist\/(.*)\.js$/.exec(built)![1]!]!)
const entries = Object.entries(manifest.exports).flatMap(([subpath, { import: target }]) =>
  target === undefined ? [] : [{ name: manifest.name + subpath.slice(1), door: doorOf(target.default) }],
)
const program = ts.createProgram(
  entries.map(({ door }) => door),
  {
    target: ts.ScriptTarget.ES2024,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    allowImportingTsExtensions: true,
    strict: true,
  },
)
const checker = program.getTypeChecker()
const isOurs = (symbol: ts.Symbol) =>
  symbol.declarations?.some((one) => one.getSourceFile().fileName.startsWith(join(root, 'src'))) ?? false

/** The section of each export, and for what another import exports too, its link. */
const sectionsOf = (name: string) => {
  const text = readFileSync(join(root, `docs/reference/${name}.md`), 'utf8')
  const own = text.split(/^### /m).slice(1)
  const sections = own.map((section) => [/\w+/.exec(section)![0], section] as const)
  const links = Array.from(text.matchAll(/^- \[(\w+)\]\(.*\)$/gm), ([, name]) => name!)
  return { sections, links }
}
/** Without what Markdown adds. */
const plain = (text: string) =>
  text
    .replace(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replace(/[`\\]/g, '')
    .replace(/\s+/g, ' ')

/** Of the comment right before a declaration: what the file says of itself stands before the first one. */
function firstSentence(symbol: ts.Symbol): string {
  const comments = (symbol.declarations ?? []).flatMap((one) => ts.getJSDocCommentsAndTags(one).filter(ts.isJSDoc))
  const shown = comments.filter(({ tags = [] }) => !tags.some(({ tagName }) => tagName.text === 'hidden'))
  const text = ts.getTextOfJSDocComment(shown.at(-1)?.comment) ?? ''
  return text
    .replace(/\{@link (\S+?)\s*\}/g, '$1')
    .split(/(?<=[.:;])\s/)[0]!
    .trim()
}

/** The names that a caller may write: members of a type, and of what a function takes. */
function membersOf(symbol: ts.Symbol): string[] {
  const named = (type: ts.Type) =>
    type.isUnion() || !(type.flags & ts.TypeFlags.Object)
      ? []
      : type
          .getProperties()
          .filter(isOurs)
          .map(({ name }) => name)
          // The keys that are symbols are for the compiler alone.
          .filter((name) => !name.startsWith('__@'))
  if (symbol.flags & ts.SymbolFlags.Interface) return named(checker.getDeclaredTypeOfSymbol(symbol))
  if (symbol.flags & ts.SymbolFlags.Function)
    return checker
      .getTypeOfSymbol(symbol)
      .getCallSignatures()
      .flatMap((signature) => signature.getParameters())
      .map((parameter) => checker.getNonNullableType(checker.getTypeOfSymbol(parameter)))
      .filter((type) => type.symbol?.flags & ts.SymbolFlags.TypeLiteral)
      .flatMap(named)
  return []
}

/** What an import exports. */
const exportsOf = (door: string) =>
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(door)!)!).map((symbol) => ({
    name: symbol.name,
    symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }))

describe.each(entries)('$name', ({ name, door }) => {
  const { sections, links } = sectionsOf(name)
  const exported = exportsOf(door)

  test('every export has a section, or a link to one', () => {
    const named = new Set([...sections.map(([name]) => name), ...links])
    expect(exported.length).toBeGreaterThan(0)
    expect(exported.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([])
  })

  test('every export has a doc comment', () => {
    expect(exported.filter(({ symbol }) => firstSentence(symbol) === '').map(({ name }) => name)).toEqual([])
  })

  test('nothing else has a section', () => {
    const names = new Set(exported.map(({ name }) => name))
    expect([...sections.map(([name]) => name), ...links].filter((name) => !names.has(name))).toEqual([])
  })

  const told = exported.filter(({ name }) => sections.some(([own]) => own === name))
  test.each(told)('$name: its options, its members and what the comment says', ({ name, symbol }) => {
    const own = sections.filter(([one]) => one === name).map(([, section]) => section)
    const text = own.join('\n')
    const isNamed = (one: string) => new RegExp(`(?<!\\w)${one.replace('$', '\\$')}(?!\\w)`).test(text)
    expect(membersOf(symbol).filter((one) => !isNamed(one))).toEqual([])
    expect(plain(text), 'npm run reference').toContain(plain(firstSentence(symbol)))
  })
})

describe('examples', () => {
  const generated = join(root, 'test/.generated')
  const fileOf = (name: string) => `${name.replaceAll('/', '-')}.ts`
  const [, given] = /```ts\n([^]*?)```/.exec(readFileSync(join(root, 'docs/reference/README.md'), 'utf8'))!
  const declared = ts.createSourceFile('given.ts', given!, ts.ScriptTarget.ES2024, true)
  /** The names that it imports and declares. */
  const isGiven = new Set<string>()
  const addNames = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node)) isGiven.add(node.name.text)
    if (ts.isVariableStatement(node)) {
      for (const { name } of node.declarationList.declarations) isGiven.add(name.getText().replace(/\W/g, ''))
    } else node.forEachChild(addNames)
  }
  addNames(declared)

  /** The examples of a declaration, and of all that is declared in it. */
  function examplesIn(node: ts.Node): string[] {
    const own = ts
      .getJSDocTags(node)
      .filter(({ tagName }) => tagName.text === 'example')
      .map(({ comment }) => ts.getTextOfJSDocComment(comment)!)
    const inner: string[] = []
    node.forEachChild((child) => void inner.push(...examplesIn(child)))
    return [...new Set([...own, ...inner])]
  }
  const pages = entries
    .map(({ name, door }) => {
      const { sections } = sectionsOf(name)
      const declarations = exportsOf(door)
        .filter(({ name }) => sections.some(([own]) => own === name))
        .flatMap(({ symbol }) => symbol.declarations ?? [])
      return {
        name,
        text: sections.map(([, section]) => section).join('\n'),
        examples: declarations.flatMap(examplesIn),
      }
    })
    .filter(({ examples }) => examples.length > 0)

  /** Imports of what every import exports, but for the names that are given. The page's own exports come first. */
  function importsFor(page: string): string {
    const seen = new Set(isGiven)
    return entries
      .toSorted((a, b) => Number(b.name === page) - Number(a.name === page))
      .map(({ name, door }) => {
        const own = exportsOf(door).filter(({ name }) => !seen.has(name) && seen.add(name))
        const isValue = (symbol: ts.Symbol) => (symbol.flags & ts.SymbolFlags.Value) !== 0
        return `import { ${own.map(({ name, symbol }) => (isValue(symbol) ? name : `type ${name}`)).join(', ')} } from '${name}'`
      })
      .join('\n')
  }

  /** An expression, and the text that it returns as comment lines after it. */
  const withText = (code: string) =>
    code.replace(/^(\w.*)\n((?:\/\/ .*\n?)+)$/, (_, expression: string, comments: string) => {
      const lines = comments.trim().split('\n')
      return `assert.equal(${expression}, ${JSON.stringify(lines.map((line) => line.slice(3)).join('\n'))})`
    })

  /** What is given, without the database where no example asks it: it takes longer to start than all else. */
  const givenFor = (code: string) =>
    /\bclient\b/.test(code) ? given! : given!.replace(/^.*(?:\bPGlite\b|\bclient\.exec\b).*\n/gm, '')

  beforeAll(async () => {
    await rm(generated, { recursive: true, force: true })
    await mkdir(generated)
    for (const { name, examples } of pages) {
      const code = examples.map((code) => `{\n${asserted(withText(code))}\n}\n`).join('')
      const head = `import assert from 'node:assert/strict'\n${importsFor(name)}\n${givenFor(code)}`
      // A copy of a cluster keeps its process running until it is closed.
      const tail = /\bclient\b/.test(code) ? 'await client.close()\n' : ''
      await writeFile(join(generated, fileOf(name)), head + code + tail)
    }
  })

  const files = pages.map(({ name }) => join(generated, fileOf(name)))
  test('compile in a strict project', async () => {
    expect(await complaintsAbout(files, { ...strictProject, skipLibCheck: true })).toBe('')
  })

  let all: Promise<readonly Ran[]> | undefined
  test.each(pages)('of $name do what their comments say', async ({ name }) => {
    all ??= runEach(files)
    expect((await all)[files.indexOf(join(generated, fileOf(name)))]!.error).toBeUndefined()
  })

  test('are all that the reference has', () => {
    const inPages = pages.flatMap(({ text }) =>
      Array.from(text.matchAll(/^#+ Examples?\n\n```ts\n([^]*?)\n```$/gm), ([, code]) => code!),
    )
    const examples = new Set(pages.flatMap(({ examples }) => examples))
    expect(inPages.length).toBeGreaterThan(40)
    expect(inPages.filter((code) => !examples.has(code))).toEqual([])
  })
})
