/** `prismaBackend`: filters and queries as arguments of Prisma's client. */
import { and as conjoin, checkFilter, kinds, literalTypes, type Filter } from '../../tree/index.ts'
import type { Issue } from '../../issue/index.ts'
import type { Fields, ReadRow, RowOf } from '../../language/index.ts'
import { positionFilter, mostCounted, withEveryProperty, type Query } from '../../query/index.ts'
import type { QueryBackend } from '../backend.ts'
import { schemaIssues, throwIssues, tooLarge, withPosition } from '../issues.ts'
import { emit, whereOf } from './emit.ts'
import { mappingOf, type Mapping, type PrismaOptions } from './mapping.ts'
import { readingOf, rowsOf, type PrismaQuery } from './page.ts'
import type { PrismaWhere } from './provider.ts'

/** Prisma cannot filter rows by the number of related rows. */
const kindsOfPrisma = /* @__PURE__ */ Object.freeze(/* @__PURE__ */ kinds.filter((kind) => kind !== 'count'))

/** A backend of Prisma. Its queries read rows of the type `Row`. */
export interface PrismaBackend<Row = unknown> extends QueryBackend<PrismaWhere, PrismaQuery> {
  /** {@link QueryBackend.compileQuery}, with the rows that the query reads. */
  readonly compileQuery: <Asked extends string | undefined, Hidden extends string>(
    query: Query<Asked, Hidden>,
  ) => PrismaQuery<RowOf<Row, Asked, Hidden>>
}

/**
 * Compiles filters and queries to arguments of Prisma's client, version 7, on PostgreSQL, MySQL or SQLite: plain objects. It imports
 * nothing of Prisma. It reads required fields, enums, column types and relations from the text of Prisma's schema.
 *
 * An object is a relation to one row. A list of objects is a relation to many rows. A list of scalars is a scalar list, or a relation to
 * rows with one field for the entry. The backend reads objects and lists in a `Json` field, but cannot filter by them.
 *
 * `page` of a compiled query makes the page from the result of `findMany`, in the form of the schema.
 *
 * @returns a backend. Its `compile` throws a FilterError. `backend_unmapped`: the schema lacks a field. `backend_unsupported`: Prisma
 *   cannot express a condition on the stored field exactly. `backend_refused`: Prisma cannot run a condition or an order because of its
 *   operand, or the filter because of its size.
 * @throws TypeError that lists the fields that the models lack, or store in another form.
 * @example
 * const { compile } = prismaBackend({ schema: notes, datamodel, model: 'Note' })
 * const noteWhere = compile(parseFilterOrThrow(notes, 'total[gte]=5')) // prisma.note.findMany({ where: noteWhere })
 * // const { findMany, page } = compileQuery(query); page(await prisma.note.findMany(findMany))
 */
export function prismaBackend<F extends Fields>(options: PrismaOptions<F>): PrismaBackend<ReadRow<F>> {
  const mapping = mappingOf(options)
  const { schema, provider, row } = mapping
  const compile = (filter: Filter): PrismaWhere => {
    const checked = checkFilter(filter)
    throwIssues(schemaIssues(checked, schema))
    const issues: Issue[] = []
    const draft = emit({ provider, issues, start: row, list: '' }, checked, false)
    throwIssues(issues)
    const where = whereOf(draft)
    throwIssues(sizeIssues(mapping, where, (message) => tooLarge(message, checked, compile)))
    return where
  }
  const compileQuery = (input: Query): PrismaQuery<never> => {
    const query = withEveryProperty(input)
    const reading = readingOf(mapping, query)
    const most = mostCounted(query)
    const count = { where: compile(query.filter), ...(most !== undefined && { take: most }) }
    const where = withPosition(() => compile(conjoin(query.filter, positionFilter(query))))
    return { findMany: { where, ...reading }, count, ...rowsOf<never>(mapping, query) }
  }
  const { features, preconditions, storages } = provider
  const stored = Object.values(storages).flatMap(({ types }) => types)
  const types = Object.freeze(literalTypes.filter((type) => stored.includes(type)))
  const capabilities = Object.freeze({ kinds: kindsOfPrisma, types, features, preconditions })
  return { name: 'prisma', capabilities, compile, compileQuery }
}

/** Prisma reads JSON of 128 levels; where, its arguments and the types of operands are some of them. */
const mostLevels = 100

function sizeIssues(
  { provider: { mostOperands } }: Mapping,
  where: PrismaWhere,
  refusal: (message: string) => Issue,
): readonly Issue[] {
  let operands = 0
  let deepest = 0
  const count = (value: unknown, level: number): void => {
    deepest = Math.max(deepest, level)
    const isGroup = typeof value === 'object' && value !== null && !(value instanceof Date)
    if (isGroup) for (const part of Object.values(value)) count(part, level + 1)
    // Prisma writes NULL into the text.
    else if (value !== null) operands++
  }
  count(where, 1)
  return [
    ...(operands > mostOperands ? [refusal(`Prisma sends at most ${mostOperands} operands in one statement`)] : []),
    ...(deepest > mostLevels
      ? [refusal(`the filter nests deeper than the ${mostLevels} levels that Prisma reads`)]
      : []),
  ]
}
