/** The part of a document that describes collections: their paths, and the components that these refer to. */
import { checkCollection, jsonTypes, valuesOf } from '../../language/index.ts'
import type { Collection, Limits, ResolvedField, ScalarType } from '../../language/index.ts'
import type { Notation } from '../../reading/index.ts'
import { checkOptions } from '../../options.ts'
import { member, own, ownOf } from '../../own.ts'
import { newCollector, pascal, type Claim } from './components.ts'
import { scalars } from './scalars.ts'
import type { Components, Operation, Reference, SchemaObject } from './objects.ts'
import { describedOperation, type ServiceNames } from './operation.ts'
import { checkDescribed, type Described, type OpenApiOptions, type OpenApiVersion } from './options.ts'
import { givenRowSchema, isElsewhere } from './rows.ts'
import { shownRowSchema } from './schemas.ts'

/** Options for the rows of a collection in a document. */
export interface OpenApiRow {
  /**
   * The name of a row, and the prefix of the names of its components: `Order`, `OrderPage`. It may contain letters, digits, `.`, `-` and
   * `_`. Default: a name from the path, `Orders` for `/api/orders`.
   */
  readonly name?: string | undefined
  /**
   * A more detailed schema of a row than that of the collection: a JSON Schema, or a schema of zod, ArkType or valibot (by its
   * `toStandardJsonSchema`). The document leaves out the fields that the answers lack.
   */
  readonly row?: unknown
}

/** A collection of a document, without a service. */
export interface OpenApiCollection extends OpenApiRow {
  /** Made by `defineCollection`. */
  readonly collection: Collection
  /** Names of pairs that are not conditions, and that the service reads. */
  readonly reserved?: readonly string[] | undefined
}

/** A service that describes the collections of a principal. `createListService` makes one. */
export interface OpenApiService<Principal extends object = object> {
  readonly described: (principal: Principal) => {
    /** The path before the names of the collections; `undefined` if the service answers at any path. */
    readonly basePath: string | undefined
    readonly limits: Limits
    readonly collections: readonly {
      /** The last name of the path. */
      readonly name: string
      readonly collection: Collection
      readonly reserved: readonly string[]
      /** The columns beside the fields of a row, and the JSON Schema of a page of its own form. */
      readonly answer?: { readonly columns: readonly string[]; readonly schema: object | undefined }
    }[]
    /** The statuses that options of the service add to its answers. */
    readonly statuses?: readonly (304 | 429)[]
    /** The notation of every request; `byRequest` if a function chooses it. */
    readonly notation?: Notation | 'byRequest' | undefined
  }
}

/** The options of {@link openapi} for a service. The limits are those of the service. */
export interface OpenApiServiceOptions extends Omit<OpenApiOptions, 'limits'> {
  /** The path at which a framework mounts the service, if the service has no option `basePath`. Default: empty. */
  readonly basePath?: string
  /** The names and the schemas of rows, by the names of collections: `{ orders: { name: 'Order' } }`. */
  readonly rows?: Readonly<Record<string, OpenApiRow>>
}

/** An operation of a document. */
export interface DocumentedOperation extends Operation<Reference> {
  readonly operationId: string
  readonly summary: string
}

/** A Path Item Object. */
export interface PathItem {
  readonly parameters?: readonly PathParameter[]
  readonly get: DocumentedOperation
  /** In the version 3.2: others lack the method. */
  readonly query?: DocumentedOperation
}
/** A part of a path that the caller fills in. */
export interface PathParameter {
  readonly name: string
  readonly in: 'path'
  readonly required: true
  readonly schema: SchemaObject
}

/** The part of a document that describes collections. */
export interface OpenApiDocument {
  /** The version in full: `3.1.1`. */
  readonly openapi: string
  readonly paths: Readonly<Record<string, PathItem>>
  readonly components: Components
}

const fullVersions: Readonly<Record<OpenApiVersion, string>> = { '3.0': '3.0.4', '3.1': '3.1.1', '3.2': '3.2.0' }

/**
 * Describes the collections of a service that one principal may query, or collections by their paths, for an OpenAPI document. Rows,
 * pages, problems and conditions are components with names: `Order`, `OrderPage`, `Problem`, `NumberConditions`. Spread the result into
 * your document, and add `info`, `servers`, `security` and the security schemes.
 *
 * @param service made by `createListService`.
 * @param principal the caller: the document contains only the collections and fields that this caller may query.
 * @param options the version of the document, the style, the path of the service, and the names and schemas of rows.
 * @returns the version, the paths and the components: plain JSON.
 * @throws TypeError when an argument has the wrong type, two rows have one name, or a row's schema has no JSON Schema.
 * @example
 * const service = createListService({
 *   authenticate: () => principal,
 *   collections: { orders: { collection: orderCollection, rows: orderRows, restriction: () => restriction } },
 * })
 * const described = openapi(service, principal, { basePath: '/api', rows: { orders: { name: 'Order' } } })
 * const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } }
 * const document = {
 *   ...described,
 *   info: { title: 'Bookings', version: '1.0.0' },
 *   components: { ...described.components, securitySchemes },
 * }
 * Object.keys(document.paths) // => ['/api/orders', '/api/orders/{id}']
 */
