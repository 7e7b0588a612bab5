/**
 * docs/reference names every export of every import, every option and member, in the words of the doc comments.
 * `npm run reference` writes it anew.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import build from '../../tsup.config.ts'

const root = join(import.meta.dirname, '../..')
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string
  exports: Readonly<Record<string, { import?: { default: string } }>>
}
/** `./dist/sql.js` is built out of the entry `sql`. */
const doorOf = (built: string) => {
  const { entry } = build as { entry: Readonly<Record<string, string>> }
  return join(root, entry[/^\.\/dist\/(.*)\.js$/.exec(built)![1]!]!)
}
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
  const sections = own.map((section) => [/^\w+/.exec(section)![0], section] as const)
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
  const text = ts.getTextOfJSDocComment(comments.at(-1)?.comment) ?? ''
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

describe.each(entries)('$name', ({ name, door }) => {
  const { sections, links } = sectionsOf(name)
  const exported = checker
    .getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(door)!)!)
    .map((symbol) => ({
      name: symbol.name,
      symbol: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    }))

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
    expect(membersOf(symbol).filter((one) => !new RegExp(`(?<!\\w)${one}(?!\\w)`).test(text))).toEqual([])
    expect(plain(text), 'npm run reference').toContain(plain(firstSentence(symbol)))
  })
})
