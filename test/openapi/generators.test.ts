/** Clients that generators make out of the document: each compiles, requests the demo, and reads the expected rows. */
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeOrders } from '../../docs/demo/data.ts'
import { byCompleteness, isFull } from '../effort.ts'
import { complaintsAbout, strictProject } from '../package/code.ts'
import { documentOf, documents } from './documents.ts'
import { generators, importByPostman, isInstalled, startDemo, type Demo, type GeneratorName } from './tools.ts'

const root = join(import.meta.dirname, '../..')
const generated = join(import.meta.dirname, '.generated/clients')

/** Names with all that a URL and a list write in another way. */
const names = ['Smith, Lee & Sons', 'Zoë "Zed" O’Neil', '100% Surf Club']
const inList = ['"Smith, Lee & Sons"', 'Zoë "Zed" O’Neil', '100% Surf Club']

const page = { sort: ['-total', 'id'], fields: ['id', 'total', 'customerName'], limit: 7 }
const asked = {
  compact: {
    status: { in: 'paid,held' },
    total: { gte: 500 },
    customerName: { in: inList.join(',') },
    'items.arrival': { gte: '2024-03-01', lt: '2024-10-01' },
    paidAt: { exists: true },
    ...page,
  },
  flat: {
    'status[in]': ['paid', 'held'],
    'total[gte]': 500,
    'customerName[in]': inList,
    'items.arrival[gte]': '2024-03-01',
    'items.arrival[lt]': '2024-10-01',
    'paidAt[exists]': true,
    ...page,
  },
}
type Style = keyof typeof asked

/** The pages of the rows, by hand. */
const expected = (() => {
  const isIn = (day: unknown) => typeof day === 'string' && '2024-03-01' <= day && day < '2024-10-01'
  const rows = makeOrders()
    .filter(({ status }) => status === 'paid' || status === 'held')
    .filter(({ total, customerName, paidAt }) => total! >= 500 && names.includes(customerName!) && paidAt !== null)
    .filter(({ items }) => items?.some((item) => isIn(item?.arrival)))
    .sort((one, other) => other.total! - one.total! || one.id - other.id)
    .map(({ id, total, customerName }) => ({ id, total, customerName }))
  return Array.from({ length: Math.ceil(rows.length / 7) }, (_, at) => rows.slice(at * 7, at * 7 + 7))
})()

test('the rows by hand are on several pages', () => {
  expect(expected.length).toBeGreaterThan(5)
  expect(new Set(expected.flat().map(({ customerName }) => customerName))).toEqual(new Set(names))
})

