/** Random conditions in policies of Cerbos: its server allows the rows that the filter of its plan selects, or the plan is refused. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromCerbos } from '../../src/policies/index.ts'
import { byEffort, isComplete } from '../effort.ts'
import { order, orders, selects, unlessRefused, values, type Order } from './orders.ts'

const binary = join(import.meta.dirname, 'node_modules/@cerbos/cerbos-linux-x64/cerbos-linux-x64')
/** How many conditions, each for fifty rows. */
const conditions = byEffort(4_000, 100)

const of = (list: readonly (string | number)[]) => fc.constantFrom(...list.map((value) => JSON.stringify(value)))
const text = fc.oneof(of(values.text), fc.constant('P.attr.name'))
const listOf = (value: fc.Arbitrary<string>) => fc.array(value, { maxLength: 3 }).map((list) => `[${list.join(', ')}]`)
const operator = fc.constantFrom('==', '!=', '<', '<=', '>', '>=')
const method = fc.constantFrom('contains', 'startsWith', 'endsWith')

/** Conditions of a text, and of a number. */
const ofText = (variable: string): readonly fc.Arbitrary<string>[] => [
  fc.tuple(operator, text).map(([sign, value]) => `${variable} ${sign} ${value}`),
  fc.tuple(operator, text).map(([sign, value]) => `${value} ${sign} ${variable}`),
  listOf(text).map((list) => `${variable} in ${list}`),
  fc.tuple(method, text).map(([name, value]) => `${variable}.${name}(${value})`),
]
const ofNumber = (variable: string, numbers: readonly number[]): readonly fc.Arbitrary<string>[] => [
  fc.tuple(operator, of(numbers)).map(([sign, value]) => `${variable} ${sign} ${value}`),
  listOf(of(numbers)).map((list) => `${variable} in ${list}`),
]
const ofTexts = (variable: string): readonly fc.Arbitrary<string>[] => [
  text.map((value) => `${value} in ${variable}`),
  listOf(text).map((list) => `hasIntersection(${variable}, ${list})`),
  groupOf([...ofText('t')], 1).map((inner) => `${variable}.exists(t, ${inner})`),
  groupOf([...ofText('t')], 1).map((inner) => `!${variable}.all(t, ${inner})`),
]

function groupOf(leaves: readonly fc.Arbitrary<string>[], depth: number): fc.Arbitrary<string> {
  const leaf = fc.oneof(...leaves)
  if (depth === 0) return leaf
  const inner = groupOf(leaves, depth - 1)
  return fc.oneof(
    leaf,
    inner.map((one) => `!(${one})`),
    fc.tuple(inner, inner).map((two) => `(${two.join(') && (')})`),
    fc.tuple(inner, inner).map((two) => `(${two.join(') || (')})`),
  )
}

const entry = groupOf(
  [...ofText('i.product'), ...ofText('i.maker.name'), ...ofNumber('i.price', values.number), ...ofTexts('i.tags')],
  1,
)
const condition = groupOf(
  [
    ...['tenant', 'name', 'customer.name', 'customer.city.name'].flatMap((name) => ofText(`R.attr.${name}`)),
    ...ofNumber('R.attr.total', values.number),
    ...ofNumber('R.attr.guests', values.integer),
    ...ofTexts('R.attr.tags'),
    of(values.status).map((value) => `R.attr.status == ${value}`),
    fc.constantFrom('R.attr.open', 'R.attr.open == true', 'R.attr.open != true'),
    fc.tuple(operator, of(values.day)).map(([sign, value]) => `R.attr.day ${sign} ${value}`),
    fc
      .tuple(operator, of([...values.moment, '2024-01-01T10:30:00.000000001Z', '2024-01-01T11:30:00+01:00']))
      .map(([sign, value]) => `timestamp(R.attr.at) ${sign} timestamp(${value})`),
    entry.map((inner) => `R.attr.items.exists(i, ${inner})`),
    entry.map((inner) => `!R.attr.items.all(i, ${inner})`),
  ],
  2,
)

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

const kindOf = (at: number) => `order${Math.trunc(at / 50)}`
const actionOf = (at: number) => `read${at % 50}`

/** The policies: of each fifty conditions, one. JSON is YAML. */
function policiesOf(sources: readonly string[]): readonly object[] {
  const kinds = [...new Set(sources.map((_, at) => kindOf(at)))]
  return kinds.map((resource) => {
    const rules = sources.flatMap((expr, at) =>
      kindOf(at) === resource
        ? [{ actions: [actionOf(at)], effect: 'EFFECT_ALLOW', roles: ['user'], condition: { match: { expr } } }]
        : [],
    )
    return { apiVersion: 'api.cerbos.dev/v1', resourcePolicy: { version: 'default', resource, rules } }
  })
}

const principal = { id: 'p', roles: ['user'], attr: { name: 'a' } }

test(`${conditions} conditions`, async ({ skip }) => {
  if (!existsSync(binary)) {
    const isOffered = process.platform === 'linux' && process.arch === 'x64'
    expect(isComplete && isOffered, 'npm --prefix test/policies ci').toBe(false)
    return skip('npm --prefix test/policies ci installs Cerbos on Linux')
  }
  const [sources, rows] = fc.sample(
    fc.tuple(
      fc.array(condition, { minLength: conditions, maxLength: conditions }),
      fc.array(order, { minLength: 50, maxLength: 50 }),
    ),
    1,
  )[0]!
  const folder = await mkdtemp(join(tmpdir(), 'cerbos-'))
  for (const [at, policy] of policiesOf(sources).entries())
    await writeFile(join(folder, `${at}.yaml`), JSON.stringify(policy))
  const [http, grpc] = [await freePort(), await freePort()]
  const settings = [
    `server.httpListenAddr=127.0.0.1:${http}`,
    `server.grpcListenAddr=127.0.0.1:${grpc}`,
    'telemetry.disabled=true',
    'storage.driver=disk',
    `storage.disk.directory=${folder}`,
  ]
  const server = spawn(binary, ['server', ...settings.map((one) => `--set=${one}`)], { stdio: 'ignore' })
  try {
    const post = async (path: string, body: object): Promise<unknown> => {
      const response = await fetch(`http://127.0.0.1:${http}/api/${path}`, {
        method: 'POST',
        body: JSON.stringify({ requestId: 'r', principal, ...body }),
      })
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    }
    await expect
      .poll(
        () =>
          fetch(`http://127.0.0.1:${http}/_cerbos/health`).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true)
    let accepted = 0
    for (let first = 0; first < sources.length; first += 50) {
      const some = sources.slice(first, first + 50)
      const kind = kindOf(first)
      const resources = rows.map((attr: Order, at) => ({
        actions: some.map((_, action) => actionOf(action)),
        resource: { kind, id: String(at), attr },
      }))
      const { results } = (await post('check/resources', { resources })) as {
        readonly results: readonly { readonly actions: Readonly<Record<string, string>> }[]
      }
      for (const [at, source] of some.entries()) {
        const plan = await post('plan/resources', { action: actionOf(at), resource: { kind } })
        const filter = unlessRefused(() => fromCerbos(orders, plan as object))
        if (filter === undefined) continue
        accepted++
        const isAllowed = results.map(({ actions }) => actions[actionOf(at)] === 'EFFECT_ALLOW')
        expect(
          rows.map((row) => selects(filter, row)),
          source,
        ).toEqual(isAllowed)
      }
    }
    expect(accepted).toBeGreaterThan(conditions / 3)
  } finally {
    server.kill()
    await rm(folder, { recursive: true })
  }
})
