// cspell:ignore gast looksahead recog
/**
 * Builds `dist`: ESM and CommonJS out of the same chunks, so that entries share one FilterError and one parser. A file has one name in both
 * formats, because npm packs the files of one name side by side: gzip writes the second as a reference to the first, if it is short.
 */
import { readFileSync } from 'node:fs'
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, type Node } from 'acorn'
import { transform, type TransformOptions } from 'esbuild'
import { defineConfig, type GetModuleInfo, type Plugin } from 'rollup'

/** The entries of the package, by the names of their files in `dist`. */
export const entry = {
  index: 'src/index.ts',
  filter: 'src/filter.ts',
  parse: 'src/parse.ts',
  tree: 'src/tree.ts',
  memory: 'src/backends/memory/index.ts',
  sql: 'src/backends/sql/index.ts',
  dialect: 'src/backends/sql/dialect/index.ts',
  mongo: 'src/backends/mongo/index.ts',
  drizzle: 'src/tools/drizzle/index.ts',
  explain: 'src/tools/explain/index.ts',
  prisma: 'src/backends/prisma/index.ts',
  'json-schema': 'src/tools/json-schema/index.ts',
  inspect: 'src/tools/inspect/index.ts',
  openapi: 'src/tools/openapi/index.ts',
  grids: 'src/clients/grids/index.ts',
  notations: 'src/clients/notations/index.ts',
  policies: 'src/policies/index.ts',
  http: 'src/service/index.ts',
  live: 'src/live/index.ts',
  testing: 'src/kit/index.ts',
  arbitraries: 'src/kit/arbitraries.ts',
} as const

const js = async (code: string, options: TransformOptions) =>
  (await transform(code, { target: 'node22', ...options })).code

/** Groups of modules of which a program uses few functions. */
const ofManyFunctions = ['core', 'parser', 'memory', 'sql', 'prisma', 'grids', 'notations']

/** Types are taken out. Short lines stay: Node prints the line that throws. */
const typescript: Plugin = {
  name: 'typescript',
  transform: (code, id) => (id.endsWith('.ts') ? js(code, { loader: 'ts' }) : undefined),
  async renderChunk(code, { name }) {
    if (name === 'chevrotain') return undefined
    // Without spaces, esbuild writes no `@__PURE__`, by which bundlers leave out what a program does not use.
    const isSpaced = ofManyFunctions.includes(name.replace(/-\d$/, ''))
    return withNames(code, (body) =>
      isSpaced ? js(body, { minifyIdentifiers: true }).then(withoutSpaces) : js(body, { minify: true, lineLimit: 400 }),
    )
  },
}

/** Imports at the beginning, what a chunk declares, and the exports at its end. */
const partsOfChunk = /^((?:(?:import [^;]*|export [^;]* from [^;]*);\n?)*)([^]*?)((?:export \{[^}]*\};\n?)?)$/

/**
 * Makes names short that are inside of functions. Those at the top level stay, because a stack trace prints them. esbuild keeps them in a
 * script, and not in a module.
 */
async function withNames(code: string, minify: (script: string) => Promise<string>): Promise<string> {
  const [, imports, script, exported] = partsOfChunk.exec(code)!
  return imports! + (await minify(script!)) + exported!
}

/** Characters before and after which JavaScript needs no space. */
const marks = /[,:;?=|&(){}[\]<>!]/

/**
 * Leaves out the spaces in lines, and comments but the annotations for bundlers.
 *
 * @throws Error where the code would be another.
 */