/** The code of each client: the type of a query, and a function that reads a page. */
interface Client {
  readonly generator: GeneratorName
  /** Declares `Query`, and `ask` with it. */
  readonly code: (address: string, style: Style) => string
  /** Options of the compiler that the generated code does not bear. */
  readonly lax?: { readonly exactOptionalPropertyTypes: false }
}
const clients: Readonly<Record<string, Client>> = {
  'openapi-typescript with openapi-fetch': {
    generator: 'openapi-typescript',
    code: (address) => `
      import createClient from 'openapi-fetch'
      import type { paths } from './api.ts'
      const client = createClient<paths>({
        baseUrl: '${address}',
        headers: { 'X-API-KEY': 'office-key' },
        querySerializer: { array: { style: 'form', explode: false } },
      })
      type Query = NonNullable<paths['/api/orders']['get']['parameters']['query']>
      const ask = async (query: Query) => {
        const { data, error } = await client.GET('/api/orders', { params: { query } })
        if (data === undefined) throw new Error(error.detail)
        return data
      }
      const one = async (id: number, query: { fields: ('id' | 'total')[] }) => {
        const { data, error } = await client.GET('/api/orders/{id}', { params: { path: { id }, query } })
        return data?.data ?? error?.status
      }`,
  },
  '@hey-api/openapi-ts': {
    generator: '@hey-api/openapi-ts',
    code: (address, style) => `
      import { client } from './api/client.gen'
      import { getOrder, listOrders, type ListOrdersData } from './api'
      client.setConfig({ baseUrl: '${address}', auth: 'office-key' })
      type Query = NonNullable<ListOrdersData['query']>
      const ask = async (query: Query) => {
        const { data, error } = await listOrders({ query${style === 'flat' ? `, querySerializer: { array: { style: 'form', explode: false } }` : ''} })
        if (data === undefined) throw new Error(error.detail)
        return data
      }
      const one = async (id: number, query: { fields: ('id' | 'total')[] }) => {
        const { data, error } = await getOrder({ path: { id }, query${style === 'flat' ? `, querySerializer: { array: { style: 'form', explode: false } }` : ''} })
        return data?.data ?? error?.status
      }`,
    lax: { exactOptionalPropertyTypes: false },
  },
  'orval with fetch': {
    generator: 'orval with fetch',
    code: () => `
      import { getOrder, listOrders, type ListOrdersParams as Query } from './api.ts'
      const ask = async (query: Query) => {
        const { status, data } = await listOrders(query, { headers: { 'X-API-KEY': 'office-key' } })
        if (status !== 200) throw new Error(data.detail)
        return data
      }
      const one = async (id: number, query: { fields: ('id' | 'total')[] }) => {
        const { status, data } = await getOrder(id, query, { headers: { 'X-API-KEY': 'office-key' } })
        return status === 200 ? data.data : status
      }`,
  },
  'orval with axios': {
    generator: 'orval with axios',
    code: (address) => `
      import axios from 'axios'
      import { stringify } from 'qs'
      import { getOrder, listOrders, type ListOrdersParams as Query } from './api.ts'
      axios.defaults.baseURL = '${address}'
      axios.defaults.headers.common['X-API-KEY'] = 'office-key'
      axios.defaults.paramsSerializer = (query) => stringify(query, { arrayFormat: 'comma' })
      const ask = async (query: Query) => (await listOrders(query)).data
      const one = async (id: number, query: { fields: ('id' | 'total')[] }) => {
        const { status, data } = await getOrder(id, query, { validateStatus: () => true })
        return status === 200 ? data.data : status
      }`,
  },
}

/** A program of all pages. */
const program = (code: string, style: Style) => `${code}
  const query: Query = ${JSON.stringify(asked[style])}
  export const walk = async () => {
    const pages = []
    let cursor: string | undefined
    do {
      const { data, page } = await ask({ ...query, ...(cursor !== undefined && { cursor }) })
      pages.push(data.map(({ id, total, customerName }) => ({ id, total, customerName })))
      cursor = page.next
    } while (cursor !== undefined)
    return pages
  }
  export const rows = async () => [await one(12, { fields: ['id', 'total'] }), await one(2401, { fields: ['id'] })]
  export const wrong: Query[] = [
    // @ts-expect-error no field
    { arival: '2024-01-01' },
    // @ts-expect-error not sortable
    { sort: ['tags'] },
    // @ts-expect-error no value of the enumeration
    { ${style === 'compact' ? `status: { equals: 'piad' }` : `'status[in]': ['piad']`} },
    // @ts-expect-error no operator of the field
    { ${style === 'compact' ? `total: { contains: '1' }` : `'total[contains]': '1'`} },
    // @ts-expect-error a number is not a moment
    { ${style === 'compact' ? `paidAt: { gte: 1 }` : `'paidAt[gte]': 1`} },
  ]
`

const compilerOptions = { ...strictProject, module: 'preserve', lib: ['es2023', 'dom', 'dom.iterable'] }
/** The compiler's complaints about what is in a folder. */
function complaints(folder: string, lax: object): Promise<string> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const options = { ...compilerOptions, allowImportingTsExtensions: true, ...lax }
  return complaintsAbout(
    files.map((name) => join(folder, name)),
    options,
  )
}

/** The settings of Postman's import that the guide names for each style. */
const settings = {
  compact: { parametersResolution: 'Example' },
  flat: { enableOptionalParameters: false },
} as const

