/** Merges the parts of a JSON Schema that hold for one value: it follows references and joins `allOf`. */
import { unsupported } from '../foreign-fields.ts'
import { own, ownOf } from '../../own.ts'

type Json = Readonly<Record<string, unknown>>
export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The references and schemas around a schema, outermost first. One that occurs again is recursion. */
export type Around = readonly ReadonlySet<unknown>[]

/** How deep schemas may nest: a path of the greatest length has several for each of its names. */
const mostLevels = 200

/** Members in their order, with their positions: a lookup in a long list costs no more than in a short one. */
type Positions<T> = ReadonlyMap<T, number>

/** The requirements of several schemas for one value. */
export interface Shape {
  /** The types that are left; `undefined` where no schema names one. */
  readonly types: Positions<string> | undefined
  readonly formats: ReadonlySet<unknown>
  readonly patterns: readonly unknown[]
  /** The values that are left; `undefined` where no schema lists any. */
  readonly values: Positions<unknown> | undefined
  readonly properties: ReadonlyMap<string, readonly unknown[]>
  /** The names of the properties that are always there. */
  readonly required: ReadonlySet<unknown>
  /** OpenAPI 3.0, which has no type null: whether a schema leaves room for no value, whatever the others exclude. */
  readonly isNullable: boolean
  /** Whether no answer has it. */
  readonly isWriteOnly: boolean
  /** The schemas of the properties without a name. */
  readonly others: readonly unknown[]
  readonly items: readonly unknown[]
  readonly isTuple: boolean
  /** Alternatives with a type. Each applies together with the rest of the shape. */
  readonly alternatives: readonly unknown[] | undefined
  /** The schemas around the schemas inside. */
  readonly around: Around
}

/** The types that are left, without `null`, and without `integer` beside `number`. */
export const namedTypes = ({ types }: Shape): readonly string[] | undefined =>
  types && [...types.keys()].filter((type) => type !== 'null' && !(type === 'integer' && types.has('number')))

/** The parts of a conjunction, with the targets of references and the members of `allOf`. */
function partsOf(
  schemas: readonly unknown[],
  document: unknown,
  around: Around,
): { readonly parts: readonly Json[]; readonly followed: ReadonlySet<unknown> } {
  if (around.length > mostLevels) unsupported(`it nests deeper than ${mostLevels} levels`)
  const parts: Json[] = []
  const followed = new Set<unknown>()
  /** Whether a part is new: two parts may have one base. */
  const isNew = (part: unknown): boolean => {
    if (around.some((outer) => outer.has(part))) unsupported('recursion: it refers to what it is in')
    return followed.size < followed.add(part).size
  }
  const todo = [...schemas]
  for (let at = 0; at < todo.length; at++) {
    if (todo[at] === false) unsupported('no value: the schema is false')
    // In a document whose references are resolved, an object may be in itself.
    if (!isObject(todo[at]) || !isNew(todo[at])) continue
    const schema = ownOf(todo[at] as Json)
    parts.push(schema)
    if (Array.isArray(schema.allOf)) for (const part of schema.allOf as unknown[]) todo.push(part)
    if (schema.$ref === undefined) continue
    const ref = String(schema.$ref)
    if (isNew(ref)) todo.push(referred(ref, document))
  }
  return { parts, followed }
}

/** The target of a local reference. @see RFC 6901, JSON Pointer */
function referred(ref: string, document: unknown): unknown {
  if (!ref.startsWith('#/')) return unsupported(`a reference to another document: ${ref}`)
  const names = ref.split('/').slice(1)
  const target = names.reduce<unknown>((value, name) => {
    const key = decoded(name).replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof value === 'object' && value !== null ? own(value as Json, key) : undefined
  }, document)
  return target ?? unsupported(`a reference that leads nowhere: ${ref}`)
}

/** Decodes a name in the fragment of a URI. Returns a name with a malformed escape unchanged. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** The types of a schema, `integer` beside each `number`. Properties or items without a type suggest one, beside null. */
const typesOf = (schema: Json): readonly string[] | undefined => {
  const { type } = schema
  if (type !== undefined) {
    const types = new Set([type].flat().map(String))
    return [...(types.has('number') ? types.add('integer') : types)]
  }
  if (schema.properties !== undefined) return ['object', 'null']
  return schema.items === undefined && schema.prefixItems === undefined ? undefined : ['array', 'null']
}