async function withoutSpaces(code: string): Promise<string> {
  const tokens: { readonly start: number; readonly end: number }[] = []
  parse(code, { ecmaVersion: 'latest', sourceType: 'module', onToken: (token) => tokens.push(token) })
  let dense = ''
  let end = 0
  for (const token of tokens) {
    const between = code.slice(end, token.start)
    const isApart = between !== '' && !marks.test(code[end - 1] ?? ';') && !marks.test(code[token.start]!)
    const space = between.includes('\n') ? '\n' : isApart ? ' ' : ''
    dense += space + (between.match(/\/\* @__\w+__ \*\//g) ?? []).join('') + code.slice(token.start, token.end)
    end = token.end
  }
  const [before, after] = await Promise.all([code, dense].map((one) => js(one, { minifyWhitespace: true })))
  if (before !== after) throw new Error('without spaces, the code is another')
  return dense
}

/** Reads the code of Chevrotain that the parser needs, for bundles that contain the parser. */
export const lessOfChevrotain: Plugin = {
  name: 'less of Chevrotain',
  resolveId: (specifier) =>
    /^@?chevrotain\b/.test(specifier) ? fileURLToPath(import.meta.resolve(specifier)) : undefined,
  load: (id) => (/\/@?chevrotain\//.test(id) ? chevrotainOf(id) : undefined),
}

/** Chevrotain becomes part of the package: minified, in a file of its own, because that is read in less time. */
const chevrotain: Plugin = {
  name: 'chevrotain',
  renderChunk: (code, { name }) =>
    name === 'chevrotain'
      ? js(code, { minify: true, banner: '/*! Chevrotain, changed: LICENSE.chevrotain.txt */' })
      : undefined,
  // Its licence (Apache-2.0, section 4) is part of the package, and its code says that it was changed.
  writeBundle: () => copyFile('node_modules/chevrotain/LICENSE.txt', 'dist/LICENSE.chevrotain.txt'),
}

/** A file in CommonJS: only its imports and exports are others. Files import in one direction, and export no variable that changes. */
function commonJs(code: string): string {
  const nameOf = (node: object) => (node as { name: string }).name
  const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
  const parts = body.map((node) => {
    if (node.type === 'ImportDeclaration') {
      const [first] = node.specifiers
      const names = node.specifiers.map((one) => ('imported' in one ? `${nameOf(one.imported)}:${one.local.name}` : ''))
      const pattern = first?.type === 'ImportNamespaceSpecifier' ? first.local.name : `{${names.join()}}`
      return `const ${pattern}=require(${node.source.raw});`
    }
    if (node.type !== 'ExportNamedDeclaration') return code.slice(node.start, node.end)
    const from = node.source ? `require(${node.source.raw}).` : ''
    return node.specifiers.map((one) => `exports.${nameOf(one.exported)}=${from}${nameOf(one.local)};`).join('\n')
  })
  return ["'use strict';", code.slice(0, body[0]!.start), ...parts, ''].join('\n')
}

/** Writes each file in CommonJS too, with a manifest that tells Node so. */
const bothFormats: Plugin = {
  name: 'both formats',
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle))
      if (file.type === 'chunk')
        this.emitFile({ type: 'asset', fileName: `cjs/${file.fileName}`, source: commonJs(file.code) })
    this.emitFile({
      type: 'asset',
      fileName: 'cjs/package.json',
      source: '{ "type": "commonjs", "sideEffects": false }',
    })
  },
}

/**
 * The types for CommonJS name those that tsup has written for ESM: both formats have one type, and the package one copy of it. The
 * compiler names the types of authors, such as QueryBackend, only where it has read the door that exports them.
 */
const types: Plugin = {
  name: 'types',
  async writeBundle(_, bundle) {
    const names = (await readdir('dist')).filter((name) => name.endsWith('.d.ts'))
    const texts = new Map(
      await Promise.all(names.map(async (name) => [name, await readFile(`dist/${name}`, 'utf8')] as const)),
    )
    const declaration = /^(?:declare class|interface|type) (\w+)/gm
    const declared = new Set(
      [...texts.values()].flatMap((text) => Array.from(text.matchAll(declaration), ([, one]) => one)),
    )
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk' || !chunk.isEntry) continue
      const { name, exports } = chunk
      const ofEsm = `import('./${name}.js', { with: { 'resolution-mode': 'import' } })`
      const lines = exports.flatMap((one) => [
        `export declare const ${one}: typeof ${ofEsm}.${one}`,
        ...(declared.has(one) ? [`export type ${one} = ${ofEsm}.${one}`] : []),
      ])
      const all = `export type * from './${name}.js' with { 'resolution-mode': 'import' }`
      await writeFile(`dist/${name}.d.cts`, [`import './tree.cjs'`, all, ...lines, ''].join('\n'))
      if (name !== 'tree') await writeFile(`dist/${name}.d.ts`, `import './tree.js'\n${texts.get(`${name}.d.ts`)}`)
    }
  },
}

