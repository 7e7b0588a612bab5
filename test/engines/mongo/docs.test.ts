/** The guides to MongoDB: their tables are what the code and the tests say. `UPDATE=1` writes them anew. */
import { test } from 'vitest'
import { mongoBackend } from '../../../src/backends/mongo/index.ts'
import { sectionsOf, tableOf, tableRows } from '../../package/page.ts'
import { textOf } from './engines.ts'
import { departures } from './departures.ts'
import { lines, pages } from './plans.ts'

test('the preconditions', () => {
  const { preconditions } = mongoBackend().capabilities
  sectionsOf('guides/mongodb.md')(
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
    const code = (value: unknown) => `\`${textOf(value)}\``
    const served = index === undefined ? '' : `, with the index ${code(index)}`
    return [engine, why, `${code(document)} on ${code(row)}${served}: ${matches ? 'found' : 'not found'}`]
  })
  rows.sort(([a], [b]) => (a! < b! ? -1 : a! > b! ? 1 : 0))
  sectionsOf('internals/mongodb-servers.md')(
    'table: departures',
    tableRows,
    tableOf(['engine', 'what it does', 'what MongoDB does'], rows),
  )
})

test('what an index serves', () => {
  const code = (value: unknown) => `\`${textOf(value)}\``
  const rows = lines.map(({ asked, document, index, manual, reads }) => [
    `\`${asked}\``,
    code(document),
    index === undefined ? '' : code(index),
    manual,
    reads,
  ])
  const head = ['query', 'document', 'index', 'MongoDB reads, by its manual', 'DocumentDB reads']
  sectionsOf('reference/mongodb-indexes.md')('table: indexes', tableRows, tableOf(head, rows))
})

test('what an index serves of a page', () => {
  const code = (value: unknown) => `\`${textOf(value)}\``
  const rows = pages.map(({ asked, query: { filter, sort }, index }) => [
    asked.replace(/^(.*), (\w+)$/, '`$1`, $2'),
    code(filter),
    code(sort),
    code(index),
  ])
  sectionsOf('reference/mongodb-indexes.md')(
    'table: pages',
    tableRows,
    tableOf(['page', 'filter', 'sort', 'index'], rows),
  )
})
