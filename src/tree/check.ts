/** Checks filters: the parts of each kind, and the limits of a tree. */
import {
  countExpected,
  isFolded,
  kinds,
  literalTypes,
  matchModes,
  maxFilterDepth,
  maxFilterNodes,
  mostEntries,
} from './ast.ts'
import type { Comparison, Filter, Kind, Presence } from './ast.ts'
import { readLiteral, readOperands, readText } from './literal.ts'
import { readPath, readPathAround, readPathToList } from './path.ts'
import { constantOf, isObject, listOf, oneOf, passing, readAs, readPart, refuse } from './read.ts'
import type { Read, ReadProgress } from './read.ts'
import { isTrusted, trust, sizeOf } from './sound.ts'
import { readSpan } from './span.ts'

type Parts<N> = { readonly [K in Exclude<keyof N, 'kind' | 'span'>]: Read<N[K]> }

const isCount = (value: unknown): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= mostEntries

const readMember: Read<Filter> = (value, reading) => readFilter(value, reading)
const readMembers = /* @__PURE__ */ listOf(readMember)

/** Reads the type of a value that may be present. */
export const readPresentType = /* @__PURE__ */ oneOf<Presence['type']>(
  /* @__PURE__ */ [literalTypes, 'object' as const, 'json' as const].flat(),
)

/** The parts of each kind, in the order in which its nodes have them. */
const parts: { readonly [K in Kind]: Parts<Extract<Filter, { kind: K }>> } = {
  and: { filters: readMembers },
  or: { filters: readMembers },
  not: { filter: readMember },
  comparison: {
    path: readPath,
    operator: /* @__PURE__ */ oneOf([
      'eq',
      'gt',
      'gte',
      'lt',
      'lte',
      'gtIgnoreCase',
      'gteIgnoreCase',
      'ltIgnoreCase',
      'lteIgnoreCase',
    ]),
    operand: readLiteral,
  },
  membership: { path: readPath, operands: readOperands },
  match: { path: readPath, mode: /* @__PURE__ */ oneOf(matchModes), text: readText },
  presence: { path: readPath, type: readPresentType },
  some: { path: readPathAround, filter: readMember },
  count: {
    path: readPathToList,
    type: readPresentType,
    operator: /* @__PURE__ */ oneOf(['gte', 'lte']),
    operand: /* @__PURE__ */ passing(isCount, countExpected),
  },
}
const partsOf = /* @__PURE__ */ new Map(
  /* @__PURE__ */ kinds.map((kind) => [kind, Object.entries(parts[kind]) as readonly [string, Read<unknown>][]]),
)

const readKind: Read<Kind> = /* @__PURE__ */ passing((value) => partsOf.has(value as Kind), 'the kind of a filter')

const readFilter: Read<Filter> = (value, reading) => {
  if (!isObject(value)) return refuse(reading, 'must be a filter')
  const { names } = reading
  reading.levels++
  // Of a sound filter that is too deep in this place, the reader names the part that is.
  const size = isTrusted(value) ? sizeOf(value, reading.levels, names) : Infinity
  const isRead = size === Infinity
  reading.nodes += isRead ? 1 : size
  if (reading.levels > maxFilterDepth) refuse(reading, `nests deeper than ${maxFilterDepth} levels`)
  if (reading.nodes > maxFilterNodes) {
    reading.route.length = 0
    refuse(reading, `has more than ${maxFilterNodes} groups and conditions`)
  }
  const filter = isRead ? readNode(value, reading) : (value as Filter)
  reading.levels--
  reading.names = names
  return filter
}

function readNode(value: object, reading: ReadProgress): Filter {
  const kind = readPart(readKind, value, 'kind', reading)
  const node: Record<string, unknown> = { kind }
  for (const [name, read] of partsOf.get(kind)!) node[name] = readPart(read, value, name, reading)
  if (kind === 'comparison') {
    const { operator, operand } = node as unknown as Comparison
    const { type } = operand
    if (type === 'boolean' ? operator !== 'eq' : type !== 'string' && isFolded(operator)) {
      reading.route.push('operator')
      refuse(reading, `must compare values of type ${type}`)
    }
  }
  const span = readPart(readSpan, value, 'span', reading)
  if (span !== undefined) node.span = span
  return constantOf(value, node) as unknown as Filter
}

/**
 * Checks every part of a filter. Builders, {@link fold} and backends call it first and use its result, because a filter from JSON is
 * untrusted input, and `undefined` must never count as no restriction.
 *
 * @param argument the name of the filter in messages.
 * @returns the filter itself if every part is frozen and declared by its kind, as in all filters of this library; otherwise a frozen copy
 *   of the declared parts.
 * @throws TypeError that names the wrong part; or when the filter nests deeper than {@link maxFilterDepth} levels, has more than
 *   {@link maxFilterNodes} nodes, or a path of more than {@link maxPathLength} names.
 * @example
 * checkFilter(JSON.parse('{"kind":"and","filters":[{}]}')) // throws TypeError: filter.filters[0].kind must be the kind of a filter
 */
export function checkFilter(filter: unknown, argument = 'filter'): Filter {
  if (isTrusted(filter)) return filter
  const read = readAs(readFilter, filter, argument)
  return isTrusted(read) ? read : trust(read)
}
