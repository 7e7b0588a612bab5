/** Malformed pieces of a pair → findings. */
import { issueCodes, syntaxProblems, type Span, type SyntaxProblem } from '../issue/index.ts'
import { deepestGroup } from '../language/index.ts'
import type { Malformed, SyntaxFinding } from './syntax.ts'

/** A malformed piece of a pair: of its structure, or of its characters. */
export interface MalformedPiece extends Span {
  readonly kind: Exclude<SyntaxProblem, 'operator_alone'> | 'too deep'
}

const codeOf = ({ kind }: MalformedPiece) => (kind === 'too deep' ? 'limit_depth' : syntaxProblems[kind][0])

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
  if (fault.kind === 'malformed_escape') return { ...finding, doubt: literalPercent }
  const isOfKey = finding.code === 'syntax_bracket' || finding.code === 'syntax_missing_equals'
  return isOfKey && pair !== undefined ? { ...finding, pair } : finding
}

/** The `%` at the start of the span may not be an escape. */
const literalPercent = { kind: 'percent' } as const

function findingOf({ kind, start, end }: MalformedPiece, isInGroup: boolean): SyntaxFinding {
  const span = { start, end }
  if (kind === 'too deep') return { code: 'limit_depth', span, parameters: { of: 'groups', limit: deepestGroup } }
  return { code: syntaxProblems[kind][0], span, parameters: { problem: kind, isInGroup, advice: [] } }
}
