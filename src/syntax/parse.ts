/** Text → syntax: tokens, grammar, what is malformed, reserved pairs. */
import { issueCodes, quoteName, secretStart, type Finding, type IssueCode, type Span } from '../issue/index.ts'
import { QueryParser, type FaultKind } from './grammar.ts'
import type { Item, Pair, Syntax } from './syntax.ts'
import { codeAt, percent, scan, scanList, type Token } from './tokens.ts'

let parser: QueryParser | undefined

function parserOf(tokens: Token[]): QueryParser {
  // Building a parser takes a thousand times as long as a parse, so it is built once, by whoever needs it first. That
  // the grammar is sound, test/syntax.test.ts has found out.
  parser ??= new QueryParser(true)
  parser.input = tokens
  return parser
}

/** What can be wrong with the characters of a pair. */
type TextFaultKind = 'malformed escape' | 'no UTF-8' | 'U+0000' | 'lone surrogate'

interface Fault extends Span {
  readonly kind: FaultKind | TextFaultKind
}

const conditionForms = () => 'a condition is path=value or path[operator]=value'

/** The names in a key that may be shown; those of digits alone are positions, which the language does not have. */
interface KeyNames {
  readonly names: readonly string[]
  readonly hasPositions: boolean
  /** Whether all that follows the first brackets is empty ones. */
  readonly endsEmpty: boolean
}
const noNames: KeyNames = { names: [], hasPositions: false, endsEmpty: false }

/** How the language writes what others write as `a[b][c]`. Whether `c` is an operator is not for the syntax to know. */
function dottedForm({ names, hasPositions, endsEmpty }: KeyNames): string {
  if (names.length === 0) return conditionForms()
  const dotted = quoteName(names.join('.'))
  const bracketed = quoteName(`${names.slice(0, -1).join('.')}[${names.at(-1)}]`)
  if (hasPositions) return `lists have no positions: ${dotted} looks at every entry`
  if (names.length < 2) return conditionForms()
  if (endsEmpty) return `one pair of brackets is enough: ${bracketed}`
  return `nested fields are written with dots, and only an operator in brackets: ${dotted} or ${bracketed}`
}

/** How the language writes what others write as `a[]=x&a[]=y`. */
function listForm({ names }: KeyNames): string {
  return names.length === 0
    ? conditionForms()
    : `several values are one list: ${quoteName(`${names.join('.')}[in]=a,b`)}`
}

/** What each fault is called, and its hint, given the names in the key where they may be shown. */
const faults: {
  readonly [K in Fault['kind']]: {
    readonly code: IssueCode
    readonly message: string
    readonly hint: (key: KeyNames) => string
  }
} = {
  'malformed escape': {
    code: 'syntax_encoding',
    message: '"%" without two hexadecimal digits',
    hint: () => 'write "%" itself as %25',
  },
  'no UTF-8': {
    code: 'syntax_encoding',
    message: 'percent-escapes that are no UTF-8',
    hint: () => 'encode the text as encodeURIComponent does',
  },
  'U+0000': {
    code: 'syntax_character',
    message: 'the character U+0000, which no text may hold',
    hint: () => 'leave it out',
  },
  'lone surrogate': {
    code: 'syntax_character',
    message: 'half of a surrogate pair, which is no character',
    hint: () => 'cut texts between characters, not between UTF-16 units',
  },
  'missing name': {
    code: 'syntax_name',
    message: 'a name is missing here',
    hint: conditionForms,
  },
  'missing equals': {
    code: 'syntax_missing_equals',
    message: 'a condition without "="',
    hint: conditionForms,
  },
  'unclosed bracket': {
    code: 'syntax_bracket',
    message: '"[" without its "]"',
    hint: conditionForms,
  },
  'empty bracket': {
    code: 'syntax_bracket',
    message: 'brackets without an operator',
    hint: listForm,
  },
  'stray bracket': {
    code: 'syntax_bracket',
    message: '"]" without its "["',
    hint: conditionForms,
  },
  'second bracket': {
    code: 'syntax_bracket',
    message: 'a second pair of brackets',
    hint: dottedForm,
  },
  'text after bracket': {
    code: 'syntax_bracket',
    message: 'text between the brackets and the "="',
    hint: dottedForm,
  },
}

/** The one of a pair's faults that is reported. */
function leftmost(structure: readonly Fault[] | undefined, text: Fault | undefined): Fault | undefined {
  if (structure === undefined) return text
  const rank = (fault: Fault) => issueCodes.indexOf(faults[fault.kind].code)
  return [...structure, ...(text === undefined ? [] : [text])].sort(
    (a, b) => a.start - b.start || a.end - b.end || rank(a) - rank(b),
  )[0]
}

/** Whether a run of escapes beyond ASCII is UTF-8. */
function isUtf8(escapes: string): boolean {
  try {
    decodeURIComponent(escapes)
    return true
  } catch {
    return false
  }
}

