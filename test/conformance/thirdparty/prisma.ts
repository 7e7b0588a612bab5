/**
 * A backend by somebody else, made from docs/guides/custom-backend.md alone: a filter as the `where` of Prisma's client, on PostgreSQL.
 * Objects are relations to one record, lists of objects relations to many, lists of scalars scalar lists.
 */
import {
  FilterError,
  or,
  type EntryField,
  type Field,
  type Fields,
  type Filter,
  type Issue,
  type IssueCode,
  type Path,
  type Schema,
} from '../../../src/filter.ts'
import {
  comparison,
  fold,
  kinds,
  literalTypes,
  presence,
  some,
  type Algebra,
  type Backend,
  type Capabilities,
  type Literal,
  type LiteralType,
} from '../../../src/tree.ts'

export interface Where {
  readonly [name: string]: unknown
}

/** What an object must satisfy, or a constant: Prisma has no word for `true` inside of a group. */
type Condition = Where | boolean
/** Prisma's NOT leaves out what is null, so complements are made at the leaves: `negated` goes down to them. */
type Emit = (fields: Fields, negated: boolean) => Condition
/** Says something of the field of that name, or its complement. */
type Say = (name: string, negated: boolean) => Where
/** What an entry of a scalar list may be: one of some literals, or anything. */
type Entries = readonly Literal[] | 'any'

const capabilities: Capabilities = {
  kinds,
  types: literalTypes,
  // Columns have types, ILIKE is as good as the locale, and a record without values stands for a null entry too.
  features: [],
  preconditions: [
    'texts have the collation "C": ordered by code point, and ILIKE ignores the case of ASCII letters alone',
    'integers are BigInt, numbers Float, dates DateTime @db.Date, datetimes DateTime',
    'every field is optional in Prisma’s schema',
    'lists of scalars hold no null; a null entry of a list of objects is a record without values',
  ],
}

const words = { eq: 'equals', gt: 'gt', gte: 'gte', lt: 'lt', lte: 'lte' } as const
const modes = { prefix: 'startsWith', suffix: 'endsWith', substring: 'contains' } as const

/** @param schema what filters are about: only it tells a relation to many from a scalar list. */
export function prismaBackend(schema: Schema): Backend<Where> {
  function compile(filter: Filter): Where {
    const issues: Issue[] = []
    const refuse = ({ span }: Filter, code: IssueCode, message: string): false => {
      // A node with a span was read from a client's text.
      const fault = code === 'backend_refused' && span !== undefined ? 'client' : 'server'
      issues.push({ code, fault, message, ...(span && { span }) })
      return false
    }
    const unmapped = (node: Filter & { readonly path: Path }) =>
      refuse(node, 'backend_unmapped', `Prisma’s model has no such field: ${node.path.join('.')}`)
    const unsupported = (node: Filter, what: string) => refuse(node, 'backend_unsupported', `Prisma has no ${what}`)

    /** A condition on a scalar field. */
    const onScalar =
      (
        node: Filter & { readonly path: Path },
        say: Say,
        literals: readonly Literal[],
        type: LiteralType | 'object' | undefined = literals[0]?.type,
      ): Emit =>
      (fields, negated) => {
        const field = fieldAt(fields, node.path)
        if (field === undefined || field.type === 'list') return unmapped(node)
        if (type === undefined) return negated // membership in nothing
        return mayHold(node, field, type, literals) && place(node.path, negated, say)
      }
    const mayHold = (node: Filter, field: EntryField, type: LiteralType | 'object', literals: readonly Literal[]) => {
      if (typeIn(field) !== type) return unsupported(node, `${type} in a field of type ${field.type}`)
      if (field.type !== 'enumeration') return true
      if (node.kind === 'match' || (node.kind === 'comparison' && node.operator !== 'eq'))
        return unsupported(node, 'more than equality for an enumeration')
      return (
        literals.every(({ value }) => field.values.includes(value as string)) ||
        refuse(node, 'backend_refused', 'Prisma has no value of an enumeration that is not in it')
      )
    }

    /** What a filter says of the entries of a scalar list. */
    function entriesOf(node: Filter, entry: EntryField): Entries {
      const refused = (what: string): Entries => (unsupported(node, `${what} in a list of scalars`), [])
      const literals = (of: readonly Literal[]): Entries =>
        of.length > 0 && !mayHold(node, entry, of[0]!.type, of) ? [] : of
      switch (node.kind) {
        case 'comparison':
          return node.operator === 'eq' ? literals([node.operand]) : refused('order of entries')
        case 'membership':
          return literals(node.operands)
        case 'presence':
          return mayHold(node, entry, node.type, []) ? 'any' : []
        case 'or': {
          const members = node.filters.map((member) => entriesOf(member, entry))
          return members.includes('any') ? 'any' : (members as (readonly Literal[])[]).flat()
        }
        case 'and':
          return refused('two conditions on one entry')
        case 'not':
          return refused('entry that does not satisfy a condition')
        case 'match':
          return refused('parts of the text of an entry')
        case 'some':
          return refused('lists')
      }
    }

    const algebra: Algebra<Emit> = {
      and: (members) => (fields, negated) =>
        group(
          negated ? 'OR' : 'AND',
          members.map((emit) => emit(fields, negated)),
        ),
      or: (members) => (fields, negated) =>
        group(
          negated ? 'AND' : 'OR',
          members.map((emit) => emit(fields, negated)),
        ),
      not: (emit) => (fields, negated) => emit(fields, !negated),
      comparison: (node) => onScalar(node, orNull({ [words[node.operator]]: valueOf(node.operand) }), [node.operand]),
      membership: (node) =>
        node.operands[0]?.type === 'boolean' // which have no `in`
          ? emitOf(or(...node.operands.map((operand) => comparison(node.path, 'eq', operand))))
          : onScalar(node, orNull({ in: node.operands.map(valueOf) }), node.operands),
      match: (node) => {
        const pattern = node.text.replace(/[\\%_]/g, '\\$&') // Prisma hands it to ILIKE as it is
        return onScalar(node, orNull({ [modes[node.mode]]: pattern, mode: 'insensitive' }), [], 'string')
      },
      presence: (node) => (fields, negated) => {
        if (node.type !== 'object') return onScalar(node, isThere, [], node.type)(fields, negated)
        // The row itself is there; an entry is when it has a value.
        if (node.path.length === 0) return fields === schema.fields ? !negated : emitOf(anyIn(fields))(fields, negated)
        if (fieldAt(fields, node.path)?.type !== 'object') return unmapped(node)
        return place(node.path, negated, (name) => ({ [name]: { [negated ? 'is' : 'isNot']: null } }))
      },
      some: (emit, node) => (fields, negated) => {
        const list = fieldAt(fields, node.path)
        if (list?.type !== 'list') return unmapped(node)
        if (list.entry.type === 'object') {
          const inner = emit(list.entry.fields, false)
          const said = { [negated ? 'none' : 'some']: inner === true ? {} : inner }
          return inner === false ? negated : place(node.path, negated, (name) => ({ [name]: said }))
        }
        const said = listFilter(entriesOf(node.filter, list.entry))
        return said === undefined ? negated : place(node.path, negated, orNull(said, { equals: null }))
      },
    }
    const emitOf = (of: Filter): Emit => fold(of, algebra)

    const condition = emitOf(filter)(schema.fields, false)
    const [first, ...rest] = issues
    if (first !== undefined) throw new FilterError([first, ...rest])
    return typeof condition === 'object' ? condition : condition ? {} : { OR: [] }
  }
  return { name: 'prisma', capabilities, compile }
}

