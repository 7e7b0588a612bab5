/**
 * Chevrotain without what the parser never calls: about the twelfth part of a page that contains the parser. test/reading/chevrotain.laws.test.ts
 * compares what the parser reads with it to what it reads with the whole.
 */
// cspell:ignore gast looksahead recog
import { readFileSync } from 'node:fs'
import { parse, type Node } from 'acorn'
import type { Plugin } from 'esbuild'

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
  'parse/parser/traits/looksahead.js': [[/Object\.hasOwn\(config, "dynamicTokensEnabled"\)/g, 'false']],
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
export function chevrotainOf(path: string): string {
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

/** For bundles that contain the parser. */
export const lessOfChevrotain: Plugin = {
  name: 'less of Chevrotain',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/@?chevrotain\/(?:.*\/)?lib\/src\// }, ({ path }) => ({ contents: chevrotainOf(path) })),
}