/** The first thing in a part of the text that cannot be decoded. A loop: an expression has no room for millions of escapes. */
function textFault(text: string, { start, end }: Span): Fault | undefined {
  for (let at = start; at < end; at++) {
    const raw = text.charCodeAt(at)
    if (raw === percent) {
      const byte = codeAt(text, at)
      if (!(byte <= 0xff)) {
        const digits = /^[\da-f]?/i.exec(text.slice(at + 1, at + 2))![0].length
        return { kind: 'malformed escape', start: at, end: at + 1 + digits }
      }
      if (byte === 0) return { kind: 'U+0000', start: at, end: at + 3 }
      let to = at + 3
      if (byte > 0x7f) {
        while (text.charCodeAt(to) === percent && codeAt(text, to) > 0x7f && codeAt(text, to) <= 0xff) to += 3
        if (!isUtf8(text.slice(at, to))) return { kind: 'no UTF-8', start: at, end: to }
      }
      at = to - 1
    } else if (raw === 0) {
      return { kind: 'U+0000', start: at, end: at + 1 }
    } else if (raw >= 0xd800 && raw <= 0xdfff) {
      if (!text.slice(at, at + 2).isWellFormed()) return { kind: 'lone surrogate', start: at, end: at + 1 }
      at++
    }
  }
  return undefined
}

/** An escape that {@link textFault} might find fault with: any but of U+0001 to U+007F. */
const suspicious = /%(?!0[1-9a-f]|[1-7][\da-f])/i

/**
 * Reads a query's text. Never throws: what is malformed becomes an issue, and the other pairs are still read.
 *
 * @param reserved names whose pairs are no filters: they are taken out, and nothing of them is shown.
 */
export function parseSyntax(text: string, reserved: readonly string[]): Syntax {
  const escaped = text.includes('%')
  const spaced = text.includes('+')
  const suspect = (escaped && suspicious.test(text)) || text.includes('\0') || !text.isWellFormed()

  const decode = ({ start, end }: Span): string => {
    let part = text.slice(start, end)
    if (spaced) part = part.replaceAll('+', ' ')
    return escaped && part.includes('%') ? decodeURIComponent(part) : part
  }
  const isSecret = (part: Span) => secretStart(text.slice(part.start, part.end), decode(part), reserved) > 0

  const pairs: Pair[] = []
  const findings: Finding[] = []
  const values = new Map<string, string[]>()
  for (const node of parserOf(scan(text, text.startsWith('?') ? 1 : 0)).query()) {
    const keyFault = suspect ? textFault(text, node.key) : undefined
    const valueFault = suspect ? textFault(text, node.value) : undefined
    if (reserved.length > 0 && keyFault === undefined) {
      const key = decode(node.key)
      if (reserved.includes(key)) {
        const fault = node.faults?.find(({ kind }) => kind === 'missing equals') ?? valueFault
        // Nothing of a reserved value is shown, not even where in it the fault is.
        if (fault !== undefined) findings.push(found({ kind: fault.kind, ...spanOf(node.key) }, () => noNames))
        else if (values.has(key)) values.get(key)!.push(decode(node.value))
        else values.set(key, [decode(node.value)])
        continue
      }
    }
    const fault = leftmost(node.faults, keyFault ?? valueFault)
    if (fault === undefined) pairs.push(node)
    else {
      const names = () =>
        keyFault === undefined && !isSecret(node.key) ? namesIn(decode(node.key), reserved) : noNames
      findings.push(found(fault, names))
    }
  }
  return {
    text,
    pairs,
    findings,
    reserved: values,
    isSecret,
    read: decode,
    // The brackets may be all that is escaped: their parts are decoded sooner than the whole.
    readKey: ({ key, path, operator }) =>
      escaped && operator !== undefined ? `${decode(path)}[${decode(operator)}]` : decode(key),
    items: ({ start, end }) => parserOf(scanList(text, start, end)).list(),
    readItem: (item: Item) => (item.parts === undefined ? decode(item) : item.parts.map(decode).join('')),
  }
}

const spanOf = ({ start, end }: Span): Span => ({ start, end })

function found({ kind, start, end }: Fault, names: () => KeyNames): Finding {
  const { code, message, hint } = faults[kind]
  return { code, span: { start, end }, tell: () => ({ message, hint: hint(names()) }) }
}

function namesIn(key: string, reserved: readonly string[]): KeyNames {
  const parts = key.split(/[.[\]]/)
  const names = parts.filter((name) => !/^\d*$/.test(name))
  if (names.some((name) => secretStart(name, name, reserved) > 0)) return noNames
  return {
    names,
    hasPositions: parts.some((name) => /^\d+$/.test(name)),
    endsEmpty: /^[^[]*\[[^\]]*\](?:\[\])+$/.test(key),
  }
}
