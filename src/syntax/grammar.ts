/** The grammar of the language. It knows no schema and no meaning. */
import { EmbeddedActionsParser, type IToken } from 'chevrotain'
import type { Span } from '../issue.ts'
import type { Item, Pair } from './syntax.ts'
import { Ampersand, Backslash, Close, Comma, Dot, Equals, Name, Open, Quote, Text, vocabulary } from './tokens.ts'

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

const spanOf = ({ startOffset, endOffset }: IToken): Span => ({ start: startOffset, end: endOffset! })

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

/** A pair, faulty or not, as the rules fill it in. */
export interface PairNode extends Mutable<Omit<Pair, 'key' | 'path' | 'value'>> {
  readonly key: Mutable<Span>
  readonly path: Mutable<Span>
  readonly value: Mutable<Span>
  items?: Item[]
  faults?: Fault[]
}

const newNode = (start: number): PairNode => ({
  start,
  end: start,
  key: { start, end: start },
  path: { start, end: start },
  names: 1,
  value: { start, end: start },
})

/**
 * Every sequence of tokens that the scanner cuts is a query: what is malformed has its own place in the
 * grammar and leaves a fault on its pair. So one pass finds all faults, none of them by way of an exception,
 * and Chevrotain's recovery and messages are never needed.
 *
 *     query   = pair *( "&" pair )
 *     pair    = path [ bracket ] [ stray ] [ "=" value ]      an empty name alone is no pair
 *     path    = Name *( "." Name )
 *     bracket = "[" Name [ "]" ]
 *     stray   = ( 1*( Name / "." ) / "[" / "]" ) *( Name / "." / "[" / "]" )
 *     value   = ( Text [ rest ] ) / list
 *     rest    = ( tail *( "," item ) ) / 1*( "," item )       after the first text of a bare item
 *     list    = quoted *( "," item )
 *     item    = ( Text [ tail ] ) / quoted
 *     tail    = 1*( Text / '"' / "\" )                        inside a bare item they are literal
 *     quoted  = '"' *( Text / "," / escape ) [ '"' [ tail ] ]
 *     escape  = "\" [ '"' / "\" ]
 *
 * Faults are: an empty Name, a bracket without its "]", all of stray, a pair without "="; and, told on the
 * item, for only some operators read lists: a quoted item without its last quote, with text in the tail, or
 * with an escape of something else.
 *
 * The productions that every query passes are members, so that no call creates closures, and `value` is cut
 * as it is because nearly every value is one Text: together they halve the time that a parse takes.
 */
export class QueryParser extends EmbeddedActionsParser {
  // Under construction: the pairs of this query, and the pair that the rules are in.
  private pairs: PairNode[] = []
  private node = newNode(0)

  constructor() {
    super(vocabulary, { maxLookahead: 1, recoveryEnabled: false })
    this.performSelfAnalysis()
  }

  readonly query = this.RULE('query', (): readonly PairNode[] => {
    this.pairs = []
    this.SUBRULE(this.pair)
    this.MANY(this.nextPair)
    return this.pairs
  })
  private readonly nextPair = () => {
    this.CONSUME(Ampersand)
    this.SUBRULE2(this.pair)
  }

  private readonly pair = this.RULE('pair', (): void => {
    const node = (this.node = newNode(this.LA(1).startOffset))
    this.name(this.CONSUME(Name))
    this.MANY(this.nextName)
    node.path.end = this.end()
    this.OPTION(this.bracket)
    this.OPTION2(this.strayRule)
    node.key.end = this.end()
    const value = this.OPTION3(this.value)
    node.end = this.end()
    if (value === undefined) {
      if (node.end === node.start) return
      this.fault('missing equals', node)
    }
    this.pairs.push(node)
  })

  private readonly nextName = () => {
    this.CONSUME(Dot)
    this.name(this.CONSUME2(Name))
    this.node.names++
  }
  private name({ startOffset: start, endOffset: end }: IToken): void {
    if (start === end) this.fault('missing name', { start, end })
  }

  private readonly bracket = () => {
    const open = this.CONSUME(Open)
    const name = this.CONSUME3(Name)
    this.node.operator = spanOf(name)
    if (this.OPTION4(this.close) === undefined) this.fault('unclosed bracket', spanOf(open))
    else if (name.startOffset === name.endOffset) this.fault('empty bracket', spanOf(open))
  }
  private readonly close = () => this.CONSUME(Close)

  private readonly strayRule = () => this.SUBRULE(this.stray)
  private readonly stray = this.RULE('stray', (): void => {
    const start = this.LA(1).startOffset
    const kind = this.OR([
      {
        ALT: (): FaultKind => {
          this.AT_LEAST_ONE(() => this.OR2([{ ALT: () => this.CONSUME(Name) }, { ALT: () => this.CONSUME(Dot) }]))
          return 'text after bracket'
        },
      },
      { ALT: (): FaultKind => (this.CONSUME(Open), 'second bracket') },
      { ALT: (): FaultKind => (this.CONSUME(Close), 'stray bracket') },
    ])
    this.fault(kind, { start, end: this.end() })
    this.MANY(() =>
      this.OR3([
        { ALT: () => this.CONSUME2(Name) },
        { ALT: () => this.CONSUME2(Dot) },
        { ALT: () => this.CONSUME2(Open) },
        { ALT: () => this.CONSUME2(Close) },
      ]),
    )
  })

  private readonly value = () => {
    this.node.value.start = this.CONSUME(Equals).endOffset!
    this.OR(this.valueForms)
    this.node.value.end = this.end()
    return true
  }
  private readonly valueForms = [
    {
      ALT: () => {
        this.CONSUME(Text)
        this.OPTION5(this.restRule)
      },
    },
    { ALT: () => this.SUBRULE(this.list) },
  ]

  private readonly restRule = () => this.SUBRULE(this.rest)
  private readonly rest = this.RULE('rest', (): void => {
    const first = { start: this.node.value.start, end: this.end() }
    this.node.items = [first]
    this.OR([
      {
        ALT: () => {
          this.SUBRULE(this.tail)
          first.end = this.end()
          this.MANY(this.nextItem)
        },
      },
      { ALT: () => this.AT_LEAST_ONE(this.firstNextItem) },
    ])
  })
  private readonly list = this.RULE('list', (): void => {
    this.node.items = [this.SUBRULE(this.quoted)]
    this.MANY(this.nextItem)
  })
  private readonly nextItem = () => {
    this.CONSUME(Comma)
    this.node.items!.push(this.SUBRULE(this.item))
  }
  private readonly firstNextItem = () => {
    this.CONSUME2(Comma)
    this.node.items!.push(this.SUBRULE2(this.item))
  }

  private readonly item = this.RULE('item', () =>
    this.OR([
      {
        ALT: (): Item => {
          const start = this.CONSUME(Text).startOffset
          this.OPTION(this.tailRule)
          return { start, end: this.end() }
        },
      },
      { ALT: () => this.SUBRULE(this.quoted) },
    ]),
  )

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
  private fault(kind: FaultKind, { start, end }: Span): void {
    ;(this.node.faults ??= []).push({ kind, start, end })
  }
}
