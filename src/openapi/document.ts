/** The part of a document that describes collections: their paths, and the components that these refer to. */
import { checkCollection, type Collection } from '../language/index.ts'
import { checkOptions } from '../options.ts'
import { member, ownOf } from '../own.ts'
import type { Limits } from '../syntax/limits.ts'
import { newCollector, pascal, type Claim, type Components, type Reference } from './components.ts'
import { describedOperation, type Operation } from './operation.ts'
import { checkDescribed, type Described, type OpenApiOptions, type OpenApiVersion } from './options.ts'
import { givenRowSchema, isElsewhere } from './rows.ts'
import { shownRowSchema } from './schemas.ts'

/** What a document tells of rows beside their collection. */
export interface OpenApiRow {
  /**
   * The name of a row, with which the names of its components begin: `Order`, `OrderPage`. It has letters, digits, `.`, `-` and `_`
   * alone. Without it, the name is made of the path: `Orders` of `/api/orders`.
   */
  readonly name?: string | undefined
  /**
   * The schema of a row, where that of the collection tells too little: a JSON Schema, or a schema of zod, ArkType or valibot
   * (by its `toStandardJsonSchema`). The document leaves the fields out that the answers lack.
   */
  readonly row?: unknown
}

/** A collection of a document, without a service. */
export interface OpenApiCollection extends OpenApiRow {
  /** Made by `defineCollection`. */
  readonly collection: Collection
  /** Names of pairs that are no conditions, and that the service reads. */
  readonly reserved?: readonly string[] | undefined
}

/** A service that tells what a principal may ask. `createListService` makes one. */
export interface OpenApiService<Principal extends object = object> {
  readonly described: (principal: Principal) => {
    /** The path before the names of the collections; `undefined` where the service answers at any. */
    readonly basePath: string | undefined
    readonly limits: Limits
    readonly collections: readonly {
      /** The last name of the path. */
      readonly name: string
      readonly collection: Collection
      readonly reserved: readonly string[]
    }[]
  }
}

/** The options of {@link openapi} with a service, which has limits of its own. */
export interface OpenApiServiceOptions extends Omit<OpenApiOptions, 'limits'> {
  /** The path at which a framework mounts the service, where the service has no `basePath` of its own. Empty unless given. */
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
  readonly schema: { readonly type: 'string' }
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
 * Describes the collections of a service that one principal may ask, or collections by their paths, for an OpenAPI document. Rows,
 * pages, problems and conditions are components, which have names of their own: `Order`, `OrderPage`, `Problem`, `NumberConditions`.
 * Spread the result into your document: `info`, `servers`, `security` and the security schemes are yours.
 *
 * @param service made by `createListService`.
 * @param principal the caller for whom the document is: it has what this caller may ask, and no more.
 * @param options the version of the document, the style, the path of the service, and the names and schemas of rows.
 * @returns the version, the paths and the components: plain JSON.
 * @throws TypeError when an argument is not of its type, two rows have one name, or a row's schema has no JSON Schema.
 * @example
 * const described = openapi(service, principal, { basePath: '/api', rows: { orders: { name: 'Order' } } })
 * const document = {
 *   ...described,
 *   info: { title: 'Bookings', version: '1.0.0' },
 *   components: { ...described.components, securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } } },
 * }
 */
export function openapi<Principal extends object>(
  service: OpenApiService<Principal>,
  principal: NoInfer<Principal>,
  options?: OpenApiServiceOptions,
): OpenApiDocument
/**
 * @param collections by their paths, which may have parts in braces: `/sellers/{seller}/orders`.
 * @param options the version of the document, the style, and the limits of the service.
 * @example openapi({ '/api/orders': { collection: orderCollection, name: 'Order' } }).components.schemas.Order
 */
export function openapi(
  collections: Readonly<Record<`/${string}`, OpenApiCollection>>,
  options?: OpenApiOptions,
): OpenApiDocument
export function openapi(
  given: OpenApiService<never> | Readonly<Record<string, OpenApiCollection>>,
  ...rest: readonly [unknown?, unknown?]
): OpenApiDocument {
  return isService(given)
    ? ofService(given, ...(rest as [never, OpenApiServiceOptions?]))
    : ofCollections(given, ...(rest as [OpenApiOptions?]))
}

const isService = (given: object): given is OpenApiService<never> =>
  (typeof given === 'function' || (typeof given === 'object' && given !== null)) &&
  typeof member(given as OpenApiService, 'described') === 'function'

