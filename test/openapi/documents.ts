/** Documents of the demo's collections, in every version and style. */
import { experienceCollection, orderCollection } from '../../docs/demo/data.ts'
import type { Collection } from '../../src/index.ts'
import { openapi, type OpenApiOptions } from '../../src/tools/openapi/index.ts'

export const documents = (['3.0', '3.1', '3.2'] as const).flatMap((version) =>
  (['compact', 'flat'] as const).map((style) => ({ version, style })),
)

const ofDemo = { Orders: orderCollection, Experiences: experienceCollection }

/** A document with collections by name, those of the demo unless given, and a key in a header. */
export function documentOf(
  options: OpenApiOptions,
  collections: Readonly<Record<string, Collection>> = ofDemo,
  rows: Readonly<Record<string, unknown>> = {},
) {
  const described = openapi(
    Object.fromEntries(
      Object.entries(collections).map(([name, collection]) => [
        `/api/${name.toLowerCase()}`,
        { collection, name: name.replace(/s$/, ''), row: rows[name] },
      ]),
    ),
    options,
  )
  return {
    ...described,
    info: { title: 'Bookings', version: '1.0.0', license: { name: 'MIT', url: 'https://opensource.org/license/mit' } },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    components: {
      ...described.components,
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } },
    },
  }
}
