/** The OpenAPI document of a service in a notation describes the parameters that the service reads and the form of its answers. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { createListService } from '../../src/service/index.ts'
import { and, narrow, type Query } from '../../src/index.ts'
import type { Notation } from '../../src/clients/notations/index.ts'
import { openapi, type OpenApiDocument } from '../../src/tools/openapi/index.ts'
import { collection, notations, rows } from './orders.ts'

const { compile, compileQuery } = memoryBackend()
const memory = {
  find: (query: Query) => compileQuery({ ...query, count: false })(rows).rows,
  count: ({ filter }: Query) => rows.filter(compile(filter)).length,
}
const few = narrow(collection, {
  operators: { note: ['equals'] },
  fields: { hide: ['day', 'customer'] },
  search: false,
})
const serviceOf = (notation: Notation | (() => undefined)) =>
  createListService<{ readonly isFew?: boolean }>({
    authenticate: () => ({}),
    basePath: '/api',
    collections: {
      orders: {
        collection: ({ isFew }) => (isFew === true ? few : collection),
        rows: memory,
        restriction: () => and(),
      },
    },
    notation,
  })
const whole = (document: OpenApiDocument) => ({ ...document, info: { title: 'Orders', version: '1' } })

const values: Readonly<Record<string, string>> = {
  ...{ id: '1', status: 'paid', total: '1.5', note: 'a', gift: 'true', day: '2024-01-05', tags: 'a' },
  ...{ 'customer.name': 'Ann', total_gte: '2', customer: 'a', paidAt: '2024-01-05T10:00:00Z' },
}
const paths = Object.keys(values).sort((a, b) => b.length - a.length)
const ofRole: Readonly<Record<string, string>> = {
  ...{ sort: 'id', order: 'asc', start: '0', end: '5', size: '5', page: '1', search: 'a', fields: 'id,total' },
  ...{ range: '[0,4]', counted: 'true', filter: '{}' },
}

/** Returns a query string for each meaning of a described parameter. */
function textsOf(
  notation: Notation,
  { name, role, meanings }: ReturnType<Notation['parameters']>[number],
): readonly string[] {
  const pair = (key: string, value: string) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`
  if (role === 'filter')
    return Object.keys(meanings).map((member) => {
      const path = paths.find((one) => member.startsWith(one))!
      const value = meanings[member] === 'equals' && path === 'customer' ? null : values[path]
      return pair(name, JSON.stringify({ [member]: value }))
    })
  if (role === 'sort' && notation.name === 'reactAdmin') return [pair(name, '["id","ASC"]')]
  if (name === '_per_page') return [`_page=1&${pair(name, '5')}`]
  if (role === 'order') return [`_sort=id&${pair(name, 'asc')}`]
  // Only links contain valid cursors.
  if (role === 'cursor') return []
  if (role !== undefined) return [pair(name, ofRole[role]!)]
  const path = paths.find((one) => name.replaceAll('][', '.').includes(one))!
  return Object.entries(meanings).flatMap(([word, meaning]) => {
    const operator = meaning.replace('!', '')
    const value = operator === 'exists' ? 'true' : /^at(?:Least|Most)$/.test(operator) ? '1' : values[path]!
    const isRange = operator === 'range'
    const isWorded = notation.name === 'nestPaginate'
    const both = isRange && notation.name !== 'strapi' ? `${value},${value}` : value
    const told = isWorded && word !== '' ? (meaning === '!exists' ? word : `${word}:${both}`) : both
    return [isRange && notation.name === 'strapi' ? `${pair(name, told)}&${pair(name, told)}` : pair(name, told)]
  })
}

describe.each(Object.entries(notations))('%s', (name, notation) => {
  const service = serviceOf(notation)

  test('is valid', { timeout: 60_000 }, async () => {
    for (const version of ['3.0', '3.1', '3.2'] as const)
      expect(await new Validator().validate(structuredClone(whole(openapi(service, {}, { version }))))).toEqual({
        valid: true,
      })
  })

  test.each([
    ['all', {}, collection],
    ['few', { isFew: true }, few],
  ] as const)('the service reads each parameter: %s', async (_, principal, asked) => {
    const described = notation.parameters(asked, 'orders')
    const { get } = openapi(service, principal).paths['/api/orders']!
    expect(get.parameters!.map((one) => (one as { name: string }).name)).toEqual(described.map((one) => one.name))
    const texts = described.flatMap((one) => textsOf(notation, one))
    expect(texts.length).toBeGreaterThan(principal === undefined ? 0 : 10)
    for (const text of texts) {
      const answer = await service(new Request(`http://x/api/orders?${text}`), { principal })
      expect(answer.status, `${decodeURIComponent(text)} ${answer.status === 200 ? '' : await answer.text()}`).toBe(200)
    }
    const shown = JSON.stringify(get)
    expect(/\bday|customer/.test(shown)).toBe(asked === collection)
  })

  test('the schemas accept answers and faults', async () => {
    const document = openapi(service, {})
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    ajv.addSchema(whole(document), 'document')
    const { responses } = document.paths['/api/orders']!.get
    const check = async (query: string, status: '200' | '400') => {
      const answer = await service(new Request(`http://x/api/orders?${query}`), { principal: {} })
      expect(String(answer.status)).toBe(status)
      const one = responses[status]!
      const pointer = '$ref' in one ? one.$ref.slice(1) : `/paths/~1api~1orders/get/responses/${status}`
      const types = pointer
        .split('/')
        .slice(1)
        .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part.replaceAll('~1', '/')], document) as {
        readonly content: object
        readonly headers?: object
      }
      const [type] = Object.keys(types.content)
      expect(answer.headers.get('content-type')).toBe(type)
      const isValid = ajv.compile({
        $ref: `document#${pointer}/content/${encodeURIComponent(type!.replaceAll('/', '~1'))}/schema`,
      })
      const body: unknown = await answer.json()
      expect(isValid(body), JSON.stringify(isValid.errors)).toBe(true)
      expect(isValid('other')).toBe(false)
      for (const header of Object.keys(types.headers ?? {})) expect(answer.headers.get(header), header).not.toBe(null)
    }
    await check('', '200')
    await check('nope=1', '400')
    expect(name).toBe(notation.name)
  })
})

test('a service that chooses the notation by request describes its own language, and mentions other notations', () => {
  const { get } = openapi(
    serviceOf(() => undefined),
    {},
  ).paths['/api/orders']!
  expect(get.parameters!.map((one) => (one as { name: string }).name)).toContain('total')
  expect(get.description).toContain('A request may be in the convention of another client')
})
