/**
 * Which way the parser goes: the next token decides. Chevrotain's own strategy can look further ahead, so building a parser with
 * it takes half as long again. test/syntax/lookahead.test.ts shows that both go the same way.
 *
 * @see https://chevrotain.io/docs/guide/custom_lookahead_strategy.html
 */
import {
  Alternation,
  LLkLookaheadStrategy,
  NonTerminal,
  Option,
  Repetition,
  RepetitionMandatory,
  RepetitionMandatoryWithSeparator,
  RepetitionWithSeparator,
  Terminal,
  type BaseParser,
  type ILookaheadStrategy,
  type IProduction,
} from 'chevrotain'

/** A production that has others in it. A reference to a rule has those of the rule. */
type Parent = Alternation | NonTerminal | Option | Repetition | RepetitionMandatory

const optional = { Option, Repetition, RepetitionMandatory, RepetitionMandatoryWithSeparator, RepetitionWithSeparator }

/** The types of token with which a sequence may begin, as numbers. No sequence of ours begins with an optional production. */
function firstOf([first]: readonly IProduction[]): readonly number[] {
  if (first instanceof Terminal) return [first.terminalType.tokenTypeIdx!]
  const { definition } = first as Parent
  return first instanceof Alternation
    ? definition.flatMap((alternative) => firstOf([alternative]))
    : firstOf(definition)
}

/** A rule has one production of a kind and a number. */
function find(
  productions: readonly IProduction[],
  kind: typeof Alternation | typeof Option,
  idx: number,
): Parent | undefined {
  for (const production of productions) {
    if (production instanceof Terminal || production instanceof NonTerminal) continue
    const parent = production as Parent
    const found = parent instanceof kind && parent.idx === idx ? parent : find(parent.definition, kind, idx)
    if (found !== undefined) return found
  }
  return undefined
}

export const nextToken: ILookaheadStrategy = {
  validate: (grammar) => new LLkLookaheadStrategy({ maxLookahead: 1 }).validate(grammar),
  buildLookaheadForAlternation({ rule, prodOccurrence }) {
    const alternatives = new Map<number, number>()
    find(rule.definition, Alternation, prodOccurrence)!.definition.forEach((alternative, at) => {
      for (const type of firstOf([alternative])) alternatives.set(type, at)
    })
    return function (this: BaseParser) {
      return alternatives.get(this.LA_FAST(1).tokenTypeIdx)
    }
  },
  buildLookaheadForOptional({ rule, prodOccurrence, prodType }) {
    const [type, ...others] = firstOf(find(rule.definition, optional[prodType], prodOccurrence)!.definition)
    // To compare is faster than to look up.
    if (others.length === 0) {
      return function (this: BaseParser) {
        return this.LA_FAST(1).tokenTypeIdx === type
      }
    }
    const isFirst = new Set([type, ...others])
    return function (this: BaseParser) {
      return isFirst.has(this.LA_FAST(1).tokenTypeIdx)
    }
  },
}