/** A module, and all that it imports. */
function reached(id: string, infoOf: GetModuleInfo, ids = new Set<string>()): ReadonlySet<string> {
  if (!ids.has(id) && !id.includes('/node_modules/')) {
    for (const imported of infoOf(id)!.importedIds) reached(imported, infoOf, ids)
    ids.add(id)
  }
  return ids
}

const pathOf = (file: string) => fileURLToPath(new URL(file, import.meta.url))

/** The folders that backends and grids import of. */
const shared = ['src/backends', 'src/query', 'src/values', 'src/language'].map(pathOf)
/** The files beside these folders that they import, too. */
const besideFolders = ['src/suggest.ts', 'src/turns.ts'].map(pathOf)

/** The modules of these are in several files. The others are small, or every program loads them when it starts: 18 more files cost 14 ms. */
const inPieces = ['grids', 'http', 'inspect', 'notations', 'openapi', 'sql', 'testing']

/** The group of a module. A group imports modules of its own and of the groups before it: of the core, the parser, the backends. */
function groupOf(id: string, infoOf: GetModuleInfo): string | undefined {
  const isShared = shared.includes(dirname(id)) || besideFolders.includes(id)
  if (isShared || reached(pathOf(entry.filter), infoOf).has(id)) return 'core'
  if (reached(pathOf(entry.index), infoOf).has(id)) return 'parser'
  const backend = /\/src\/backends\/(\w+)\//.exec(id)?.[1]
  if (backend !== undefined) return backend
  const owners = Object.entries(entry).filter(([, file]) => reached(pathOf(file), infoOf).has(id))
  return owners.length === 1 && inPieces.includes(owners[0]![0]) ? owners[0]![0] : undefined
}

/** The most characters of source text in another file: they are about 24,000 of the package. Cases are data, which minifies less. */
const mostOf = (group: string) => (group === 'testing' ? 31_000 : 40_000)
/** The files of the modules, so short that gzip finds each again in the other format. A file imports earlier ones. */
function filesOf(infoOf: GetModuleInfo): ReadonlyMap<string, string> {
  const files = new Map<string, string>()
  const lengths = new Map<string, number>()
  for (const id of new Set(Object.values(entry).flatMap((file) => [...reached(pathOf(file), infoOf)]))) {
    const group = groupOf(id, infoOf)
    if (group === undefined) continue
    const before = lengths.get(group) ?? 0
    const more = infoOf(id)!.code?.length ?? 0
    const most = mostOf(group)
    const start = (before % most) + more > most ? Math.ceil(before / most) * most : before
    lengths.set(group, start + more)
    files.set(id, inPieces.includes(group) ? `${group}-${Math.floor(start / most)}` : group)
  }
  return files
}

/** The command line is one file, of which no entry is a part. It imports the entries of the package that the project has. */
const commandLine = defineConfig({
  input: { cli: 'src/cli/main.ts' },
  external: /^node:/,
  plugins: [
    {
      name: 'typescript',
      transform: (code) => js(code, { loader: 'ts' }),
      renderChunk: (code) => js(code, { minify: true, lineLimit: 400 }),
    },
  ],
  output: { dir: 'dist', format: 'es', banner: '#!/usr/bin/env node' },
})

