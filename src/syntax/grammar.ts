/** The grammar of the language: tokens → pairs and items of lists. It knows no schema and no meaning. */
import { EmbeddedActionsParser, type IToken, type ParserMethod } from 'chevrotain'
import type { Span } from '../issue/index.ts'
import type { Fault } from './faults.ts'
import { nextToken } from './lookahead.ts'
import type { Item, Pair } from './syntax.ts'
import {
  Ampersand,
  Backslash,
  Close,
  Closing,
  Comma,
  Equals,
  GroupOpen,
  ListOpen,
  Open,
  Operator,
  Path,
  Quote,
  Rest,
  Text,
  TooDeep,
  Value,
  vocabulary,
  type Token,
} from './tokens.ts'

/** A pair, malformed or not. */
export interface PairNode extends Pair {
  readonly faults: readonly Fault[] | undefined
}

/** A member of a group, malformed or not. */
export interface MemberNode extends Span {
  /** The path and its brackets. */
  readonly key: Span
  readonly path: Span
  readonly names: number
  readonly operator: Span | undefined
  /** What follows the key, or the `=`. */
  readonly body: GroupNode | OperandNode | undefined
  readonly faults: readonly Fault[]
}
/** `(…)` of a group. */
export interface GroupNode extends Span {
  readonly members: readonly MemberNode[]
}
/** What follows the `=` of a condition in a group: an item, or items in parentheses. */
export interface OperandNode extends Span {
  readonly items: readonly Item[]
  readonly isList: boolean
  readonly members: undefined
}
/** The value of a word: a group, and what is wrong outside its members. */
export interface GroupValueNode {
  readonly group: GroupNode | undefined
  readonly faults: readonly Fault[]
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

/** What Chevrotain replaces in a parser while it records the grammar. */
const recorded =
  /^(?:(?:CONSUME|SUBRULE|OPTION|OR|MANY|MANY_SEP|AT_LEAST_ONE|AT_LEAST_ONE_SEP)\d?|consume|subrule|option|or|many|atLeastOne|ACTION|BACKTRACK|LA)$/

/** What queries and groups are both made of. */
class PartsParser extends EmbeddedActionsParser {
  /** @param skipValidations the grammar is known to be sound: to check it takes a third of the time of building a parser. */
  constructor(skipValidations: boolean) {
    super(vocabulary, { maxLookahead: 1, recoveryEnabled: false, skipValidations, lookaheadStrategy: nextToken })
  }

  /**
   * Ends the recording of the grammar: puts the methods of the prototype in the places of those that record. Chevrotain deletes
   * the latter one by one, which takes a fifth of the time of building a parser.
   */
  protected disableRecording(): void {
    this.RECORDING_PHASE = false
    for (const name of Object.keys(this))
      if (recorded.test(name)) Reflect.set(this, name, Reflect.get(PartsParser.prototype, name))
  }

  protected readonly operator = () => this.CONSUME(Operator) as Token
  protected readonly strayRule = () => this.SUBRULE(this.stray)
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

  protected readonly itemForms = [
    {
      ALT: (): Item => {
        const start = this.CONSUME(Text).startOffset
        this.OPTION(this.tailRule)
        return { start, end: this.end(), parts: undefined, quoteFault: undefined }
      },
    },
    { ALT: () => this.SUBRULE(this.quoted) },
  ]

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
    return { start, end: this.end(), parts, quoteFault }
  })

  /** Where the last token ended. */
  protected end(): number {
    return this.LA(0).endOffset!
  }
}

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
 *     value   = group [ Rest ] / Rest                         a value, where the name is a word of groups
 *     group   = "(" member *( "," member ) [ ")" ]
 *     member  = Path [ Operator ] [ stray ] [ "=" operand / items / group / TooDeep ] [ Rest ]
 *     operand = items / item
 *     items   = "(" item *( "," item ) [ ")" ]
 *
 * A pair has a fault for a missing name in its Path, for an empty Operator, for its stray, and for a missing Value. An
 * item has a fault for a missing last quote, for text in the tail of a quoted item, and for an escape of any other
 * character. A group has one for a missing ")" and for having nothing in it, a member for a missing name or "=", for its
 * stray, its TooDeep and its Rest.
 *
 * What every query passes through are members that are made once, not closures of each call: this halves the time of a
 * parse (docs/internals/performance.md).
 */
export class QueryParser extends PartsParser {
  // Rules fill these from the start of a call, and hand them over at its end.
  private pairs: PairNode[] = []
  private items: Item[] = []

  constructor(skipValidations = false) {
    super(skipValidations)
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
    const { names } = path
    const none = undefined
    this.pairs.push({
      start,
      end,
      key,
      path,
      names,
      operator,
      value: value ?? { start: end, end },
      faults,
      items: none,
      isList: none,
      members: none,
    })
  }
  private readonly pairsRule = { SEP: Ampersand, DEF: this.pair }
  private readonly value = () => this.CONSUME(Value) as Token

  readonly list = this.RULE('list', (): readonly Item[] => {
    this.items = []
    this.AT_LEAST_ONE_SEP(this.itemsRule)
    return this.items
  })
  private readonly item = (): void => {
    this.items.push(this.OR(this.itemForms))
  }
  private readonly itemsRule = { SEP: Comma, DEF: this.item }
}

