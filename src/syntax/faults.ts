/** What is malformed in a pair, and how an issue says it. */
import { issueCodes, quoteName, secretStart, type Finding, type IssueCode, type Span } from '../issue/index.ts'
import { deepestGroup } from './limits.ts'
import { decode, mayHoldSecret, type DecodingFault, type Source } from './source.ts'

/** A malformed piece of a pair: of its structure, or of its characters. */
export interface Fault extends Span {
  readonly kind:
    | DecodingFault['kind']
    | 'missing name'
    | 'missing equals'
    | 'unclosed bracket'
    | 'empty brackets'
    | 'stray bracket'
    | 'second brackets'
    | 'text after brackets'
    | 'missing group'
    | 'empty group'
    | 'unclosed group'
    | 'text after group'
    | 'too deep'
}

/** The names in a key that a hint may show. */
interface KeyNames {
  /** Without those of digits alone: they would be positions in a list, which the language does not have. */
  readonly names: readonly string[]
  readonly hasPositions: boolean
  /** Whether the brackets after the first ones are all empty. */
  readonly endsEmpty: boolean
  readonly isInGroup: boolean
}
const noNames: KeyNames = { names: [], hasPositions: false, endsEmpty: false, isInGroup: false }

const forms = () => 'write a condition as path=value or path[operator]=value'

/** How the language writes `a[b][c]`. The syntax does not know whether `c` is an operator. */
function dottedForm({ names, hasPositions, endsEmpty }: KeyNames): string {
  if (names.length === 0) return forms()
  const dotted = quoteName(names.join('.'))
  const bracketed = quoteName(`${names.slice(0, -1).join('.')}[${names.at(-1)}]`)
  if (hasPositions) return `list positions are not supported: ${dotted} matches any entry of the list`
  if (names.length < 2) return forms()
  if (endsEmpty) return `use one pair of brackets: ${bracketed}`
  return `write nested fields with dots, and only an operator in brackets: ${dotted} or ${bracketed}`
}

/** How the language writes `a[]=x&a[]=y`. */
function listForm({ names, isInGroup }: KeyNames): string {
  const list = isInGroup ? '(a,b)' : 'a,b'
  return names.length === 0
    ? forms()
    : `write several values as one list: ${quoteName(`${names.join('.')}[in]=${list}`)}`
}

/** A comma ends a condition of a group, so what follows it has no "=". */
const equalsForm = ({ isInGroup }: KeyNames): string =>
  isInGroup
    ? 'in a group, write a list as path[in]=(a,b), and quote a value that has a comma or a parenthesis'
    : forms()

/** What comes before a parenthesis has a name, too. */
const nameForm = ({ isInGroup }: KeyNames): string =>
  isInGroup ? `${forms()}, and a group as and(…), or(…), not(…) or list(…)` : forms()

const quoteForm = () => 'put a value with a parenthesis in it in quotes'
const groupForm = () => 'write a group as (condition,condition)'

const words: {
  readonly [K in Fault['kind']]: {
    readonly code: IssueCode
    readonly message: string
    readonly hint: (key: KeyNames) => string
  }
} = {
  'malformed escape': {
    code: 'syntax_encoding',
    message: 'malformed percent-escape: expected two hexadecimal digits after "%"',
    hint: () => 'write a literal "%" as %25',
  },
  'invalid UTF-8': {
    code: 'syntax_encoding',
    message: 'percent-escapes are not valid UTF-8',
    hint: () => 'encode the text with encodeURIComponent',
  },
  'U+0000': {
    code: 'syntax_character',
    message: 'the character U+0000 is not allowed',
    hint: () => 'remove the character',
  },
  'lone surrogate': {
    code: 'syntax_character',
    message: 'lone surrogate: half of a surrogate pair is not a character',
    hint: () => 'do not cut a string inside a surrogate pair',
  },
  'missing name': { code: 'syntax_name', message: 'missing field name', hint: nameForm },
  'missing equals': { code: 'syntax_missing_equals', message: 'missing "=" in a condition', hint: equalsForm },
  'unclosed bracket': { code: 'syntax_bracket', message: 'unclosed bracket: "[" without "]"', hint: forms },
  'empty brackets': { code: 'syntax_bracket', message: 'empty brackets: expected an operator', hint: listForm },
  'stray bracket': { code: 'syntax_bracket', message: 'unexpected "]": there is no "[" before it', hint: forms },
  'second brackets': { code: 'syntax_bracket', message: 'unexpected second pair of brackets', hint: dottedForm },
  'text after brackets': { code: 'syntax_bracket', message: 'unexpected text after the brackets', hint: dottedForm },
  'missing group': { code: 'syntax_group', message: 'expected a group in parentheses', hint: groupForm },
  'empty group': { code: 'syntax_group', message: 'empty group: expected a condition', hint: groupForm },
  'unclosed group': { code: 'syntax_group', message: 'unclosed group: "(" without ")"', hint: quoteForm },
  'text after group': { code: 'syntax_group', message: 'unexpected text after ")"', hint: quoteForm },
  'too deep': {
    code: 'limit_depth',
    message: `group too deep: limit ${deepestGroup}`,
    hint: () => 'join conditions in one group where you can',
  },
}

/** The fault of a pair that is reported: the first in the order of issues. */
export function leftmost(structure: readonly Fault[] | undefined, decoding: Fault | undefined): Fault | undefined {
  if (structure === undefined) return decoding
  const rank = ({ kind }: Fault) => issueCodes.indexOf(words[kind].code)
  const faults = decoding === undefined ? structure : [...structure, decoding]
  return faults.toSorted((a, b) => a.start - b.start || a.end - b.end || rank(a) - rank(b)).at(0)
}

/** A fault of a reserved pair. It points at the key: nothing of the value is shown, not even where in it the fault is. */
export function reservedFinding({ kind }: Fault, { start, end }: Span): Finding {
  const { code, message, hint } = words[kind]
  return { code, span: { start, end }, tell: () => ({ message, hint: hint(noNames) }) }
}

/** @param key of the pair at fault; `undefined` when it cannot be decoded. */
export function faultFinding(
  { kind, start, end }: Fault,
  source: Source,
  key: Span | undefined,
  reserved: readonly string[],
  isInGroup = false,
): Finding {
  const { code, message, hint } = words[kind]
  const tell = () => ({ message, hint: hint({ ...namesIn(source, key, reserved), isInGroup }) })
  return { code, span: { start, end }, tell }
}

function namesIn(source: Source, span: Span | undefined, reserved: readonly string[]): Omit<KeyNames, 'isInGroup'> {
  if (span === undefined || mayHoldSecret(source, span, reserved)) return noNames
  const key = decode(source, span)
  const parts = key.split(/[.[\]]/)
  const names = parts.filter((name) => !/^\d*$/.test(name))
  if (names.some((name) => secretStart(name, name, reserved) > 0)) return noNames
  return {
    names,
    hasPositions: parts.some((name) => /^\d+$/.test(name)),
    endsEmpty: /^[^[]*\[[^\]]*\](?:\[\])+$/.test(key),
  }
}