// --- Chevrotain without the code that the parser never calls: about the twelfth part of a page that contains the parser.
// test/reading/chevrotain.laws.test.ts compares the parser with that code and without it.

/** Files in other words: with all that other files import from them. */
const replaced: Readonly<Record<string, string | ((code: string) => string)>> = {
  // Our own scanner makes the tokens.
  'scan/lexer_public.js': 'export const Lexer = { NA: /NOT_APPLICABLE/ }; export const LexerDefinitionErrorType = {}',
  // No type of token has a category.
  'scan/tokens.js': `
    let next = 1
    export const hasShortKeyProperty = (type) => Object.hasOwn(type, 'tokenTypeIdx')
    export const tokenStructuredMatcher = (token, type) => token.tokenTypeIdx === type.tokenTypeIdx
    export const tokenStructuredMatcherNoCategories = tokenStructuredMatcher
    export function augmentTokenTypes(types) {
      for (const type of types)
        if (!hasShortKeyProperty(type))
          Object.assign(type, { tokenTypeIdx: next++, CATEGORIES: [], categoryMatches: [], categoryMatchesMap: {}, isParent: false })
    }
    export let isTokenType`,
  'scan/tokens_public.js': (code) => `
    import { Lexer } from './lexer_public.js'
    import { augmentTokenTypes } from './tokens.js'
    export function createToken({ name, pattern }) {
      const type = { name, PATTERN: pattern }
      augmentTokenTypes([type])
      return type
    }
    export const EOF = createToken({ name: 'EOF', pattern: Lexer.NA })
    export ${functionOf(code, 'createTokenInstance')}
    export let tokenLabel, tokenMatcher, tokenName, hasTokenLabel`,
  // The tests check that the grammar is sound.
  'parse/grammar/checks.js':
    'export let validateGrammar, validateLookahead, validateRuleIsOverridden, validateAmbiguousAlternationAlternatives, validateEmptyOrAlternative, validateNoLeftRecursion, validateSomeNonEmptyLookaheadPath',
  // The grammar accepts each text that the scanner reads.
  'parse/errors_public.js':
    'export let defaultParserErrorProvider, defaultGrammarResolverErrorProvider, defaultGrammarValidatorErrorProvider',
  'parse/exceptions_public.js':
    'export let EarlyExitException, isRecognitionException, MismatchedTokenException, NotAllInputParsedException, NoViableAltException',
  'parse/parser/traits/error_handler.js': 'export class ErrorHandler { initErrorHandler() {} }',
  'parse/parser/traits/recoverable.js': `
    export let IN_RULE_RECOVERY_EXCEPTION
    export class Recoverable {
      initRecoverable() {}
      attemptInRepetitionRecovery() {}
    }`,
  'parse/grammar/follow.js': 'export let computeAllProdsFollows',
  // The actions of the grammar make the tree, so there is no concrete one.
  'parse/parser/traits/tree_builder.js': 'export class TreeBuilder { initTreeBuilder() {} }',
  // The walkers are for recovery and for the content assist.
  'parse/grammar/interpreter.js': (code) => `
    ${/^import .* from "@chevrotain.*$/m.exec(code)![0]}
    export ${functionOf(code, 'possiblePathsFrom')}
    export let NextTerminalAfterManyWalker, NextTerminalAfterManySepWalker, NextTerminalAfterAtLeastOneWalker, NextTerminalAfterAtLeastOneSepWalker`,
  // Nobody traces the time that the parser takes to start.
  'parse/parser/traits/perf_tracer.js': `
    export class PerformanceTracer {
      initPerformanceTracer() {}
      TRACE_INIT(phase, run) {
        return run()
      }
    }`,
}