/** The field at the end of a path through objects, if Prisma can name it: AND is no field, nor is `a-b`. */
function fieldAt(fields: Fields, [name, ...rest]: Path): Field | undefined {
  if (name === undefined || !Object.hasOwn(fields, name)) return undefined
  if (!/^[a-z]\w*$/i.test(name) || ['AND', 'OR', 'NOT'].includes(name)) return undefined
  const field = fields[name]!
  if (rest.length === 0) return field
  return field.type === 'object' ? fieldAt(field.fields, rest) : undefined
}
const typeIn = (entry: EntryField) => (entry.type === 'enumeration' ? 'string' : entry.type)
/** An entry has a value when one of its fields has. */
const anyIn = (fields: Fields): Filter =>
  or(
    ...Object.entries(fields).map(([name, field]) =>
      field.type === 'list' ? some([name], presence([], typeIn(field.entry))) : presence([name], typeIn(field)),
    ),
  )
const valueOf = ({ type, value }: Literal) => (type === 'date' || type === 'datetime' ? new Date(value) : value)

function group(word: 'AND' | 'OR', members: readonly Condition[]): Condition {
  const neutral = word === 'AND'
  if (members.includes(!neutral)) return !neutral
  const rest = members.filter((member) => member !== neutral)
  return rest.length === 0 ? neutral : rest.length === 1 ? rest[0]! : { [word]: rest }
}
/** A scalar list with such an entry; undefined where no entry will do. */
function listFilter(entries: Entries): Where | undefined {
  if (entries === 'any') return { isEmpty: false }
  const [first, ...more] = entries.map(valueOf)
  if (first === undefined) return undefined
  return more.length === 0 ? { has: first } : { hasSome: [first, ...more] }
}

const isThere: Say = (name, negated) => ({ [name]: negated ? null : { not: null } })
/** What is said, or its complement, which holds where the field is null too. */
const orNull =
  (said: Where, isNull: unknown = null): Say =>
  (name, negated) =>
    negated ? { OR: [{ NOT: { [name]: said } }, { [name]: isNull }] } : { [name]: said }
/** What is said of the field at the end of a path; a complement holds too where an object on the way is null. */
function place([name, ...rest]: Path, negated: boolean, say: Say): Where {
  if (rest.length === 0) return say(name!, negated)
  const within = { [name!]: { is: place(rest, negated, say) } }
  return negated ? { OR: [within, { [name!]: { is: null } }] } : within
}
