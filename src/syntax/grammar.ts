/** The grammar of the language. It knows no schema and no meaning. */
import { EmbeddedActionsParser, type IToken } from 'chevrotain'
import type { Span } from '../issue/index.ts'
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

/** What can be wrong with the structure of a pair. */
export type FaultKind =
  | 'missing name'
  | 'missing equals'
  | 'unclosed bracket'
  | 'empty bracket'
  | 'stray bracket'
  | 'second bracket'
  | 'text after bracket'

export interface Fault extends Span {
  readonly kind: FaultKind
}

/** A pair, faulty or not. */
export interface PairNode extends Pair {
  readonly faults: readonly Fault[] | undefined
}

/** What is wrong with the first token that has no place in a key. */
function strayFault({ tokenType, startOffset: start, endOffset: end, start: inside }: Token, operator: unknown): Fault {
  if (tokenType === Path) return { kind: 'text after bracket', start, end }
  if (tokenType === Close) return { kind: 'stray bracket', start, end }
  return { kind: operator === undefined ? 'unclosed bracket' : 'second bracket', start, end: inside }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/**
 * Every sequence of tokens that the scanner cuts is a query, or a list: what is malformed has its own place in
 * the grammar and leaves a fault on its pair or item. So one pass finds all faults, none of them by way of an
 * exception, and Chevrotain's recovery and messages are never needed.
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
 * Faults are: a name that is missing in a Path, an empty Operator, all of stray, a pair without its Value; and,
 * told on the item, a quoted item without its last quote, with text in the tail, or with an escape of something
 * else.
 *
 * The productions that every query passes are members of one rule, so that no call creates closures: that
 * halves the time that a parse takes.
 */
export class QueryParser extends EmbeddedActionsParser {
  // Under construction.
  private pairs: PairNode[] = []
  private items: Item[] = []

  /** @param skipValidations whether the grammar is known to be sound: to find that out takes a third of the time. */
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
    if (missing >= 0) (faults ??= []).push({ kind: 'missing name', start: missing, end: missing })
    if (operator !== undefined && operator.start === operator.end) {
      ;(faults ??= []).push({ kind: 'empty bracket', start: path.end, end: operator.start })
    }
    if (stray !== undefined) (faults ??= []).push(strayFault(stray, operator))
    if (value === undefined) (faults ??= []).push({ kind: 'missing equals', start, end })

    const key = { start, end: value === undefined ? end : value.startOffset }
    this.pairs.push({ start, end, key, path, names: path.names, operator, value: value ?? { start: end, end }, faults })
  }
  private readonly pairsRule = { SEP: Ampersand, DEF: this.pair }
  private readonly operator = () => this.CONSUME(Operator) as Token
  private readonly value = () => this.CONSUME(Value) as Token

  private readonly strayRule = () => this.SUBRULE(this.stray)
  /** The first token that has no place. */
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
