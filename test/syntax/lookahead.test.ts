/** The parser goes the way that Chevrotain's own strategy goes, for every token that may come next. */
import {
  Alternation,
  EOF,
  LLkLookaheadStrategy,
  NonTerminal,
  Terminal,
  type ILookaheadStrategy,
  type IProduction,
  type OptionalProductionType,
  type Rule,
} from 'chevrotain'
import { describe, expect, test } from 'vitest'
import { GroupParser, KeyParser } from '../../src/syntax/grammar.ts'
import { nextToken } from '../../src/syntax/lookahead.ts'
import { vocabulary } from '../../src/syntax/tokens.ts'

interface Place {
  readonly production: IProduction & { readonly idx: number }
  readonly name: string
}

/** The productions of a rule where the parser has a choice. */
function choices(productions: readonly IProduction[]): readonly Place[] {
  return productions.flatMap((production) => {
    if (production instanceof Terminal || production instanceof NonTerminal) return []
    const { definition } = production as Rule
    const { name } = production.constructor
    const inner = choices(definition)
    return name === 'Alternative' ? inner : [{ production: production as Place['production'], name }, ...inner]
  })
}

/** What a strategy does at a place of a rule, for each type of token. */
function waysOf(strategy: ILookaheadStrategy, rule: Rule, { production, name }: Place): readonly unknown[] {
  const place = { rule, prodOccurrence: production.idx, maxLookahead: 1, dynamicTokensEnabled: false }
  const choose: (this: never) => unknown =
    production instanceof Alternation
      ? strategy.buildLookaheadForAlternation({ ...place, hasPredicates: false })
      : strategy.buildLookaheadForOptional({ ...place, prodType: name as OptionalProductionType })
  return [...vocabulary, EOF].map(({ tokenTypeIdx }) => choose.call({ LA_FAST: () => ({ tokenTypeIdx }) } as never))
}

describe.each([
  ['keys', new KeyParser(), 4],
  ['lists and groups', new GroupParser(), 25],
] as const)('the grammar of %s', (_, parser, count) => {
  const rules = Object.values(parser.getGAstProductions())
  const places = rules.flatMap((rule) => choices(rule.definition).map((place) => ({ rule, place })))

  test(`has ${count} choices`, () => {
    expect(places).toHaveLength(count)
  })

  test.each(
    places.map(({ rule, place }) => [`${rule.name}, ${place.name} ${place.production.idx}`, rule, place] as const),
  )('%s', (_, rule, place) => {
    const ways = waysOf(nextToken, rule, place)
    expect(ways).toEqual(waysOf(new LLkLookaheadStrategy({ maxLookahead: 1 }), rule, place))
    // Some token leads each way.
    const all = place.production instanceof Alternation ? [...place.production.definition.keys()] : [true, false]
    for (const way of all) expect(ways).toContain(way)
  })
})
