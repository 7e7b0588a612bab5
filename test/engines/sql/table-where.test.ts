/** The option `where` of tables: no statement reads a row that it leaves out. Cases by hand, and random queries that memory answers, too. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { childTable, parentTable, sqlBackend, table } from '../../../src/backends/sql/index.ts'
import { memoryBackend } from '../../../src/backends/memory/index.ts'
import { defineCollection, defineSchema, field, parseQueryOrThrow, toPage, type Query } from '../../../src/index.ts'
import { someCollectionQuery } from '../../../src/kit/arbitraries.ts'
import { byEffort } from '../../effort.ts'
import { openAllEngines } from './all-engines.ts'

const [notes, authors, comments] = ['n', 'a', 'c'].map((name) => `${name}${randomUUID().slice(0, 8)}`) as [
  string,
  string,
  string,
]
const engines = await openAllEngines()

const author = field.object({ name: field.string({ required: true }) })
const schema = defineSchema({
  id: field.integer({ required: true }),
  title: field.string({ required: true }),
  size: field.integer(),
  author,
  comments: field.list(field.object({ word: field.string(), author })),
  words: field.list(field.string()),
})
const collection = defineCollection(schema, {
  ...{ key: 'id', sort: true, count: true, fields: true, groups: true, offset: { max: 50 }, search: ['title'] },
  facets: ['title', 'author.name', 'comments.word', 'words', 'comments.author.name'],
  limit: { max: 100 },
})

/** `where` selects those whose `gone` is 0. */
const storedAuthors = [
  { id: 1, name: 'ada', gone: 0 },
  { id: 2, name: 'bo', gone: 1 },
  { id: 3, name: 'cy', gone: 0 },
]
/** `where` selects the posts that are not deleted. */
const storedNotes = Array.from({ length: 24 }, (_, at) => ({
  id: at + 1,
  title: `note ${'abc'[at % 3]}`,
  size: at % 5 === 4 ? null : at % 5,
  author_id: [1, 2, 3, null][at % 4]!,
  kind: ['post', 'post', 'page', null, 'post'][at % 5]!,
  deleted_at: at % 6 === 5 ? '2024-01-01' : null,
}))
/** `where` selects those without a text in `spam`. */
const storedComments = Array.from({ length: 60 }, (_, at) => ({
  id: at + 1,
  note_id: 1 + ((at * 7) % 24),
  author_id: [null, 1, 2, 3, 2][at % 5]!,
  word: ['hi', 'ok', null][at % 3]!,
  spam: at % 4 === 3 ? 'yes' : null,
}))

const authorOf = (id: number | null) => {
  const found = storedAuthors.find((one) => one.id === id && one.gone === 0)
  return found === undefined ? null : { name: found.name }
}
/** The rows that `where` selects, in the form of the schema. */
const rows = storedNotes
  .filter(({ kind, deleted_at }) => kind === 'post' && deleted_at === null)
  .map(({ id, title, size, author_id }) => {
    const own = storedComments.filter(({ note_id, spam }) => note_id === id && spam === null)
    return {
      ...{ id, title, size, author: authorOf(author_id) },
      comments: own.map(({ word, author_id }) => ({ word, author: authorOf(author_id) })),
      words: own.map(({ word }) => word),
    }
  })
const selectedIds = rows.map(({ id }) => id)

test('where leaves out half of the notes', () =>
  expect(selectedIds).toEqual([1, 2, 5, 7, 10, 11, 15, 16, 17, 20, 21, 22]))

const mappedWith = (enforced: { readonly enforced?: true }) => {
  const writer = parentTable(authors, {
    key: 'id',
    foreignKey: { columns: 'author_id', ...enforced },
    where: { gone: 0 },
  })
  const ofNote = { key: 'id', foreignKey: { columns: 'note_id', ...enforced }, where: { spam: null } }
  return table(notes, {
    schema,
    key: 'id',
    columns: {
      author: writer,
      comments: childTable(comments, { ...ofNote, columns: { author: writer } }),
      words: childTable(comments, { ...ofNote, value: 'word' }),
    },
    where: { deleted_at: null, kind: 'post' },
    orders: [['title', '-size']],
  })
}

