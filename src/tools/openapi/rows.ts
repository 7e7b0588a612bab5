/** The schema of a row that the caller gives, as components of a document: without the fields that the answers lack. */
import type { Collection } from '../../language/index.ts'
import { member, own } from '../../own.ts'
import { pascal, type Claim, type Collector } from './components.ts'
import type { Reference, SchemaObject } from './objects.ts'
import type { Described, OpenApiVersion } from './options.ts'
import { isAround, shownBy } from './schemas.ts'

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a row's schema is a component of the document already, or stands elsewhere. */
export function isElsewhere(row: unknown): row is Reference {
  const reference = isObject(row) ? own(row, '$ref') : undefined
  return typeof reference === 'string' && !isLocal(reference, row as Json)
}
const isLocal = (reference: string, root: Json): boolean =>
  reference.startsWith('#') && !(reference.startsWith('#/components/') && !Object.hasOwn(root, 'components'))

/** Keywords by the form of their value: one schema, a list of schemas, or schemas by name. Those of `properties` lead to other paths. */
const keywords: Readonly<Record<string, 'schema' | 'list' | 'named' | 'properties'>> = {
  additionalProperties: 'schema',
  unevaluatedProperties: 'schema',
  unevaluatedItems: 'schema',
  items: 'schema',
  additionalItems: 'schema',
  contains: 'schema',
  propertyNames: 'schema',
  not: 'schema',
  if: 'schema',
  then: 'schema',
  else: 'schema',
  allOf: 'list',
  anyOf: 'list',
  oneOf: 'list',
  prefixItems: 'list',
  patternProperties: 'named',
  dependentSchemas: 'named',
  properties: 'properties',
}
/** Keywords that a component omits: it has another address, and definitions are separate components. */
const ofRoots = ['$schema', '$id', 'id', '$anchor', '$defs', 'definitions', '~standard']
/** Keywords that name fields, beside those that are cut. */
const naming = [
  'default',
  'example',
  'examples',
  'const',
  'enum',
  'dependentRequired',
  'dependentSchemas',
  'dependencies',
]

/**
 * @param reference to the component of the row.
 * @param argument the name of the row's schema, for messages.
 * @throws TypeError when the value is not a schema, or a reference leads nowhere.
 */
export function givenRowSchema(
  schema: unknown,
  collection: Collection,
  { version, row }: Described,
  claim: Collector['claim'],
  { reference }: Claim,
  argument: string,
): SchemaObject {
  const root = jsonSchemaOf(schema, version, argument)
  const fieldPaths = [...collection.schema.paths.keys()]
  const isShown = shownBy(collection)
  const isWhole = collection.selectable === undefined
  const isHidden = (path: string) => isAround(path, fieldPaths) && !isShown(path)
  /** Whether the answers lack a field below a path. */
  const isCut = (path: string) =>
    fieldPaths.some((name) => (path === '' || name.startsWith(`${path}.`)) && !(isWhole && isShown(name)))
  const references = new Map<string, Reference>()

  function referTo(pointer: string, path: string): Reference {
    const isRoot = pointer === '#' || pointer === '#/'
    if (isRoot && !isCut(path)) return reference
    const key = JSON.stringify([pointer, isCut(path) && path])
    const before = references.get(key)
    if (before !== undefined) return before
    const names = pointer.slice(2).split('/').map(unescape)
    const target = isRoot ? root : names.reduce<unknown>((at, name) => at && own(at, name as never), root)
    if (!isObject(target)) throw new TypeError(`${argument} refers to ${JSON.stringify(pointer)}, which leads nowhere`)
    const claimed = claim(row + pascal(isRoot ? path : names.at(-1)!))
    references.set(key, claimed.reference)
    claimed.fill(visit(target, path) as SchemaObject)
    return claimed.reference
  }

  function visit(schema: unknown, path: string): unknown {
    if (!isObject(schema)) return schema
    const isOfRoot = (name: string) => ofRoots.includes(name) && (name !== 'id' || typeof schema[name] === 'string')
    const members = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
      if (isOfRoot(name) || (isCut(path) && naming.includes(name))) return []
      if (name === '$ref' && typeof value === 'string' && isLocal(value, root)) {
        return [[name, referTo(decodeURIComponent(value), path).$ref]]
      }
      if (name === 'required' && Array.isArray(value)) {
        const left = (value as string[]).filter(
          (one) => !isHidden(at(path, one)) && (isWhole || !isAround(at(path, one), fieldPaths)),
        )
        return left.length === 0 ? [] : [[name, left]]
      }
      const kind = own(keywords, name)
      if (kind === undefined) return [[name, value]]
      if (kind === 'list' || Array.isArray(value)) return [[name, (value as unknown[]).map((one) => visit(one, path))]]
      return [[name, kind === 'schema' ? visit(value, path) : visitNamed(value as Json, path, kind)]]
    })
    return Object.fromEntries(members)
  }
  const visitNamed = (schemas: Json, path: string, kind: 'named' | 'properties') =>
    Object.fromEntries(
      Object.entries(schemas).flatMap(([name, schema]) => {
        if (kind === 'named') return [[name, visit(schema, path)]]
        return isHidden(at(path, name)) ? [] : [[name, visit(schema, at(path, name))]]
      }),
    )

  return visit(root, '') as SchemaObject
}

const at = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)
const unescape = (text: string): string => text.replaceAll('~1', '/').replaceAll('~0', '~')

/** Libraries write values that JSON Schema lacks, for example dates, as schemas without a type. Each has an option for them. */
const libraryOptions = { unrepresentable: 'any', errorMode: 'ignore' }

/** @see https://standardschema.dev/json-schema */
interface StandardJsonSchema {
  readonly '~standard': { readonly jsonSchema?: JsonSchemaOf }
}
interface JsonSchemaOf {
  readonly output: (options: { target: string; libraryOptions: object }) => unknown
}

function jsonSchemaOf(input: unknown, version: OpenApiVersion, argument: string): Json {
  // ArkType's schemas are functions.
  const standard = member((input ?? {}) as StandardJsonSchema, '~standard')
  if (standard !== undefined && typeof standard.jsonSchema?.output !== 'function') {
    throw new TypeError(`${argument} must have a JSON Schema; with valibot, pass toStandardJsonSchema(schema)`)
  }
  const schema = standard === undefined ? input : outputOf(standard.jsonSchema!, version, argument)
  if (isObject(schema)) return schema
  throw new TypeError(`${argument} must be a JSON Schema, or a schema of zod, ArkType or valibot`)
}

function outputOf({ output }: JsonSchemaOf, version: OpenApiVersion, argument: string): unknown {
  if (version !== '3.0') return output({ target: 'draft-2020-12', libraryOptions })
  try {
    return output({ target: 'openapi-3.0', libraryOptions })
  } catch (cause) {
    throw new TypeError(`${argument} has no form for OpenAPI 3.0: pass a JSON Schema, or another version`, { cause })
  }
}
