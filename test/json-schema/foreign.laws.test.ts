/** Schemas of public APIs and formats that nobody here wrote: what is read, and what is refused. `UPDATE=1` writes the table. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { fromJsonSchema } from '../../src/tools/json-schema/index.ts'
import { sectionsOf, tableOf, tableRows } from '../package/page.ts'

const { resolve } = createRequire(import.meta.url)
const read = (file: string) => JSON.parse(readFileSync(resolve(file), 'utf8')) as Record<string, object>
const partOf = (document: object, path: string): object =>
  path
    .split('/')
    .filter((name) => name !== '')
    .reduce((part, name) => (part as Record<string, object>)[name.replaceAll('~1', '/')]!, document)

const github = '@octokit/webhooks-schemas/schema.json'
const oas = (version: string, name: string) => `@readme/oas-examples/${version}/json/${name}.json`
const foreign: readonly (readonly [name: string, file: string, path: string])[] = [
  ['GitHub webhooks: issue', github, 'definitions/issue'],
  ['GitHub webhooks: pull request', github, 'definitions/pull-request'],
  ['GitHub webhooks: repository', github, 'definitions/repository'],
  ['Train Travel API: booking payment', oas('3.1', 'train-travel'), 'components/schemas/BookingPayment'],
  ['Train Travel API: trip', oas('3.1', 'train-travel'), 'components/schemas/Trip'],
  ['Star Trek API: animal', oas('3.0', 'star-trek'), 'components/schemas/AnimalFull'],
  ['Star Trek API: astronomical object', oas('3.0', 'star-trek'), 'components/schemas/AstronomicalObjectFull'],
  ['Petstore: pet', oas('3.1', 'petstore'), 'components/schemas/Pet'],
  ['JSON Resume', '@jsonresume/schema/schema.json', ''],
  ['GeoJSON: feature', 'geojson-schema/Feature.json', ''],
  [
    'AsyncAPI 2.6: info',
    '@asyncapi/specs/schemas/2.6.0.json',
    'definitions/http:~1~1asyncapi.com~1definitions~12.6.0~1info.json',
  ],
]

/** The first line of what is thrown, or the paths by reason. */
function refusedOf(make: () => unknown): string {
  try {
    make()
    return ''
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    const lines = Array.from((error as Error).message.matchAll(/^ {2}(\S+): (.*)$/gm), ([, path, reason]) => ({
      path,
      reason,
    }))
    if (lines.length === 0) return (error as Error).message
    return Array.from(
      Map.groupBy(lines, ({ reason }) => reason!),
      ([reason, all]) => `\`${all[0]!.path}\`${all.length > 1 ? ` and ${all.length - 1} more` : ''}: ${reason}`,
    ).join('; ')
  }
}

test('the fields of schemas that others wrote', () => {
  const rows = foreign.map(([name, file, path]) => {
    const document = read(file)
    const schema = partOf(document, path)
    const refused = refusedOf(() => fromJsonSchema(schema, { document }))
    const isNone = refused.startsWith('source')
    const { paths } = isNone ? { paths: new Map() } : fromJsonSchema(schema, { document, unsupported: 'omit' })
    return [name, String(paths.size), refused === '' ? 'nothing' : refused]
  })
  expect(rows.length).toBeGreaterThanOrEqual(10)
  sectionsOf('guides/json-schema.md')(
    'table: foreign',
    tableRows,
    tableOf(['schema', 'fields', 'refused, and why'], rows),
  )
})
