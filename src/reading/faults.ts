/** Malformed pieces of a pair → findings. */
import { issueCodes, type IssueCode, type Span, type SyntaxProblem } from '../issue/index.ts'
import { deepestGroup } from '../language/index.ts'
import type { DecodingFault } from '../asked/index.ts'
import type { Malformed, SyntaxFinding } from './syntax.ts'

/** A malformed piece of a pair: of its structure, or of its characters. */
export interface MalformedPiece extends Span {
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

/** The code of each kind of fault, and the `problem` of its issue. */
const problems: Readonly<Record<Exclude<MalformedPiece['kind'], 'too deep'>, readonly [SyntaxCode, SyntaxProblem]>> = {
  'malformed escape': ['syntax_encoding', 'malformed_escape'],
  'invalid UTF-8': ['syntax_encoding', 'invalid_utf8'],
  'U+0000': ['syntax_character', 'null_character'],
  'lone surrogate': ['syntax_character', 'lone_surrogate'],
  'missing name': ['syntax_name', 'missing_name'],
  'missing equals': ['syntax_missing_equals', 'missing_equals'],
  'unclosed bracket': ['syntax_bracket', 'unclosed_bracket'],
  'empty brackets': ['syntax_bracket', 'empty_brackets'],
  'stray bracket': ['syntax_bracket', 'stray_bracket'],
  'second brackets': ['syntax_bracket', 'second_brackets'],
  'text after brackets': ['syntax_bracket', 'text_after_brackets'],
  'missing group': ['syntax_group', 'missing_group'],
  'empty group': ['syntax_group', 'empty_group'],
  'unclosed group': ['syntax_group', 'unclosed_group'],
  'text after group': ['syntax_group', 'text_after_group'],
}
type SyntaxCode = Extract<IssueCode, `syntax_${string}`>
const codeOf = ({ kind }: MalformedPiece) => (kind === 'too deep' ? 'limit_depth' : problems[kind][0])

/** The fault of a pair that is reported: the first in the order of issues. */
export function leftmost(
  structure: readonly MalformedPiece[],
  decoding: MalformedPiece | undefined,
): MalformedPiece | undefined {
  if (structure.length === 0) return decoding
  const rank = (fault: MalformedPiece) => issueCodes.indexOf(codeOf(fault))
  const faults = decoding === undefined ? structure : [...structure, decoding]
  return faults.toSorted((a, b) => a.start - b.start || a.end - b.end || rank(a) - rank(b)).at(0)
}

/** A fault of a reserved pair. It points at the key: nothing of the value is shown, not even where in it the fault is. */
export const reservedFinding = ({ kind }: MalformedPiece, { start, end }: Span): SyntaxFinding =>
  findingOf({ kind, start, end }, false)

/** @param pair the pair at fault; `undefined` where its key or its value cannot be decoded, and outside of a pair. */
export function faultFinding(fault: MalformedPiece, pair?: Malformed, isInGroup = false): SyntaxFinding {
  const finding = findingOf(fault, isInGroup)
  if (fault.kind === 'malformed escape') return { ...finding, doubt: literalPercent }
  const isOfKey = finding.code === 'syntax_bracket' || finding.code === 'syntax_missing_equals'
  return isOfKey && pair !== undefined ? { ...finding, pair } : finding
}

/** The `%` at the start of the span may not be an escape. */
const literalPercent = { kind: 'percent' } as const

function findingOf({ kind, start, end }: MalformedPiece, isInGroup: boolean): SyntaxFinding {
  const span = { start, end }
  if (kind === 'too deep') return { code: 'limit_depth', span, parameters: { of: 'groups', limit: deepestGroup } }
  const [code, problem] = problems[kind]
  return { code, span, parameters: { problem, isInGroup, advice: [] } }
}
