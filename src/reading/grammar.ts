/** The grammar of the language: tokens → keys, lists and groups. It knows no schema and no meaning. */
import { EmbeddedActionsParser, EOF, LLkLookaheadStrategy } from 'chevrotain'
import type { BaseParser, ILookaheadStrategy, IToken, ParserMethod } from 'chevrotain'
import type { Span } from '../issue/index.ts'
import type { MalformedPiece } from './faults.ts'
import type { ItemNode, OperandNode } from './syntax.ts'
import {
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
  vocabulary,
  type Token,
} from './tokens.ts'

/** A key, malformed or not. */
export interface KeyNode extends Span {
  readonly path: Token
  /** How many names the path has. */
  readonly names: number
  /** The text between the brackets; `undefined` without brackets. */
  readonly operator: Token | undefined
  readonly faults: readonly MalformedPiece[]
}

/** A member of a group, malformed or not. */
export interface MemberNode extends Span {
  readonly key: KeyNode
  /** The text after the key, or after the `=`. */
  readonly body: GroupNode | OperandNode | undefined
  readonly faults: readonly MalformedPiece[]
}
/** `(…)` of a group. */
export interface GroupNode extends Span {
  readonly members: readonly MemberNode[]
}
/** The value of a word: a group, and the faults outside its members. */
export interface GroupValueNode {
  readonly group: GroupNode | undefined
  readonly faults: readonly MalformedPiece[]
}

