/** Text → syntax: tokens, grammar, what is malformed, reserved pairs. */
import { issueCodes, quoteName, secretStart, type Issue, type IssueCode, type Span } from '../issue.ts'
import { QueryParser, type FaultKind } from './grammar.ts'
import type { Item, Pair, Syntax } from './syntax.ts'
import { scan, scanList, type Token } from './tokens.ts'

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

/** How the language writes what others write as `a[b][c]`. Whether `c` is an operator is not for the syntax to know. */
function dottedForm(names: readonly string[]): string {
  if (names.length < 2) return conditionForms()
  const bracketed = `${names.slice(0, -1).join('.')}[${names.at(-1)}]`
  return `nested fields are written with dots, and only an operator in brackets: ${quoteName(names.join('.'))} or ${quoteName(bracketed)}`
}

/** What each fault is called, and its hint, given the names in the key where they may be shown. */
const faults: {
  readonly [K in Fault['kind']]: {
    readonly code: IssueCode
    readonly message: string
    readonly hint: (names: readonly string[]) => string
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
    hint: (names) => (names.length > 0 ? `a list needs no brackets: ${quoteName(names.join('.'))}` : conditionForms()),
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

// Well-formed UTF-8, in escapes: the Unicode Standard, table 3-7, without the first row.
const T = '%[89ab][\\da-f]'
const utf8 = new RegExp(
  `^(?:%c[2-9a-f]${T}|%d[\\da-f]${T}|%e0%[ab][\\da-f]${T}|%e[1-9abcef]${T}${T}|%ed%[89][\\da-f]${T}` +
    `|%f0%[9ab][\\da-f]${T}${T}|%f[1-3]${T}${T}${T}|%f4%8[\\da-f]${T}${T})*$`,
  'i',
)

/** The first thing in a part of the text that cannot be decoded. */
function textFault(text: string, { start, end }: Span): Fault | undefined {
  const part = text.slice(start, end)
  // A run of escapes beyond ASCII, an escape of an ASCII character, or what is no escape; and raw characters.
  for (const { 0: found, index } of part.matchAll(/(?:%[89a-f][\da-f])+|%[\da-f]{0,2}|\0|\p{Cs}/giu)) {
    const kind =
      found === '\0' || found === '%00'
        ? 'U+0000'
        : found[0] !== '%'
          ? 'lone surrogate'
          : found.length < 3
            ? 'malformed escape'
            : /^%[0-7]/.test(found) || utf8.test(found)
              ? undefined
              : 'no UTF-8'
    if (kind !== undefined) return { kind, start: start + index, end: start + index + found.length }
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
  const issues: Issue[] = []
  const values = new Map<string, string[]>()
  for (const node of parserOf(scan(text, text.startsWith('?') ? 1 : 0)).query()) {
    const keyFault = suspect ? textFault(text, node.key) : undefined
    const valueFault = suspect ? textFault(text, node.value) : undefined
    if (reserved.length > 0 && keyFault === undefined) {
      const key = decode(node.key)
      if (reserved.includes(key)) {
        const fault = node.faults?.find(({ kind }) => kind === 'missing equals') ?? valueFault
        // Nothing of a reserved value is shown, not even where in it the fault is.
        if (fault !== undefined) issues.push(faultIssue({ ...fault, ...node.key }, []))
        else if (values.has(key)) values.get(key)!.push(decode(node.value))
        else values.set(key, [decode(node.value)])
        continue
      }
    }
    const fault = leftmost(node.faults, keyFault ?? valueFault)
    if (fault === undefined) pairs.push(node)
    else {
      const named = keyFault === undefined && !isSecret(node.key)
      issues.push(faultIssue(fault, named ? namesIn(decode(node.key), reserved) : []))
    }
  }
  return {
    text,
    pairs,
    issues,
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

function faultIssue({ kind, start, end }: Fault, names: readonly string[]): Issue {
  const { code, message, hint } = faults[kind]
  return { code, message, span: { start, end }, hint: hint(names) }
}

/** The names in a key that may be shown. Digits between brackets or dots are indexes, which the language has none of. */
function namesIn(key: string, reserved: readonly string[]): readonly string[] {
  const names = key.split(/[.[\]]/).filter((name) => !/^\d*$/.test(name))
  return names.some((name) => secretStart(name, name, reserved) > 0) ? [] : names
}
