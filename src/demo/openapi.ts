/** The description of the API, for `/openapi.json`. */
import type { Collection } from '../index.ts'
import { operation, type SchemaObject } from '../openapi/index.ts'
import { experienceCollection, orderCollection } from './data.ts'

const version = '3.2'
const get = operation(orderCollection, { version })
const problem = get.responses[401]!
const sentences: Readonly<Record<number, string>> = {
  429: 'Too many password checks at once.',
  503: 'The data is unavailable at the moment.',
}
const refusal = (status: number) => ({ [status]: { ...problem, headers: {}, description: sentences[status]! } })

/** An answer whose body has one text. */
const told = (description: string, name: string) => ({
  description,
  content: {
    'application/json': { schema: { type: 'object', required: [name], properties: { [name]: { type: 'string' } } } },
  },
})

/** Readers fill forms with examples, and make some out of patterns where there is none: they would send all of them. */
const unfilled = (schema: SchemaObject) => (schema.type === 'object' ? { ...schema, examples: [{}] } : schema)

const listing = (name: string, collection: Collection) => {
  const described = (method: 'get' | 'query', summary: string) => {
    const { parameters, responses, ...rest } = operation(collection, { version, method })
    return {
      operationId: method + name,
      summary,
      ...rest,
      ...(parameters && { parameters: parameters.map((one) => ({ ...one, schema: unfilled(one.schema) })) }),
      responses: { ...responses, ...refusal(503) },
    }
  }
  const what = name.toLowerCase()
  return {
    get: described('get', `Lists ${what}`),
    query: described('query', `Lists ${what}: the query is content, which may be longer than a URL`),
  }
}

export const document = {
  openapi: '3.2.0',
  info: {
    title: 'urlwhere demo',
    version: '1.0.0',
    description: 'Orders and experiences of a booking service. Try the keys `north-key`, `south-key` and `office-key`.',
    license: { name: 'MIT', identifier: 'MIT' },
  },
  servers: [{ url: '/' }],
  components: {
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
      basic: { type: 'http', scheme: 'basic' },
    },
  },
  security: [{ key: [] }],
  paths: {
    '/api/orders': listing('Orders', orderCollection),
    '/api/experiences': listing('Experiences', experienceCollection),
    '/api/apiKey': {
      get: {
        operationId: 'getApiKey',
        summary: 'Tells the key of an account',
        description: 'The password of the account `north` is `north-password`.',
        security: [{ basic: [] }],
        responses: { 200: told('The key.', 'apiKey'), 401: problem, ...refusal(429), ...refusal(503) },
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
