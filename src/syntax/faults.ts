/** What is malformed in a pair, and how an issue says it. */
import { issueCodes, type Finding, type IssueCode, type Span } from '../issue/index.ts'
import { deepestGroup } from './limits.ts'
import type { DecodingFault } from './source.ts'
import type { Malformed, SyntaxFinding } from './syntax.ts'

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

const forms = 'write a condition as path=value or path[operator]=value'
const dottedForm = 'write nested fields with dots, and only an operator in brackets: path.path[operator]=value'
const listForm = 'write several values as one list: path[in]=a,b'
const quoteForm = 'put a value with a parenthesis in it in quotes'
const groupForm = 'write a group as (condition,condition)'

const words: {
  readonly [K in Fault['kind']]: {
    readonly code: IssueCode
    readonly message: string
    readonly hint: string
    /** Where it differs in a group. */
    readonly hintInGroup?: string
  }
} = {
  'malformed escape': {
    code: 'syntax_encoding',
    message: 'malformed percent-escape: expected two hexadecimal digits after "%"',
    hint: 'write a literal "%" as %25',
  },
  'invalid UTF-8': {
    code: 'syntax_encoding',
    message: 'percent-escapes are not valid UTF-8',
    hint: 'encode the text with encodeURIComponent',
  },
  'U+0000': {
    code: 'syntax_character',
    message: 'the character U+0000 is not allowed',
    hint: 'remove the character',
  },
  'lone surrogate': {
    code: 'syntax_character',
    message: 'lone surrogate: half of a surrogate pair is not a character',
    hint: 'do not cut a string inside a surrogate pair',
  },
  'missing name': {
    code: 'syntax_name',
    message: 'missing field name',
    hint: forms,
    hintInGroup: `${forms}, and a group as and(…), or(…), not(…) or list(…)`,
  },
  'missing equals': {
    code: 'syntax_missing_equals',
    message: 'missing "=" in a condition',
    hint: forms,
    // A comma ends a condition of a group, so what follows it has no "=".
    hintInGroup: 'in a group, write a list as path[in]=(a,b), and quote a value that has a comma or a parenthesis',
  },
  'unclosed bracket': { code: 'syntax_bracket', message: 'unclosed bracket: "[" without "]"', hint: forms },
  'empty brackets': {
    code: 'syntax_bracket',
    message: 'empty brackets: expected an operator',
    hint: listForm,
    hintInGroup: 'write several values as one list: path[in]=(a,b)',
  },
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
    hint: 'join conditions in one group where you can',
  },
}

/** The fault of a pair that is reported: the first in the order of issues. */
export function leftmost(structure: readonly Fault[], decoding: Fault | undefined): Fault | undefined {
  if (structure.length === 0) return decoding
  const rank = ({ kind }: Fault) => issueCodes.indexOf(words[kind].code)
  const faults = decoding === undefined ? structure : [...structure, decoding]
  return faults.toSorted((a, b) => a.start - b.start || a.end - b.end || rank(a) - rank(b)).at(0)
}

/** A fault of a reserved pair. It points at the key: nothing of the value is shown, not even where in it the fault is. */
export function reservedFinding({ kind }: Fault, { start, end }: Span): Finding {
  const { code, message, hint } = words[kind]
  return { code, span: { start, end }, tell: () => ({ message, hint }) }
}

/** @param pair the pair at fault; `undefined` where its key or its value cannot be decoded, and outside of a pair. */
export function faultFinding({ kind, start, end }: Fault, pair?: Malformed, isInGroup = false): SyntaxFinding {
  const { code, message, hint, hintInGroup = hint } = words[kind]
  const tell = () => ({ message, hint: isInGroup ? hintInGroup : hint })
  const isOfKey = code === 'syntax_bracket' || code === 'syntax_missing_equals'
  return { code, span: { start, end }, tell, ...(isOfKey && pair !== undefined && { pair }) }
}