export function openapi<Principal extends object>(
  service: OpenApiService<Principal>,
  principal: NoInfer<Principal>,
  options?: OpenApiServiceOptions,
): OpenApiDocument
/**
 * Describes collections by their paths, without a service, for an OpenAPI document.
 *
 * @param collections by their paths, which may have parts in braces: `/sellers/{seller}/orders`.
 * @param options the version of the document, the style, and the limits of the service.
 * @returns the version, the paths and the components: plain JSON.
 * @throws TypeError when an argument has the wrong type, two rows have one name, or a row's schema has no JSON Schema.
 * @example
 * const described = openapi({ '/api/orders': { collection: orderCollection, name: 'Order' } })
 * Object.keys(described.components.schemas).slice(0, 2) // => ['Order', 'OrderStatus']
 */
export function openapi(
  collections: Readonly<Record<`/${string}`, OpenApiCollection>>,
  options?: OpenApiOptions,
): OpenApiDocument
export function openapi(
  input: OpenApiService<never> | Readonly<Record<string, OpenApiCollection>>,
  ...rest: readonly [unknown?, unknown?]
): OpenApiDocument {
  return isService(input)
    ? ofService(input, ...(rest as [never, OpenApiServiceOptions?]))
    : ofCollections(input, ...(rest as [OpenApiOptions?]))
}

const isService = (input: object): input is OpenApiService<never> =>
  (typeof input === 'function' || (typeof input === 'object' && input !== null)) &&
  typeof member(input as OpenApiService, 'described') === 'function'

/** A collection of a document, and the names of its parts in messages. */
interface Entry extends OpenApiCollection {
  readonly statuses?: readonly (304 | 429)[] | undefined
  readonly noted?: ServiceNames
  /** The names of the columns beside the fields of a row. */
  readonly columns?: readonly string[]
  readonly path: string
  readonly argument: string
}

