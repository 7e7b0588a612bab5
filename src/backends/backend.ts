/** What every backend is, ours or yours. `docs/guides/custom-backend.md` tells how to write one. */
import { fold, type Filter, type Kind, type LiteralType } from '../ast/index.ts'
import type { Issue } from '../issue/index.ts'

/** What a backend may or may not be able to tell apart, beyond kinds and types. */
export type Feature =
  /** Case is ignored for every letter of Unicode, by simple lower-casing; without it, for ASCII. */
  | 'unicode-case'
  /** Fields may store another form than their type's, and entries that are objects null: no value. Typed columns cannot. */
  | 'other-forms'
  /** Lists may stand where the schema has a scalar or an object, which is no value. Documents look into them. */
  | 'misplaced-lists'
  /** An object without a single value is told from null, in a list too. An object that is spread over columns cannot. */
  | 'empty-objects'
  /** Dates and datetimes may be stored as `Date` too. */
  | 'date-objects'

/** What a backend says exactly. All else it refuses. */
export interface Capabilities {
  readonly kinds: readonly Kind[]
  readonly types: readonly LiteralType[]
  readonly features: readonly Feature[]
  /** What must be so in the engine for all this to hold, in words. */
  readonly preconditions: readonly string[]
}

/** Turns filters into something that selects: a predicate, SQL, a document. */
export interface Backend<Output> {
  /** For messages; nothing depends on it. */
  readonly name: string
  readonly capabilities: Capabilities
  /**
   * Pure: an output, or a refusal before there is any, of what `capabilities` leave out and what is finer: never an
   * approximation, for a filter may be what keeps one caller's rows from another.
   *
   * @throws TypeError when it is given no filter.
   * @throws FilterError with `backend_*` issues for what it cannot say.
   */
  compile(filter: Filter): Output
}

/** What of a filter a backend cannot say, by its declared kinds and types: one issue for each part. */
export function checkSupport(filter: Filter, { kinds, types }: Capabilities): readonly Issue[] {
  const issues: Issue[] = []
  const refuse = (what: string, { span }: Filter): void => {
    issues.push({ code: 'backend_unsupported', message: `this backend has no ${what}`, ...(span && { span }) })
  }
  const type = (type: LiteralType | 'object' | undefined, node: Filter): void => {
    if (type !== undefined && type !== 'object' && !types.includes(type)) refuse(`${type} values`, node)
  }
  const kind = (node: Filter): void => {
    if (!kinds.includes(node.kind)) refuse(`filters of kind ${node.kind}`, node)
  }
  fold<void>(filter, {
    and: (_, node) => kind(node),
    or: (_, node) => kind(node),
    not: (_, node) => kind(node),
    some: (_, node) => kind(node),
    comparison: (node) => (kind(node), type(node.operand.type, node)),
    membership: (node) => (kind(node), type(node.operands[0]?.type, node)),
    match: (node) => (kind(node), type('string', node)),
    presence: (node) => (kind(node), type(node.type, node)),
  })
  return issues
}