const guide = readFileSync(join(root, 'docs/guides/openapi.md'), 'utf8')
const line = (code: string) => code.replaceAll(/\s+/g, ' ').replaceAll(', }', ' }')
describe.each(['compact', 'flat'] as const)('the guide configures what needs it, %s', (style) => {
  /** The row of the table of generators and styles. */
  const rowOf = (name: string) => {
    const row = guide.split('\n').find((one) => one.startsWith(`| ${name} `) && one.includes(`| \`${style}\``))
    const [, configuration] = /\| (?:`([^`]*)`|none)[^|]*\|$/.exec(row!)!
    return configuration
  }
  test.each(Object.entries(clients))('%s', (name, { code }) => {
    const [source, configuration] = [line(code('', style)), rowOf(name)]
    if (configuration === undefined) expect(source).not.toMatch(/serializer/i)
    else expect(source).toContain(configuration)
  })
  test('Postman', () => {
    const [[name, value]] = Object.entries(settings[style]) as [[string, unknown]]
    expect(rowOf('Postman')).toBe(`${name}: ${typeof value === 'string' ? `'${value}'` : String(value)}`)
  })
})

describe.skipIf(!isInstalled)('installed', () => {
  let demo: Demo
  beforeAll(async () => {
    await rm(generated, { recursive: true, force: true })
    demo = await startDemo()
  })
  afterAll(() => demo.stop())

  const of31 = documents.filter(({ version }) => version === '3.1')
  const tried = isFull ? documents : byCompleteness(of31, of31.slice(0, 1))
  describe.each(tried)('$version, $style', ({ version, style }) => {
    test.each(Object.entries(clients))('%s', { timeout: 240_000 }, async (name, { generator, code, lax = {} }) => {
      const folder = join(generated, `${version}-${style}-${name.replaceAll(/[^a-z]+/g, '-')}`)
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, 'openapi.json'), JSON.stringify(documentOf({ version, style })))
      await generators[generator](folder, demo.address)
      const source = program(code(demo.address, style), style)
      await writeFile(join(folder, 'program.ts'), source)
      expect(await complaints(folder, lax)).toBe('')
      // Generated code imports files without their extensions, which a bundler resolves and Node does not.
      const outfile = join(folder, 'program.js')
      await build({
        entryPoints: [join(folder, 'program.ts')],
        outfile,
        bundle: true,
        format: 'esm',
        packages: 'external',
      })
      type Program = Readonly<Record<'walk' | 'rows', () => Promise<unknown>>>
      const { walk, rows } = (await import(outfile)) as Program
      expect(await walk()).toEqual(expected)
      const { id, total } = makeOrders()[11]!
      expect(await rows()).toEqual([{ id, total }, 404])
    })

    test('the importer of Postman', async () => {
      const document = documentOf({ version, style })
      const [request] = await importByPostman(document, settings.flat)
      const { method, url } = request!
      expect(method).toBe('GET')
      const ofFirstPage = Object.entries(asked[style]).flatMap(([key, value]): [string, string][] =>
        typeof value === 'object' && !Array.isArray(value)
          ? Object.entries(value).map(([operator, one]) => [`${key}[${operator}]`, String(one)])
          : [[key, String(value)]],
      )
      const send = async (rows: readonly (readonly [string, string])[]) => {
        // Whoever fills in a row chooses "Encode URI component" in Postman.
        const query = rows.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&')
        const headers = { 'X-API-KEY': 'office-key' }
        const response = await fetch(`${demo.address}/${url.path.join('/')}?${query}`, { headers })
        return (await response.json()) as { data: object[] }
      }
      expect(url.query.filter(({ disabled }) => !disabled)).toEqual([])
      expect((await send([])).data).toHaveLength(20)
      for (const [name] of ofFirstPage) expect(url.query.map(({ key }) => key)).toContain(name)
      expect((await send(ofFirstPage)).data).toEqual(expected[0])

      const [shorter] = await importByPostman(document, settings.compact)
      expect(shorter!.url.query.length).toBe(style === 'compact' ? 8 : url.query.length)
    })
  })
})