describe.each(engines)('$name', ({ run, dialect, declared, options }) => {
  const drop = async () => {
    for (const one of [comments, notes, authors]) await run(`DROP TABLE IF EXISTS ${one}`)
  }
  beforeAll(async () => {
    await drop()
    const { integer, string } = declared
    await run(`CREATE TABLE ${authors} (id INTEGER NOT NULL PRIMARY KEY, name ${string}, gone ${integer})${options}`)
    await run(
      `CREATE TABLE ${notes} (id INTEGER NOT NULL PRIMARY KEY, title ${string}, size ${integer}, author_id INTEGER, kind VARCHAR(9), deleted_at VARCHAR(30))${options.replace(' STRICT', '')}`,
    )
    await run(
      `CREATE TABLE ${comments} (id INTEGER NOT NULL PRIMARY KEY, note_id INTEGER, author_id INTEGER, word ${string}, spam VARCHAR(9))${options.replace(' STRICT', '')}`,
    )
    const literal = (value: unknown) =>
      value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${String(value)}'`
    const insert = async (name: string, stored: readonly object[]) =>
      run(
        `INSERT INTO ${name} VALUES ${stored.map((one) => `(${Object.values(one).map(literal).join(', ')})`).join(', ')}`,
      )
    await insert(authors, storedAuthors)
    await insert(notes, storedNotes)
    await insert(comments, storedComments)
  })
  afterAll(drop)

  const memory = memoryBackend()
  describe.each([[{}], [{ enforced: true }] as const])('%j', (enforced) => {
    const backend = sqlBackend({ dialect, table: mappedWith(enforced) })
    /** The answers of all statements, and those of memory. */
    const compare = async (query: Query): Promise<void> => {
      const statement = backend.select(query)
      const page = statement.page(await run(statement.text, statement.parameters))
      const found = memory.compileQuery(query)(rows).rows
      expect(page).toEqual(toPage(query, found))
      const { count } = statement
      expect(count.read((await run(count.text, count.parameters))[0])).toBe(
        rows.filter(memory.compile(query.filter)).length,
      )
      const compiled = backend.compileQuery(query)
      const ids = (await run(`SELECT id FROM ${notes} ${compiled.text}`, compiled.parameters)) as { id: number }[]
      const idsOf = (some: readonly object[]) => some.map((row) => Number((row as { readonly id: number }).id))
      const whole = memory.compileQuery({ ...query, fields: [['id']] } as Query)(rows).rows
      expect(idsOf(ids)).toEqual(idsOf(whole as readonly object[]))
      const number = `SELECT count(*) AS n FROM ${notes} WHERE `
      const { text, parameters } = compiled.count
      const [one] = (await run(number + text, parameters)) as { n: number }[]
      const filter = backend.compile(query.filter)
      const [other] = (await run(number + filter.text, filter.parameters)) as { n: number }[]
      const [none] = (await run(`${number}NOT ${filter.text}`, filter.parameters)) as { n: number }[]
      const all = rows.filter(memory.compile(query.filter)).length
      expect([one, other, none].map((row) => Number(row!.n))).toEqual([all, all, storedNotes.length - all])
      const facets = query.facets ?? []
      const values = memory.facets(query)(rows)
      for (const facet of facets.length === 0 ? [] : backend.facets(query))
        expect([facet.path, facet.read(await run(facet.text, facet.parameters))]).toEqual([
          facet.path,
          values[facet.path],
        ])
    }

    test.each<[text: string, ids: readonly number[]]>([
      ['', selectedIds],
      ['author[exists]=true', selectedIds.filter((id) => [1, 3].includes(((id - 1) % 4) + 1))],
      ['author[exists]=false', selectedIds.filter((id) => [2, 0].includes(id % 4))],
      // The author of these is gone.
      ['author.name=bo', []],
      ['author.name[notEqual]=ada', selectedIds.filter((id) => id % 4 !== 1)],
      ['comments.author.name=bo', []],
      ['sort=author.name', [2, 10, 16, 20, 22, 1, 5, 17, 21, 7, 11, 15]],
      ['title[in]=note a,note b&sort=-size', [10, 20, 5, 15, 22, 2, 7, 17, 1, 11, 16].filter((id) => id % 3 !== 0)],
    ])('%s', async (text, ids) => {
      const query = parseQueryOrThrow(collection, `${text}&limit=100`.replace(/^&/, ''))
      if (!text.startsWith('title')) {
        const statement = backend.select(query)
        const { rows: found } = statement.page(await run(statement.text, statement.parameters))
        expect(found.map(({ id }) => id)).toEqual(ids)
      }
      await compare(query)
    })

    test('random queries', { timeout: 120_000 }, async () => {
      await fc.assert(fc.asyncProperty(someCollectionQuery(collection), compare), {
        numRuns: byEffort(400, 40),
        endOnFailure: true,
      })
    })

    test('each statement contains a condition for each place of a table', () => {
      const query = parseQueryOrThrow(
        collection,
        'author.name=ada&comments.author.name=cy&comments[atLeast]=1&words=hi&sort=author.name&facets=author.name,words,comments.author.name&count=true',
      )
      const statement = backend.select(query)
      const { count, text } = backend.compileQuery(query)
      const texts = [
        statement.text,
        statement.count.text,
        text,
        count.text,
        backend.compile(query.filter).text,
        ...backend.facets(query).map((facet) => facet.text),
      ]
      for (const [name, column] of [
        [authors, 'gone'],
        [comments, 'spam'],
        [notes, 'kind'],
      ] as const) {
        for (const one of texts) {
          const places = one.split(name).length - 1
          const conditions = one.split(column).length - 1
          // The row's own table is named with each of its columns.
          if (name === notes) expect([one, conditions > 0]).toEqual([one, true])
          else expect([one, conditions]).toEqual([one, places])
        }
      }
    })
  })
})
