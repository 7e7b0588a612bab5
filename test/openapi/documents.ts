/** Documents of the demo's collections, in every version and style. */
import { experienceCollection, orderCollection } from '../../src/demo/data.ts'
import type { Collection } from '../../src/index.ts'
import { operation, type OpenApiOptions, type OpenApiVersion } from '../../src/openapi/index.ts'

const patch: Readonly<Record<OpenApiVersion, string>> = { '3.0': '3.0.4', '3.1': '3.1.1', '3.2': '3.2.0' }

export const documents = (['3.0', '3.1', '3.2'] as const).flatMap((version) =>
  (['compact', 'flat'] as const).map((style) => ({ version, style })),
)

const ofDemo = { Orders: orderCollection, Experiences: experienceCollection }

/** A document with collections by name, those of the demo unless given, and a key in a header. */
export function documentOf(options: OpenApiOptions, collections: Readonly<Record<string, Collection>> = ofDemo) {
  const { version = '3.1' } = options
  const pathOf = (collection: Collection, name: string) => ({
    get: { operationId: `list${name}`, summary: `Lists ${name.toLowerCase()}`, ...operation(collection, options) },
    ...(version === '3.2' && {
      query: {
        operationId: `query${name}`,
        summary: `Lists ${name.toLowerCase()}, for long queries`,
        ...operation(collection, { ...options, method: 'query' }),
      },
    }),
  })
  return {
    openapi: patch[version],
    info: { title: 'Bookings', version: '1.0.0', license: { name: 'MIT', url: 'https://opensource.org/license/mit' } },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } } },
    paths: Object.fromEntries(
      Object.entries(collections).map(([name, one]) => [`/api/${name.toLowerCase()}`, pathOf(one, name)]),
    ),
  }
}