/** The fault of the first token that a key cannot contain. */
function strayFault(
  { tokenType, startOffset: start, endOffset: end, start: inside }: Token,
  hasOperator: boolean,
): MalformedPiece {
  if (tokenType === Path) return { kind: 'text_after_brackets', start, end }
  if (tokenType === Close) return { kind: 'stray_bracket', start, end }
  // Of an operator or an open bracket, the "[" alone.
  return { kind: hasOperator ? 'second_brackets' : 'unclosed_bracket', start, end: inside }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
const noFaults: readonly MalformedPiece[] = []

/** The methods that Chevrotain replaces in a parser while it records the grammar. */
const recorded =
  /^(?:(?:CONSUME|SUBRULE|OPTION|OR|MANY|MANY_SEP|AT_LEAST_ONE|AT_LEAST_ONE_SEP)\d?|consume|subrule|option|or|many|atLeastOne|ACTION|BACKTRACK|LA)$/

/**
 * Chevrotain's own strategy, but nothing begins at the end of the input: its tables are plain objects by the number of a type
 * of token, and that of the end is 1, which `Object.prototype` may have (test/conformance/inherited.test.ts).
 */
class OwnLookahead extends LLkLookaheadStrategy {
  override buildLookaheadForOptional(options: Parameters<ILookaheadStrategy['buildLookaheadForOptional']>[0]) {
    const begins = super.buildLookaheadForOptional(options)
    return function (this: BaseParser) {
      return this.LA_FAST(1).tokenTypeIdx !== EOF.tokenTypeIdx && begins.call(this)
    }
  }
}
const lookaheadStrategy = /* @__PURE__ */ new OwnLookahead({ maxLookahead: 1 })

/** The rules that both parsers have. */
class PartsParser extends EmbeddedActionsParser {
  /** @param skipValidations a check of the grammar at each start would repeat test/reading/grammar.test.ts. */
  constructor(skipValidations: boolean) {
    super(vocabulary, { lookaheadStrategy, recoveryEnabled: false, skipValidations })
  }

  /**
   * Ends the recording of the grammar: overwrites the methods that record by those of the prototype. Chevrotain deletes them one
   * by one, which is slower (docs/internals/performance.md).
   */
  protected disableRecording(): void {
    this.RECORDING_PHASE = false
    for (const name of Object.keys(this))
      if (recorded.test(name)) Reflect.set(this, name, Reflect.get(PartsParser.prototype, name))
  }

  // Made once, not for each call: every new key passes here.
  private readonly operator = () => this.CONSUME(Operator) as Token
  private readonly strayRule = () => this.SUBRULE(this.stray)

  readonly key = this.RULE('key', (): KeyNode => {
    const path = this.CONSUME(Path) as Token
    const operator = this.OPTION(this.operator)
    const stray = this.OPTION2(this.strayRule)
    const { start, missing, names } = path
    let faults = noFaults
    if (missing !== undefined) faults = [{ kind: 'missing_name', start: missing, end: missing }]
    if (operator !== undefined && operator.start === operator.end) {
      faults = [...faults, { kind: 'empty_brackets', start: path.end, end: operator.start }]
    }
    if (stray !== undefined) faults = [...faults, strayFault(stray, operator !== undefined)]
    return { start, end: this.end(), path, names, operator, faults }
  })

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

  /** Where the last token ended. */
  protected end(): number {
    return this.LA(0).endOffset!
  }
}

/**
 * Every sequence of tokens that the scanner makes is a key, a list or a group. What is malformed has a place of its own in
 * the grammar, and leaves a fault on its key, its item or its group. So one pass finds all faults, and Chevrotain never throws,
 * recovers or writes a message.
 *
 *     key     = Path [ Operator ] [ stray ]
 *     stray   = 1*( Path / Operator / "[" / "]" )
 *
 *     list    = item *( "," item )                            a value with quotes, where the operator reads a list
 *     item    = quoted / bare
 *     bare    = Text [ tail ]
 *     quoted  = '"' *( Text / "," / escape ) [ '"' [ tail ] ]
 *     escape  = "\" [ '"' / "\" ]
 *     tail    = 1*( Text / '"' / "\" )                        inside a bare item they are literal
 *
 *     value   = group [ Rest ] / Rest                         a value, where the name is a word of groups
 *     group   = "(" member *( "," member ) [ ")" ]
 *     member  = key [ "=" ( items / item ) / items / group / TooDeep ] [ Rest ]
 *     items   = "(" item *( "," item ) [ ")" ]
 *
 * A key has a fault for a missing name in its Path, for an empty Operator, and for its stray. An item has a fault for a
 * missing last quote, for text in the tail of a quoted item, and for an escape of any other character. A group has one for a
 * missing ")" and for having nothing in it, a member for a missing "=", its TooDeep and its Rest.
 */
export class KeyParser extends PartsParser {
  constructor(skipValidations = false) {
    super(skipValidations)
    this.performSelfAnalysis()
  }
}

/** The grammar of lists and groups: a parser of its own, for most programs read no quotes and no groups. */
export class GroupParser extends PartsParser {
  /** The faults of a value that belong to no single member. */
  private faults: MalformedPiece[] = []
  /** Whether a quote is left open: the text in it includes whatever would close the groups around it. */
  private isQuoteOpen = false

  constructor(skipValidations = false) {
    super(skipValidations)
    this.performSelfAnalysis()
  }

  readonly list = this.RULE('list', (): readonly ItemNode[] => {
    const items: ItemNode[] = []
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => items.push(this.SUBRULE(this.item)) })
    return items
  })

  private readonly item = this.RULE('item', (): ItemNode => {
    const item = this.OR([
      {
        ALT: (): ItemNode => {
          const start = this.CONSUME(Text).startOffset
          this.OPTION(() => this.SUBRULE(this.tail))
          return { start, end: this.end(), text: '', parts: undefined, quoteFault: undefined }
        },
      },
      { ALT: () => this.SUBRULE(this.quoted) },
    ])
    if (item?.quoteFault === 'unterminated') this.isQuoteOpen = true
    return item
  })

  private readonly tail = this.RULE('tail', (): void =>
    this.AT_LEAST_ONE(() =>
      this.OR([
        { ALT: () => this.CONSUME(Text) },
        { ALT: () => this.CONSUME(Quote) },
        { ALT: () => this.CONSUME(Backslash) },
      ]),
    ),
  )

  private readonly quoted = this.RULE('quoted', (): ItemNode => {
    const parts: Mutable<Span>[] = []
    const part = ({ startOffset: start, endOffset: end }: IToken) => {
      const last = parts.at(-1)
      if (last?.end === start) last.end = end!
      else parts.push({ start, end: end! })
    }
    let quoteFault: ItemNode['quoteFault']
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
        quoteFault ??= 'text_after'
      })
      return true
    })
    if (closed === undefined) quoteFault = 'unterminated'
    return { start, end: this.end(), text: '', parts, quoteFault }
  })

  readonly groupValue = this.RULE('groupValue', (): GroupValueNode => {
    this.faults = []
    this.isQuoteOpen = false
    const group: GroupNode | undefined = this.OR([
      {
        ALT: () => {
          const group = this.SUBRULE(this.group)
          this.OPTION(() => this.find('text_after_group', this.CONSUME(Rest)))
          return group
        },
      },
      { ALT: () => this.find('missing_group', this.CONSUME2(Rest)) },
    ])
    return { group, faults: this.faults }
  })

  private readonly group: ParserMethod<[], GroupNode> = this.RULE('group', () => {
    const members: MemberNode[] = []
    const start = this.CONSUME(GroupOpen).startOffset
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => members.push(this.SUBRULE(this.member)) })
    const isClosed = this.OPTION(() => this.CONSUME(Closing)) !== undefined
    const [first] = members
    const isEmpty = members.length === 1 && first!.start === first!.end
    const end = this.end()
    if (!isClosed && !this.isQuoteOpen) this.faults.push({ kind: 'unclosed_group', start, end })
    else if (isEmpty) this.faults.push({ kind: 'empty_group', start, end })
    return { start, end, members: isEmpty ? [] : members }
  })

  private readonly member = this.RULE('member', (): MemberNode => {
    const key = this.SUBRULE(this.key)
    let lacksEquals = true
    const body: GroupNode | OperandNode | undefined = this.OPTION(() =>
      this.OR([
        {
          ALT: (): OperandNode => {
            this.CONSUME(Equals)
            lacksEquals = false
            return this.OR2([
              { ALT: () => this.SUBRULE(this.items) },
              {
                ALT: (): OperandNode => {
                  const item = this.SUBRULE(this.item)
                  return {
                    start: item.start,
                    end: item.end,
                    text: '',
                    items: [item],
                    isList: false,
                    members: undefined,
                  }
                },
              },
            ])
          },
        },
        { ALT: () => this.SUBRULE2(this.items) },
        {
          ALT: () => {
            lacksEquals = false
            return this.SUBRULE(this.group)
          },
        },
        {
          ALT: () => {
            lacksEquals = false
            return this.find('too deep', this.CONSUME(TooDeep))
          },
        },
      ]),
    )
    const end = this.end()
    this.OPTION2(() => this.find('text_after_group', this.CONSUME(Rest)))
    // While the grammar is recorded there is no key.
    return this.ACTION(() => {
      const { start, path, operator } = key
      // An operator alone is about the entries of the group's list.
      const isEntry = path.start === path.end && operator !== undefined
      const faults = isEntry ? key.faults.filter(({ kind }) => kind !== 'missing_name') : key.faults
      const missing: MalformedPiece = { kind: 'missing_equals', start, end: key.end }
      return { start, end, key, body, faults: lacksEquals ? [...faults, missing] : faults }
    })
  })

  private readonly items = this.RULE('items', (): OperandNode => {
    const items: ItemNode[] = []
    const start = this.CONSUME(ListOpen).startOffset
    this.AT_LEAST_ONE_SEP({ SEP: Comma, DEF: () => items.push(this.SUBRULE(this.item)) })
    // An open one leaves its group open: that is the fault.
    this.OPTION(() => this.CONSUME(Closing))
    return { start, end: this.end(), text: '', items, isList: true, members: undefined }
  })

  private find(kind: MalformedPiece['kind'], { startOffset: start, endOffset: end }: IToken): undefined {
    this.faults.push({ kind, start, end: end! })
  }
}

let ofKeys: KeyParser | undefined
let ofGroups: GroupParser | undefined

/** The parser of keys, with tokens to read. The first parse builds it and the others share it, because building is slow. */
export function keyParser(tokens: Token[]): KeyParser {
  ofKeys ??= new KeyParser(true)
  ofKeys.input = tokens
  return ofKeys
}

/** As {@link keyParser}, for lists and groups. */
export function groupParser(tokens: Token[]): GroupParser {
  ofGroups ??= new GroupParser(true)
  ofGroups.input = tokens
  return ofGroups
}
