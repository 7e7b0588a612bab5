/** docs/mongo.md: its tables are what the code and the tests say. `UPDATE=1` writes them anew. */
import { test } from 'vitest'
import { mongoBackend } from '../../../src/backends/mongo/index.ts'
import { sectionsOf, tableOf, tableRows } from '../../package/page.ts'
import { departures } from './departures.ts'
import { lines } from './plans.ts'

const section = sectionsOf('mongo.md')

test('the preconditions', () => {
  const { preconditions } = mongoBackend().capabilities
  section(
    'table: preconditions',
    tableRows,
    tableOf(
      ['precondition'],
      preconditions.map((one) => [one]),
    ),
  )
})

test('the departures of each engine', () => {
  const rows = departures.map(({ engine, why, index, example: [row, document, matches] }) => {
    const code = (value: unknown) => `\`${JSON.stringify(value)}\``
    const served = index === undefined ? '' : `, with the index ${code(index)}`
    return [engine, why, `${code(document)} on ${code(row)}${served}: ${matches ? 'found' : 'not found'}`]
  })
  rows.sort(([a], [b]) => (a! < b! ? -1 : a! > b! ? 1 : 0))
  section('table: departures', tableRows, tableOf(['engine', 'what it does', 'what MongoDB does'], rows))
})

test('what an index serves', () => {
  const code = (value: unknown) => `\`${JSON.stringify(value)}\``
  const rows = lines.map(({ asked, document, index, manual, reads }) => [
    `\`${asked}\``,
    code(document),
    index === undefined ? '' : code(index),
    manual,
    reads,
  ])
  const head = ['asked', 'document', 'index', 'MongoDB reads, by its manual', 'DocumentDB reads']
  section('table: indexes', tableRows, tableOf(head, rows))
})