function positionsOf<T>(list: readonly T[] | undefined): Positions<T> | undefined {
  if (list === undefined) return undefined
  const positions = new Map<T, number>()
  for (const [at, one] of list.entries()) if (!positions.has(one)) positions.set(one, at)
  return positions
}

/** The common members, in the order of the first list; the other one where one is absent. The time depends on the shorter one. */
function common<T>(a: Positions<T> | undefined, b: Positions<T> | undefined): Positions<T> | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const [few, many] = a.size <= b.size ? [a, b] : [b, a]
  const both = [...few.keys()].filter((one) => many.has(one)).sort((one, other) => a.get(one)! - a.get(other)!)
  return new Map(both.map((one) => [one, a.get(one)!]))
}

/** Whether a schema names a type. Alternatives that only list required properties do not. */
const hasType = (schema: unknown): boolean =>
  isObject(schema) &&
  ['type', 'const', 'enum', '$ref', 'properties', 'items', 'anyOf', 'oneOf', 'allOf'].some((name) =>
    Object.hasOwn(schema, name),
  )

const anyValue: Omit<Shape, 'around'> = {
  types: undefined,
  formats: new Set(),
  patterns: [],
  values: undefined,
  properties: new Map(),
  required: new Set(),
  isNullable: false,
  isWriteOnly: false,
  others: [],
  items: [],
  isTuple: false,
  alternatives: undefined,
}

/** @param beside the shape that applies too, without its alternatives: it is read once for all alternatives of a union. */
export function shapeOf(schemas: readonly unknown[], document: unknown, around: Around, beside = anyValue): Shape {
  const { parts, followed } = partsOf(schemas, document, around)
  let { types, values, isTuple, isNullable, isWriteOnly } = beside
  const formats = new Set(beside.formats)
  const patterns = [...beside.patterns]
  const required = new Set(beside.required)
  const properties = new Map<string, unknown[]>()
  const items: unknown[] = []
  const others: unknown[] = []
  const alternatives: unknown[][] = []
  for (const part of parts) {
    types = common(types, positionsOf(typesOf(part)))
    if (part.enum !== undefined && !Array.isArray(part.enum)) unsupported('its enum is not a list')
    values = common(values, positionsOf(part.enum as readonly unknown[] | undefined))
    if (part.const !== undefined) values = common(values, positionsOf([part.const]))
    if (part.format !== undefined) formats.add(part.format)
    if (part.pattern !== undefined) patterns.push(part.pattern)
    if (Array.isArray(part.required)) for (const name of part.required as unknown[]) required.add(name)
    isNullable ||= part.nullable === true
    isWriteOnly ||= part.writeOnly === true
    for (const [name, schema] of Object.entries(isObject(part.properties) ? part.properties : {})) {
      const schemas = properties.get(name)
      if (schemas === undefined) properties.set(name, [schema])
      else schemas.push(schema)
    }
    if (part.items !== undefined && part.items !== true) items.push(part.items)
    if (isObject(part.additionalProperties)) others.push(part.additionalProperties)
    isTuple ||= Array.isArray(part.items) || part.prefixItems !== undefined
    for (const union of [part.anyOf, part.oneOf]) {
      if (Array.isArray(union) && union.some(hasType)) alternatives.push(union as unknown[])
    }
  }
  if (alternatives.length > 1) unsupported('several unions at once')
  return {
    types,
    formats,
    patterns,
    values,
    properties: properties.size > 0 ? merged(beside.properties, properties) : beside.properties,
    required,
    isNullable,
    isWriteOnly,
    others: [...beside.others, ...others],
    items: [...beside.items, ...items],
    isTuple,
    alternatives: alternatives.at(0),
    around: [...around, followed],
  }
}

/** The schemas of each property, those of the first map first. */
function merged(a: Shape['properties'], b: Shape['properties']): Shape['properties'] {
  if (a.size === 0) return b
  const both = new Map(a)
  for (const [name, schemas] of b) both.set(name, [...(a.get(name) ?? []), ...schemas])
  return both
}
