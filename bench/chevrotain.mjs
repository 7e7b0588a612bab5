/**
 * A parser of the same language on Chevrotain as its package is: the rules of `src/reading/grammar.ts`, tokens cut by
 * hand, no meaning and no issues. What `urlwhere` takes to start is measured against it.
 */
import { createToken, EmbeddedActionsParser, Lexer } from 'chevrotain'

const token = (name) => createToken({ name, pattern: Lexer.NA })
const Ampersand = token('Ampersand')
const Path = token('Path')
const Operator = token('Operator')
const Open = token('Open')
const Close = token('Close')
const Value = token('Value')
const Comma = token('Comma')
const Quote = token('Quote')
const Backslash = token('Backslash')
const Text = token('Text')
const vocabulary = [Ampersand, Path, Operator, Open, Close, Value, Comma, Quote, Backslash, Text]

const cut = (text, pattern, types) =>
  Array.from(text.matchAll(pattern), ({ 0: image, index, groups }) => {
    const tokenType = types.find(({ name }) => groups[name] !== undefined)
    return {
      image,
      startOffset: index,
      endOffset: index + image.length,
      tokenType,
      tokenTypeIdx: tokenType.tokenTypeIdx,
    }
  })
const key = /(?<Ampersand>&)|(?<Value>=[^&]*)|(?<Operator>\[[^[\]=&]*\])|(?<Open>\[)|(?<Close>\])|(?<Path>[^[\]=&]+)/g
const list = /(?<Comma>,)|(?<Quote>")|(?<Backslash>\\)|(?<Text>[^,"\\]+)/g
const scan = (text) => cut(text, key, [Ampersand, Path, Operator, Open, Close, Value])
const scanList = (text) => cut(text, list, [Comma, Quote, Backslash, Text])

class QueryParser extends EmbeddedActionsParser {
  constructor() {
    super(vocabulary, { maxLookahead: 1, recoveryEnabled: false })
    this.performSelfAnalysis()
  }

  query = this.RULE('query', () => {
    const pairs = []
    this.AT_LEAST_ONE_SEP({
      SEP: Ampersand,
      DEF: () => {
        const path = this.CONSUME(Path)
        const operator = this.OPTION(() => this.CONSUME(Operator))
        const stray = this.OPTION2(() => this.SUBRULE(this.stray))
        const value = this.OPTION3(() => this.CONSUME(Value))
        pairs.push({ path, operator, stray, value })
      },
    })
    return pairs
  })

  stray = this.RULE('stray', () =>
    this.AT_LEAST_ONE(() =>
      this.OR([
        { ALT: () => this.CONSUME(Path) },
        { ALT: () => this.CONSUME(Operator) },
        { ALT: () => this.CONSUME(Open) },
        { ALT: () => this.CONSUME(Close) },
      ]),
    ),
  )

  list = this.RULE('list', () => {
    const items = []
    this.AT_LEAST_ONE_SEP({
      SEP: Comma,
      DEF: () => {
        const item = this.OR([
          {
            ALT: () => {
              const text = this.CONSUME(Text)
              this.OPTION(() => this.SUBRULE(this.tail))
              return text
            },
          },
          { ALT: () => this.SUBRULE(this.quoted) },
        ])
        items.push(item)
      },
    })
    return items
  })

  tail = this.RULE('tail', () =>
    this.AT_LEAST_ONE(() =>
      this.OR([
        { ALT: () => this.CONSUME(Text) },
        { ALT: () => this.CONSUME(Quote) },
        { ALT: () => this.CONSUME(Backslash) },
      ]),
    ),
  )

  quoted = this.RULE('quoted', () => {
    const parts = []
    this.CONSUME(Quote)
    this.MANY(() =>
      this.OR([
        { ALT: () => parts.push(this.CONSUME(Text)) },
        { ALT: () => parts.push(this.CONSUME(Comma)) },
        {
          ALT: () => {
            this.CONSUME(Backslash)
            this.OPTION(() => this.OR2([{ ALT: () => this.CONSUME2(Quote) }, { ALT: () => this.CONSUME2(Backslash) }]))
          },
        },
      ]),
    )
    this.OPTION2(() => {
      this.CONSUME3(Quote)
      this.OPTION3(() => this.SUBRULE(this.tail))
    })
    return parts
  })
}

/** The pairs of a text, their values as lists of items. */
export function parse(text) {
  const parser = new QueryParser()
  const read = (rule, tokens) => {
    parser.input = tokens
    const result = parser[rule]()
    if (parser.errors.length > 0) throw parser.errors[0]
    return result
  }
  return read('query', scan(text)).map((pair) => ({
    ...pair,
    items: read('list', scanList(pair.value.image.slice(1))),
  }))
}