/** Methods and functions that the parser never calls, in any file. Of `OPTION` to `OPTION9` and their like, the grammar has a few. */
const uncalled = new RegExp(
  String.raw`^(?:(?!(?:CONSUME[23]?|SUBRULE2?|OPTION[23]?|OR2?|MANY|AT_LEAST_ONE|AT_LEAST_ONE_SEP)$)(?:CONSUME|SUBRULE|OPTION|OR|(?:MANY|AT_LEAST_ONE)(?:_SEP)?)\d?|${[
    'consume|subrule|option|or|many|atLeastOne|OVERRIDE_RULE|BACKTRACK|BACKTRACK_RECORD|SKIP_TOKEN|disableRecording',
    'getGAstProductions|getSerializedGastProductions|validate.*',
    'manySep.*|walkManySep|visitRepetitionWithSeparator|repetitionSepSecondInternal',
    'saveRecogState|reloadRecogState|importLexerState|moveToTerminatedState|isBackTracking',
    'invokeRuleCatch|subruleInternalError|consumeInternalError|consumeInternalRecovery',
    'getCurrRuleFullName|shortRuleNameToFullName',
  ].join('|')})$`,
)

const wrong = "throw Error('the grammar is wrong')"

/** Pieces of code that the parser makes simple: it has neither recovery nor a concrete tree, gates or modes. */
const settled: Readonly<Record<string, readonly (readonly [piece: RegExp, simple: string])[]>> = {
  'parse/parser/parser.js': [
    [/Object\.hasOwn\(config, "ignoredIssues"\)/g, 'false'],
    [/this\.(?:skipValidations === false|recoveryEnabled)/g, 'false'],
    [/throw (?:new )?Error\([^;]*/g, wrong],
    [/\(function \(ParserDefinitionErrorType\) [^]*?\n\}\)\([^;]*;/g, ''],
  ],
  'parse/parser/traits/looksahead.js': [
    [/Object\.hasOwn\(config, "(?:dynamicTokensEnabled|maxLookahead)"\)/g, 'false'],
    [/Object\.hasOwn\(config, "lookaheadStrategy"\)/g, 'true'],
    // Nobody traces the phases, which have these names.
    [/getProductionDslName\(currProd\)/g, '""'],
  ],
  'parse/parser/traits/recognizer_api.js': [[/if \(this\.definedRulesNames\.includes\(name\)\)/g, 'if (false)']],
  'parse/parser/traits/recognizer_engine.js': [
    [/Object\.hasOwn\((?:config|tokenVocabulary), "\w+"\)/g, 'false'],
    [/if \(Array\.isArray\(tokenVocabulary\)\) \{\s+if[^]*?\n {8}\}/g, ''],
    [/Array\.isArray\(\w+\)|noTokenCategoriesUsed(?=\s*\?)/g, 'true'],
    [
      /if \(this\.selfAnalysisDone\)|if \(this\.outputCst === true\)|if \(typeof actionORMethodDef !== "function"\)/g,
      'if (false)',
    ],
    [/this\.(?:cst\w+|attemptInRepetitionRecovery)\([^;]*;/g, ''],
    [/const separatorLookAheadFunc = [^]*?\};/g, ''],
    [/return this\.invokeRuleCatch\([^;]*|throw this\.subruleInternalError\([^;]*/g, 'throw e'],
    [/consumedToken = this\.consumeInternalRecovery\([^;]*/g, 'throw eFromConsumption'],
    [/(?:throw )?this\.(?:raise\w+|consumeInternalError)\([^;]*/g, wrong],
    [/const firstRedundantTok [^]*?SAVE_ERROR[^;]*/g, wrong],
  ],
  'parse/parser/traits/gast_recorder.js': [
    [/this\[`[a-z]\w+`\] = [^]*?\n {12}\};|this\[`MANY_SEP[^]*?\n {16}\};|this\.BACKTRACK = [^;]*;/g, ''],
    [/Object\.hasOwn\((?:mainProdArg|currAlt), "\w+"\)|this\.outputCst/g, 'false'],
    [
      /if \(!ruleToCall [^]*?\{|if \(!hasShortKeyProperty[^]*?\{|if \(idx < 0 [^]*?\{|if \(originalError\.[^]*?\{/g,
      'if (false) {',
    ],
    [/Array\.isArray\(mainProdArg\) === false/g, 'false'],
    [/name: "This CSTNode[^]*?",\n/g, ''],
    [/"This IToken[^]*?",/g, '"",'],
  ],
  'parse/grammar/lookahead.js': [
    [/if \(hasPredicates\)/g, 'if (false)'],
    [/areAllOneTokenLookahead && !dynamicTokensEnabled/g, 'true'],
    [/const areAllOneTokenLookahead = [^]*?\n {4}\}\);/g, ''],
    [/currTokType\.categoryMatches\.forEach\([^]*?\n {12,16}\}\);/g, ''],
    [/ &&\s+singleTokensTypes\[0\]\.categoryMatches\.length === 0/g, ''],
    // One token decides on each alternative.
    [
      /(?<=^export function lookAheadSequenceFromAlternatives\(altsDefs, k\) )\{[^]*?^\}/gm,
      `{
        return altsDefs.map((alternative) => {
          const paths = []
          for (const { partialPath } of possiblePathsFrom([alternative], 1))
            if (!containsPath(paths, partialPath)) paths.push(partialPath)
          return paths
        })
      }`,
    ],
    [/ \|\|\s+otherTok\.categoryMatchesMap[^;]*/g, ''],
    [/areTokenCategoriesNotUsed\(lookAheadPaths\)(?=\s*\?)/g, 'true'],
    [/prod instanceof \w+ \|\|/g, ''],
  ],
  'parse/grammar/resolver.js': [[/const msg = [^]*?\}\);/g, wrong]],
}

/** The text of a function. */
const functionOf = (code: string, name: string) =>
  new RegExp(String.raw`(?<=^export )function ${name}\([^]*?^\}`, 'm').exec(code)![0]

/** The methods that the parser never calls. */
function uncalledOf(node: Node): readonly Node[] {
  const { type, key } = node as Node & { readonly key?: { readonly name: string } }
  if (type === 'MethodDefinition' && uncalled.test(key!.name)) return [node]
  return Object.values(node).flatMap((part: unknown) =>
    [part]
      .flat()
      .flatMap((one) => (typeof one === 'object' && one !== null && 'type' in one ? uncalledOf(one as Node) : [])),
  )
}

/** The code of a file of Chevrotain that the parser needs. */
function chevrotainOf(path: string): string {
  const code = readFileSync(path, 'utf8')
  const file = /\/lib\/src\/(.*)$/.exec(path)![1]!
  const other = replaced[file]
  if (other !== undefined) return typeof other === 'function' ? other(code) : other
  let simple = code.replace(/^ *\/\/.*\n/gm, '')
  for (const [piece, always] of settled[file] ?? []) {
    if (simple.search(piece) < 0) throw new Error(`${file} has no ${piece.source}`)
    simple = simple.replace(piece, always)
  }
  const methods = uncalledOf(parse(simple, { ecmaVersion: 'latest', sourceType: 'module' }))
  return methods.reduceRight((less, { start, end }) => less.slice(0, start) + less.slice(end), simple)
}

// --- The builds

let files: ReadonlyMap<string, string> | undefined
const library = defineConfig({
  input: entry,
  external: /^(?:drizzle-orm|fast-check)\b/,
  plugins: [lessOfChevrotain, chevrotain, typescript, bothFormats, types],
  treeshake: { moduleSideEffects: false },
  // Those of Chevrotain are its own.
  onLog: (level, log, report) => log.ids?.[0]?.includes('/node_modules/') || report(level, log),
  output: {
    dir: 'dist',
    format: 'es',
    chunkFileNames: 'chunk-[name].js',
    manualChunks: (id, { getModuleInfo }) =>
      id.includes('/node_modules/') ? 'chevrotain' : (files ??= filesOf(getModuleInfo)).get(id),
    hoistTransitiveImports: false,
    generatedCode: 'es2015',
  },
})

export default [library, commandLine]
