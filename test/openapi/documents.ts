/** Documents of the demo's collections, in every version and style. */
import { experienceCollection, orderCollection } from '../../docs/demo/data.ts'
import { defaultLimits, type Collection } from '../../src/index.ts'
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
  const { limits, ...others } = options
  const listed = Object.entries(collections).map(([name, collection]) => ({
    ...{ name: name.toLowerCase(), collection, reserved: [] },
    row: { name: name.replace(/s$/, ''), row: rows[name] },
  }))
  const service = {
    described: () => ({ basePath: '/api', limits: { ...defaultLimits, ...limits }, collections: listed }),
  }
  const rowOptions = Object.fromEntries(listed.map(({ name, row }) => [name, row]))
  const described = openapi(service, {}, { ...others, rows: rowOptions })
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