function ofService(
  service: OpenApiService<never>,
  principal: never,
  options: OpenApiServiceOptions = {},
): OpenApiDocument {
  const checked = checkOptions(options, 'options', ['version', 'style', 'basePath', 'rows'])
  const { basePath: mounted, rows = {}, ...others } = checked
  const { limits, collections, statuses, notation, ...offered } = ownOf(service.described(principal))
  const basePath = mounted ?? offered.basePath ?? ''
  if (typeof basePath !== 'string' || !/^(?:\/[^?#]*[^/?#])?$/.test(basePath)) {
    throw new TypeError('options.basePath must begin with a slash and not end with one')
  }
  const names = collections.map(({ name }) => name)
  const rowOptions = new Map(Object.entries(checkOptions(rows, 'options.rows', names)))
  const entries = collections.map((one): Entry => {
    const { name, collection, reserved } = one
    const { columns, schema: page } = ownOf(own(one, 'answer') ?? { columns: [], schema: undefined })
    const argument = `options.rows.${name}`
    const row = checkOptions(rowOptions.get(name) ?? {}, argument, ['name', 'row'])
    return ownOf({
      ...row,
      path: `${basePath}/${name}`,
      argument,
      collection,
      reserved,
      statuses,
      noted: { notation, resource: name, page },
      columns,
    })
  })
  return documentOf(entries, checkDescribed({ ...others, limits }))
}

function ofCollections(
  collections: Readonly<Record<string, OpenApiCollection>>,
  options: OpenApiOptions = {},
): OpenApiDocument {
  if (typeof collections !== 'object' || collections === null || Object.keys(collections).length === 0) {
    throw new TypeError('collections must be collections by their paths, or a service with the function described')
  }
  const entries = Object.entries(collections).map(([path, entry]): Entry => {
    const argument = `collections[${JSON.stringify(path)}]`
    if (!path.startsWith('/')) throw new TypeError(`${argument} must have a path that begins with a slash`)
    const checked = checkOptions(entry, argument, ['collection', 'name', 'row', 'reserved'])
    checkCollection(checked.collection, `${argument}.collection`)
    const { reserved = [] } = checked
    if (!Array.isArray(reserved) || reserved.some((one) => typeof one !== 'string')) {
      throw new TypeError(`${argument}.reserved must be a list of names`)
    }
    return ownOf({ ...checked, path, argument })
  })
  return documentOf(entries, checkDescribed(options))
}

function documentOf(entries: readonly Entry[], described: Described): OpenApiDocument {
  checkNames(entries)
  const collector = newCollector()
  const claimOf = (entry: Entry): [Entry, Claim | undefined] => [
    entry,
    isElsewhere(entry.row) ? undefined : collector.claim(entry.name ?? nameOfPath(entry.path)),
  ]
  // Names that are given come before names that are made.
  const claims = new Map([
    ...entries.filter(({ name }) => name !== undefined).map(claimOf),
    ...entries.filter(({ name }) => name === undefined).map(claimOf),
  ])
  const ids = new Set<string>()
  const operationId = (name: string, number = 1): string => {
    const id = number === 1 ? name : `${name}${number}`
    return ids.size < ids.add(id).size ? id : operationId(name, number + 1)
  }
  const paths = entries.flatMap((entry): [string, PathItem][] => {
    const {
      path,
      argument,
      collection,
      name = nameOfPath(path),
      row,
      reserved = [],
      statuses = [],
      noted,
      columns,
    } = entry
    const claim = claims.get(entry)
    const placed: Described = { ...described, place: collector.place, row: claim?.name ?? name }
    claim?.fill(
      row === undefined
        ? withColumns(shownRowSchema(collection, placed), columns)
        : givenRowSchema(row, collection, placed, collector.claim, claim, `${argument}.row`),
    )
    const reference = claim?.reference ?? (row as Reference)
    const operationBy = (method: 'get' | 'query', verb: string, purpose = ''): DocumentedOperation => ({
      operationId: operationId(verb + nameOfPath(path)),
      summary: `Lists ${lastName(path)}${purpose}`,
      ...describedOperation(collection, placed, method, reference, reserved, statuses, noted),
    })
    const parts = new Set(Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, part]) => part!))
    const parameters = Array.from(parts, (part) => pathParameter(part, { type: 'string' }))
    const item = {
      ...(parameters.length > 0 && { parameters }),
      get: operationBy('get', 'list'),
      ...(placed.version === '3.2' && { query: operationBy('query', 'query', ' by a query that is content') }),
    }
    if (noted === undefined) return [[path, item]]
    const { key } = collection
    const one = {
      parameters: [...parameters, ...key.map((field) => pathParameter(field.name, keySchema(field)))],
      get: {
        operationId: operationId(`get${pascal(name)}`),
        summary: `Reads one of ${lastName(path)}`,
        ...describedOperation(collection, placed, 'row', reference, reserved, statuses, noted),
      },
    }
    return [
      [path, item],
      [`${path}/${key.map(({ name }) => `{${name}}`).join(',')}`, one],
    ]
  })
  return {
    openapi: fullVersions[described.version],
    paths: Object.fromEntries(paths),
    components: collector.components(),
  }
}

/** Adds the columns beside the fields to the schema of a row. Each row has them. */
const withColumns = (schema: SchemaObject, columns: readonly string[] = []): SchemaObject => ({
  ...schema,
  ...(columns.length > 0 && { required: [...(own(schema, 'required') ?? []), ...columns] }),
  properties: { ...own(schema, 'properties'), ...Object.fromEntries(columns.map((name) => [name, {}])) },
})

/** A value of a key, which is never relative to now, as an operand may be. Programs read `int64` as more numbers than JSON has exactly. */
function keySchema(field: ResolvedField): SchemaObject {
  const type = field.type as ScalarType
  const values = valuesOf(field)
  const schema = type === 'integer' ? scalars.integer.operand : jsonTypes[type]
  return { ...schema, ...(values && { enum: values }) }
}

const pathParameter = (name: string, schema: SchemaObject): PathParameter => ({
  name,
  in: 'path',
  required: true,
  schema,
})

/** Reads the last part of a path without a parameter: `orders` of `/sellers/{seller}/orders`. */
const lastName = (path: string): string =>
  path.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? 'rows'
const nameOfPath = (path: string): string => pascal(lastName(path)) || 'Rows'

/** @throws TypeError when a name is not that of a component, or two rows have it. */
function checkNames(entries: readonly Entry[]): void {
  const others = new Map<string, string>()
  for (const { name, argument } of entries) {
    if (name === undefined) continue
    if (typeof name !== 'string' || !/^[a-zA-Z0-9._-]+$/.test(name)) {
      throw new TypeError(`${argument}.name must have letters, digits, ".", "-" and "_" alone`)
    }
    const other = others.get(name)
    if (other !== undefined) throw new TypeError(`${argument}.name must differ from that of ${other}: both are ${name}`)
    others.set(name, argument)
  }
}
