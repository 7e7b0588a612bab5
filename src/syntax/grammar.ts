/** The grammar of the language: tokens → pairs and items of lists. It knows no schema and no meaning. */
import { EmbeddedActionsParser, type IToken } from 'chevrotain'
import type { Span } from '../issue/index.ts'
import type { Fault } from './faults.ts'
import type { Item, Pair } from './syntax.ts'
import {
  Ampersand,
  Backslash,
  Close,
  Comma,
  Open,
  Operator,
  Path,
  Quote,
  Text,
  Value,
  vocabulary,
  type Token,
} from './tokens.ts'

/** A pair, malformed or not. */
export interface PairNode extends Pair {
  readonly faults: readonly Fault[] | undefined
}

/** What is wrong with the first token that has no place in a key. */
function strayFault(
  { tokenType, startOffset: start, endOffset: end, start: inside }: Token,
  hasOperator: boolean,
): Fault {
  if (tokenType === Path) return { kind: 'text after brackets', start, end }
  if (tokenType === Close) return { kind: 'stray bracket', start, end }
  // Of an operator or an open bracket, the "[" alone.
  return { kind: hasOperator ? 'second brackets' : 'unclosed bracket', start, end: inside }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Every sequence of tokens that the scanner makes is a query, or a list. What is malformed has a place of its own in the
 * grammar, and leaves a fault on its pair or its item. So one pass finds all faults, without exceptions, and Chevrotain's
 * error recovery and messages are never needed.
 *
 *     query   = pair *( "&" pair )
 *     pair    = Path [ Operator ] [ stray ] [ Value ]         an empty Path alone is no pair
 *     stray   = 1*( Path / Operator / "[" / "]" )
 *
 *     list    = item *( "," item )                            a value, where the operator takes a list
 *     item    = quoted / bare
 *     bare    = Text [ tail ]
 *     quoted  = '"' *( Text / "," / escape ) [ '"' [ tail ] ]
 *     escape  = "\" [ '"' / "\" ]
 *     tail    = 1*( Text / '"' / "\" )                        inside a bare item they are literal
 *
 * A pair has a fault for a missing name in its Path, for an empty Operator, for its stray, and for a missing Value. An
 * item has a fault for a missing last quote, for text in the tail of a quoted item, and for an escape of any other
 * character.
 *
 * What every query passes through are members that are made once, not closures of each call: this halves the time of a
 * parse (docs/internals/performance.md).
 */
export class QueryParser extends EmbeddedActionsParser {
  // Rules fill these from the start of a call, and hand them over at its end.
  private pairs: PairNode[] = []
  private items: Item[] = []

  /** @param skipValidations the grammar is known to be sound: to check it takes a third of the time of building a parser. */
  constructor(skipValidations = false) {
    super(vocabulary, { maxLookahead: 1, recoveryEnabled: false, skipValidations })
    this.performSelfAnalysis()
  }

  readonly query = this.RULE('query', (): readonly PairNode[] => {
    this.pairs = []
    this.AT_LEAST_ONE_SEP(this.pairsRule)
    return this.pairs
  })

  private readonly pair = (): void => {
    const path = this.CONSUME(Path) as Token
    const operator = this.OPTION(this.operator)
    const stray = this.OPTION2(this.strayRule)
    const value = this.OPTION3(this.value)
    const { start, missing } = path
    const end = this.end()
    if (end === start) return

    let faults: Fault[] | undefined
    if (missing !== undefined) (faults ??= []).push({ kind: 'missing name', start: missing, end: missing })
    if (operator !== undefined && operator.start === operator.end) {
      ;(faults ??= []).push({ kind: 'empty brackets', start: path.end, end: operator.start })
    }
    if (stray !== undefined) (faults ??= []).push(strayFault(stray, operator !== undefined))
    if (value === undefined) (faults ??= []).push({ kind: 'missing equals', start, end })

    const key = { start, end: value === undefined ? end : value.startOffset }
    this.pairs.push({ start, end, key, path, names: path.names, operator, value: value ?? { start: end, end }, faults })
  }
  private readonly pairsRule = { SEP: Ampersand, DEF: this.pair }
  private readonly operator = () => this.CONSUME(Operator) as Token
  private readonly value = () => this.CONSUME(Value) as Token

  private readonly strayRule = () => this.SUBRULE(this.stray)
  /** Returns the first token that has no place. */
  private readonly stray = this.RULE('stray', (): Token => {
    const first = this.LA(1) as Token
    this.AT_LEAST_ONE(() =>
      this.OR([
        { ALT: () => this.CONSUME(Path) },
        { ALT: () => this.CONSUME(Operator) },
        { ALT: () => this.CONSUME(Open) },
        { ALT: () => this.CONSUME(Close) },
      ]),
    )
    return first
  })

  readonly list = this.RULE('list', (): readonly Item[] => {
    this.items = []
    this.AT_LEAST_ONE_SEP(this.itemsRule)
    return this.items
  })
  private readonly item = (): void => {
    this.items.push(this.OR(this.itemForms))
  }
  private readonly itemForms = [
    {
      ALT: (): Item => {
        const start = this.CONSUME(Text).startOffset
        this.OPTION(this.tailRule)
        return { start, end: this.end() }
      },
    },
    { ALT: () => this.SUBRULE(this.quoted) },
  ]
  private readonly itemsRule = { SEP: Comma, DEF: this.item }

  private readonly tailRule = () => this.SUBRULE(this.tail)
  private readonly tail = this.RULE('tail', (): void =>
    this.AT_LEAST_ONE(() =>
      this.OR([
        { ALT: () => this.CONSUME(Text) },
        { ALT: () => this.CONSUME(Quote) },
        { ALT: () => this.CONSUME(Backslash) },
      ]),
    ),
  )

  private readonly quoted = this.RULE('quoted', (): Item => {
    const parts: Mutable<Span>[] = []
    const part = ({ startOffset: start, endOffset: end }: IToken) => {
      const last = parts.at(-1)
      if (last?.end === start) last.end = end!
      else parts.push({ start, end: end! })
    }
    let quoteFault: Item['quoteFault']
    const start = this.CONSUME(Quote).startOffset
    this.MANY(() =>
      this.OR([
        { ALT: () => part(this.CONSUME(Text)) },
        { ALT: () => part(this.CONSUME(Comma)) },
        {
          ALT: () => {
            this.CONSUME(Backslash)
            const escaped = this.OPTION(() =>
              this.OR2([{ ALT: () => this.CONSUME2(Quote) }, { ALT: () => this.CONSUME2(Backslash) }]),
            )
            if (escaped === undefined) quoteFault = 'escape'
            else part(escaped)
          },
        },
      ]),
    )
    const closed = this.OPTION2(() => {
      this.CONSUME3(Quote)
      this.OPTION3(() => {
        this.SUBRULE(this.tail)
        quoteFault ??= 'text after'
      })
      return true
    })
    if (closed === undefined) quoteFault = 'unterminated'
    const item = { start, end: this.end(), parts }
    return quoteFault === undefined ? item : { ...item, quoteFault }
  })

  /** Where the last token ended. */
  private end(): number {
    return this.LA(0).endOffset!
  }
}

let shared: QueryParser | undefined

/**
 * The parser, with tokens to read. Building it takes a thousand times as long as a parse, so the first parse builds it and
 * the others share it. test/syntax/grammar.test.ts checks that the grammar is sound.
 */
export function parser(tokens: Token[]): QueryParser {
  shared ??= new QueryParser(true)
  shared.input = tokens
  return shared
}