/** The grammar of groups: a parser of its own, for most programs read none. */
export class GroupParser extends PartsParser {
  /** The faults of a value that are no member's alone. */
  private faults: Fault[] = []
  /** Whether a quote was left open: it took in whatever would have closed the groups around it. */
  private isQuoteOpen = false

  constructor(skipValidations = false) {
    super(skipValidations)
    this.performSelfAnalysis()
  }

  readonly groupValue = this.RULE('groupValue', (): GroupValueNode => {
    this.faults = []
    this.isQuoteOpen = false
    const group: GroupNode | undefined = this.OR([
      {
        ALT: () => {
          const group = this.SUBRULE(this.group)
          this.OPTION(() => this.find('text after group', this.SUBRULE(this.rest)))
          return group
        },
      },
      {
        ALT: () => {
          this.find('missing group', this.SUBRULE2(this.rest))
          return undefined
        },
      },
    ])
    return { group, faults: this.faults }
  })

  private readonly rest = this.RULE('rest', (): Token => this.CONSUME(Rest) as Token)

  private readonly group: ParserMethod<[], GroupNode> = this.RULE('group', () => {
    const members: MemberNode[] = []
    const start = this.CONSUME(GroupOpen).startOffset
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => members.push(this.SUBRULE(this.member)) })
    const isClosed = this.OPTION(() => this.CONSUME(Closing)) !== undefined
    const [first] = members
    const isEmpty = members.length === 1 && first!.start === first!.end
    const end = this.end()
    if (!isClosed && !this.isQuoteOpen) this.faults.push({ kind: 'unclosed group', start, end })
    else if (isEmpty) this.faults.push({ kind: 'empty group', start, end })
    return { start, end, members: isEmpty ? [] : members }
  })

  private readonly member = this.RULE('member', (): MemberNode => {
    const faults: Fault[] = []
    const path = this.CONSUME(Path) as Token
    const operator = this.OPTION(this.operator)
    const stray = this.OPTION2(this.strayRule)
    const key = { start: path.start, end: this.end() }
    let isCondition = false
    let isTooDeep = false
    const body: GroupNode | OperandNode | undefined = this.OPTION3(() =>
      this.OR([
        {
          ALT: (): GroupNode | OperandNode | undefined => {
            this.CONSUME(Equals)
            isCondition = true
            return this.SUBRULE(this.operand)
          },
        },
        { ALT: () => this.SUBRULE(this.operandList) },
        { ALT: () => this.SUBRULE(this.group) },
        {
          ALT: (): undefined => {
            this.find('too deep', this.CONSUME(TooDeep) as Token)
            isTooDeep = true
          },
        },
      ]),
    )
    const { start, missing } = path
    const end = this.end()
    this.OPTION4(() => this.find('text after group', this.SUBRULE(this.rest)))

    // An operator alone is about the entries of the group's list.
    const isEntry = start === path.end && operator !== undefined
    if (missing !== undefined && !isEntry) faults.push({ kind: 'missing name', start: missing, end: missing })
    if (operator !== undefined && operator.start === operator.end) {
      faults.push({ kind: 'empty brackets', start: path.end, end: operator.start })
    }
    if (stray !== undefined) faults.push(strayFault(stray, operator !== undefined))
    const isGroup = isTooDeep || body?.members !== undefined
    if (!isCondition && !isGroup) faults.push({ kind: 'missing equals', ...key })
    return { start, end, key, path, names: path.names, operator, body, faults }
  })

  private readonly operand = this.RULE('operand', (): OperandNode =>
    this.OR([
      { ALT: () => this.SUBRULE(this.operandList) },
      {
        ALT: (): OperandNode => {
          const item = this.SUBRULE(this.operandItem)
          return { start: item.start, end: item.end, items: [item], isList: false, members: undefined }
        },
      },
    ]),
  )
  private readonly operandList = this.RULE('operandList', (): OperandNode => {
    const items: Item[] = []
    const start = this.CONSUME(ListOpen).startOffset
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => items.push(this.SUBRULE(this.operandItem)) })
    // An open one leaves its group open: that is the fault.
    this.OPTION(() => this.CONSUME(Closing))
    return { start, end: this.end(), items, isList: true, members: undefined }
  })
  private readonly operandItem = this.RULE('operandItem', (): Item => {
    const item = this.OR(this.itemForms)
    if (item.quoteFault === 'unterminated') this.isQuoteOpen = true
    return item
  })

  private find(kind: Fault['kind'], { startOffset: start, endOffset: end }: Token): void {
    this.faults.push({ kind, start, end })
  }
}

let shared: QueryParser | undefined
let sharedOfGroups: GroupParser | undefined

/**
 * The parser, with tokens to read. Building it takes a thousand times as long as a parse, so the first parse builds it and
 * the others share it. test/syntax/grammar.test.ts checks that the grammar is sound.
 */
export function parser(tokens: Token[]): QueryParser {
  shared ??= new QueryParser(true)
  shared.input = tokens
  return shared
}

/** As {@link parser}, for the value of a group. */
export function groupParser(tokens: Token[]): GroupParser {
  sharedOfGroups ??= new GroupParser(true)
  sharedOfGroups.input = tokens
  return sharedOfGroups
}
