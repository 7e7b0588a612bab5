/** Whole statements with every type in every place: row for row what memory has, in every form in which a driver returns numbers. */
import { expect, test } from 'vitest'
import { jsonColumn, sqlBackend, table } from '../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../src/index.ts'
import { differences, selectingIn, sqlitePlace } from '../engines/sql/selecting.ts'
import { isInstalled, openingInEachForm } from './engines.ts'
import { byCompleteness } from '../effort.ts'

// Drivers that differ in the form of numbers alone have the same statements.
const selected = byCompleteness(
  Object.entries(openingInEachForm),
  Object.entries(openingInEachForm).filter(([name]) => !/bigints|texts/.test(name)),
)
test.runIf(isInstalled).each(selected)('%s', async (_, open) => {
  const engine = await open()
  const selecting = selectingIn({ ...sqlitePlace, name: engine.name, dialect: engine.dialect })
  for (const statement of selecting.create) await engine.run(statement)
  expect(await differences(selecting, engine.run)).toEqual([])
  await engine.close()
})

test.runIf(isInstalled).each(Object.entries(openingInEachForm))(
  'facets count all digits of integers in JSON on %s',
  async (_, open) => {
    const engine = await open()
    const schema = defineSchema({ id: field.integer(), doc: field.object({ n: field.integer() }) })
    const collection = defineCollection(schema, { key: 'id', facets: ['doc.n'] })
    await engine.run('CREATE TABLE digits (id INTEGER PRIMARY KEY, doc TEXT) STRICT')
    await engine.run(`INSERT INTO digits VALUES (1, '{"n":9007199254740991}'), (2, '{"n":-9007199254740991}'),
    (3, '{"n":9007199254740990}'), (4, '{"n":9007199254740991}'), (5, '{}'), (6, '{"n":100000000000001.0}')`)
    const mapped = table('digits', { schema, key: 'id', columns: { doc: jsonColumn('doc') } })
    const [facet] = sqlBackend({ dialect: engine.dialect, table: mapped }).facets(
      parseQueryOrThrow(collection, 'facets=doc.n'),
    )
    expect(facet!.read(await engine.run(facet!.text, facet!.parameters))).toEqual([
      { value: 9_007_199_254_740_991, count: 2 },
      { value: null, count: 1 },
      { value: -9_007_199_254_740_991, count: 1 },
      { value: 100_000_000_000_001, count: 1 },
      { value: 9_007_199_254_740_990, count: 1 },
    ])
    await engine.close()
  },
)
