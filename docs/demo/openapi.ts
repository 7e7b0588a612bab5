/** The description of the API, for `/openapi.json`. */
import type { ListService } from '../../src/service/index.ts'
import { openapi } from '../../src/tools/openapi/index.ts'
import type { Principal } from './accounts.ts'

const refusal = (status: 401 | 503) => ({ [status]: { $ref: `#/components/responses/Problem${status}` } })

/** An answer whose body has one text. */
const told = (description: string, name: string) => ({
  description,
  content: {
    'application/json': { schema: { type: 'object', required: [name], properties: { [name]: { type: 'string' } } } },
  },
})

/** Describes the collections of a principal in one document. @param isFlat whether each field and operator is a parameter. */
export function documentFor(service: ListService<Principal>, principal: Principal, isFlat = false) {
  const described = openapi(service, principal, {
    version: '3.2',
    ...(isFlat && { style: 'flat' }),
    rows: { orders: { name: 'Order' }, experiences: { name: 'Experience' } },
  })
  return {
    ...described,
    info: {
      title: 'urlwhere demo',
      version: '1.0.0',
      description:
        'Orders and experiences of a booking service. Try the keys `north-key`, `south-key`, `office-key` and `desk-key`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    components: {
      ...described.components,
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
    security: [{ key: [] }],
    paths: {
      ...described.paths,
      '/api/apiKey': {
        get: {
          operationId: 'getApiKey',
          summary: 'Tells the key of an account',
          description: 'The password of the account `north` is `north-password`.',
          security: [{ basic: [] }],
          responses: {
            200: told('The key.', 'apiKey'),
            ...refusal(401),
            429: {
              description: 'Too many password checks at once.',
              content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
            },
            ...refusal(503),
          },
        },
      },
      '/health': {
        get: {
          operationId: 'getHealth',
          summary: 'Tells whether the store answers',
          security: [],
          responses: { 200: told('It does.', 'status'), ...refusal(503) },
        },
      },
    },
  }
}
