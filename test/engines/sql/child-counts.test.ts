/** Counts by the child table alone, where the mapping promises its foreign key: the same numbers as without the promise, by hand. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childTable, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow } from '../../../src/index.ts'
import { dialectOf, openAllEngines } from './all-engines.ts'

const [owners, kids] = ['o', 'k'].map((name) => `${name}${randomUUID().slice(0, 8)}`) as [string, string]
const engines = await openAllEngines()
const schema = defineSchema({
  id: field.integer({ required: true }),
  kids: field.list(field.object({ word: field.string(), size: field.integer() })),
})
const collectionOf = (max: number | undefined) =>
  defineCollection(schema, { key: 'id', groups: true, count: max === undefined ? true : { max } })

/** Rows of children: the owner, the word and the size. Some have no owner. */
const few = [
  "1, 'a', 1",
  "1, 'a', 2",
  "2, 'a', 3",
  "2, 'b', 1",
  "3, 'b', 2",
  "NULL, 'a', 1",
  "NULL, 'c', 9",
  '4, NULL, 5',
]
/** More than a count of at most so many rows, and than any other count, reads there: of the owners 1, 2 and 3. */
const many = [
  ...Array.from({ length: 1_500 }, (_, at) => `${1 + (at % 3)}, 'some', 0`),
  ...Array.from({ length: 10_500 }, (_, at) => `${1 + (at % 3)}, 'many', 0`),
]

describe.each(engines)('$name', ({ name, run, dialect, ...engine }) => {
  const text = engine.declared.string
  const drop = async () => {
    for (const one of [kids, owners]) await run(`DROP TABLE IF EXISTS ${one}`)
  }
  beforeAll(async () => {
    await drop()
    await run(`CREATE TABLE ${owners} (id INTEGER NOT NULL PRIMARY KEY)`)
    await run(
      `CREATE TABLE ${kids} (owner_id INTEGER, word ${text}, size INTEGER, FOREIGN KEY (owner_id) REFERENCES ${owners} (id))`,
    )
    await run(`INSERT INTO ${owners} VALUES (1), (2), (3), (4), (5)`)
    const rows = [...few, ...many].map((row) => `(${row})`)
    for (let at = 0; at < rows.length; at += 1_000) {
      await run(`INSERT INTO ${kids} VALUES ${rows.slice(at, at + 1_000).join(', ')}`)
    }
  })
  afterAll(drop)

  test.each<[query: string, count: number]>([
    ['', 5],
    ['kids.word=a', 2],
    ['kids.word=b', 2],
    // Its row has no owner.
    ['kids.word=c', 0],
    ['kids.word=none', 0],
    ['kids.word[in]=a,b', 3],
    ['kids.word=a&kids.size=1', 1],
    ['kids.word=a&kids.size=9', 0],
    ['kids.size[gte]=3', 2],
    ['kids.size=5', 1],
    ['kids.word[startsWith]=a', 2],
    ['kids.word=some', 3],
    ['kids.word=many', 3],
    ['kids.word[in]=many,a', 3],
    ['kids[exists]=true', 4],
    ['kids.word[notEqual]=a', 3],
    ['kids.word[all]=a,b', 1],
    ['kids.word=a&id=2', 1],
    ['or=(kids.word=b,kids.size=5)', 3],
  ])('%s', async (query, count) => {
    for (const enforced of [undefined, true] as const) {
      const foreignKey = { columns: 'owner_id', ...(enforced && { enforced }) }
      const columns = { kids: childTable(kids, { key: 'size', foreignKey }) }
      const { select } = sqlBackend({ dialect, table: table(owners, { schema, key: 'id', columns }) })
      for (const max of [undefined, 1, 2, 100]) {
        const { count: counted } = select(parseQueryOrThrow(collectionOf(max), `${query}&count=true`))
        const [row] = await run(counted.text, counted.parameters)
        expect(counted.read(row)).toEqual(max !== undefined && count > max ? { atLeast: max } : count)
        // The text shows that a count does what the test is about.
        const isAlone = /^kids\.(?:word|size)(?:\[(?:in|gte|startsWith)\])?=[^&]*(?:&kids\.size=\d)?$/.test(query)
        const isShort =
          enforced === true && isAlone && ['postgres', 'sqlite'].includes(dialectOf({ name, run, dialect, ...engine }))
        expect(counted.text.startsWith('SELECT CASE')).toBe(isShort)
      }
    }
  })
})