function ofService(
  service: OpenApiService<never>,
  principal: never,
  options: OpenApiServiceOptions = {},
): OpenApiDocument {
  const {
    basePath: mounted = '',
    rows = {},
    ...others
  } = checkOptions(options, 'options', [...['version', 'style', 'basePath', 'rows']])
  const { basePath = mounted, limits, collections } = service.described(principal)
  if (typeof basePath !== 'string' || !/^(?:\/[^?#]*[^/?#])?$/.test(basePath)) {
    throw new TypeError('options.basePath must begin with a slash and not end with one')
  }
  const names = collections.map(({ name }) => name)
  const told = new Map(Object.entries(checkOptions(rows, 'options.rows', names)))
  const paths = collections.map(({ name, collection, reserved }): Entry => {
    const row = checkOptions(told.get(name) ?? {}, `options.rows.${name}`, ['name', 'row'])
    return [`${basePath}/${name}`, { ...row, collection, reserved }]
  })
  return ofCollections(Object.fromEntries(paths), { ...others, limits })
}

function ofCollections(
  collections: Readonly<Record<string, OpenApiCollection>>,
  options: OpenApiOptions = {},
): OpenApiDocument {
  const described = checkDescribed(options)
  const collector = newCollector()
  const entries = checkCollections(collections)
  const claimOf = ([path, { name, row }]: Entry): [string, Claim | undefined] => [
    path,
    isElsewhere(row) ? undefined : collector.claim(name ?? nameOfPath(path)),
  ]
  // Names that are given come before names that are made.
  const claims = new Map([
    ...entries.filter(([, { name }]) => name !== undefined).map(claimOf),
    ...entries.filter(([, { name }]) => name === undefined).map(claimOf),
  ])
  const ids = new Set<string>()
  const idOf = (wanted: string): string => {
    for (let number = 1; ; number++) {
      const id = number === 1 ? wanted : `${wanted}${number}`
      if (ids.size < ids.add(id).size) return id
    }
  }
  const paths = entries.map(
    ([path, { collection, name = nameOfPath(path), row, reserved = [] }]): [string, PathItem] => {
      const claim = claims.get(path)
      const own: Described = { ...described, place: collector.place, row: claim?.name ?? name }
      claim?.fill(
        row === undefined
          ? shownRowSchema(collection, own)
          : givenRowSchema(row, collection, own, collector.claim, claim, `${argumentOf(path)}.row`),
      )
      const reference = claim?.reference ?? (row as Reference)
      const operationBy = (method: 'get' | 'query', verb: string, purpose = ''): DocumentedOperation => ({
        operationId: idOf(verb + nameOfPath(path)),
        summary: `Lists ${lastName(path)}${purpose}`,
        ...describedOperation(collection, own, method, reference, reserved),
      })
      const parts = Array.from(path.matchAll(/\{([^{}]*)\}/g), ([, part]) => part!)
      const parameters = parts.map((part): PathParameter => ({
        name: part,
        in: 'path',
        required: true,
        schema: { type: 'string' },
      }))
      const item = {
        ...(parameters.length > 0 && { parameters }),
        get: operationBy('get', 'list'),
        ...(own.version === '3.2' && { query: operationBy('query', 'query', ' by a query that is content') }),
      }
      return [path, item]
    },
  )
  return {
    openapi: fullVersions[described.version],
    paths: Object.fromEntries(paths),
    components: collector.components(),
  }
}

/** The last part of a path that stands there in full: `orders` of `/sellers/{seller}/orders`. */
const lastName = (path: string): string =>
  path.split('/').findLast((part) => part !== '' && !part.includes('{')) ?? 'rows'
const nameOfPath = (path: string): string => pascal(lastName(path)) || 'Rows'

type Entry = readonly [path: string, OpenApiCollection]
const argumentOf = (path: string): string => `collections[${JSON.stringify(path)}]`

function checkCollections(collections: Readonly<Record<string, OpenApiCollection>>): readonly Entry[] {
  if (typeof collections !== 'object' || collections === null) {
    throw new TypeError(
      'collections must be a service with the function described, or an object of collections by path',
    )
  }
  const names = new Map<string, string>()
  return Object.entries(collections).map(([path, entry]) => {
    const argument = argumentOf(path)
    if (!path.startsWith('/')) throw new TypeError(`${argument} must have a path that begins with a slash`)
    const given = ownOf(checkOptions(entry, argument, ['collection', 'name', 'row', 'reserved']))
    checkCollection(given.collection, `${argument}.collection`)
    const { name, reserved = [] } = given
    if (!Array.isArray(reserved) || reserved.some((one) => typeof one !== 'string')) {
      throw new TypeError(`${argument}.reserved must be a list of names`)
    }
    if (name !== undefined) {
      if (typeof name !== 'string' || !/^[a-zA-Z0-9._-]+$/.test(name)) {
        throw new TypeError(`${argument}.name must have letters, digits, ".", "-" and "_" alone`)
      }
      const other = names.get(name)
      if (other !== undefined)
        throw new TypeError(`${argument}.name is ${name}, which is the name of rows of ${other}, too`)
      names.set(name, path)
    }
    return [path, given]
  })
}
