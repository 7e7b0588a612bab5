/** The code of the tabs makes the list and the query that the page shows. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { byEffort } from '../effort.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { dataOf } from '../../src/cli/list-data.ts'
import * as core from '../../src/index.ts'
import * as sql from '../../src/backends/sql/index.ts'
import { someCollectionText } from '../../src/kit/arbitraries.ts'
import { hasOutput } from '../../docs/playground/answer.ts'
import { codes } from '../../docs/playground/code.ts'
import { orderSubject, rows } from '../../docs/playground/orders.ts'
import { revive, type ListData } from '../../docs/playground/revive.ts'
import { subjectOf, type Subject } from '../../docs/playground/subject.ts'
import { answerOf, askOrders } from './asked.ts'
import { wideList } from './lists.ts'

/** Runs modules as one, with the library in place of their imports. */
function run(...texts: readonly string[]): { schema: never; collection: never; mapping: never; query: core.Query } {
  const body = texts
    .join('\n')
    .replaceAll(/^import [^']*from '[^']*'$/gm, '')
    .replaceAll(/^export /gm, '')
  const names = ['schema', 'collection', 'mapping', 'query'].filter((name) => body.includes(`const ${name} =`))
  const library = { ...core, ...sql }
  // The code is the one that a visitor copies.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  const make = new Function(...Object.keys(library), `${body}\nreturn { ${names.join(', ')} }`)
  return make(...Object.values(library)) as ReturnType<typeof run>
}
const memory = memoryBackend({ codegen: false })
const answer = answerOf('')
const dialect = (subject: Subject) => Object.keys(subject.dialects)[0]!
const textOf = (tab: string, subject: Subject, one = answer) => {
  const text = codes[tab]!(subject, one, dialect(subject))
  if (!hasOutput(text)) throw new Error(text.refusal[0].message)
  return text.output
}
const listTexts = (subject: Subject) => ['Schema', 'Collection', 'Mapping'].map((tab) => textOf(tab, subject))

describe('the schema, the collection and the mapping', () => {
  const revived = subjectOf({ ...orderSubject, ...revive(wideList), source: 'x' })
  test.each([
    ['the orders', orderSubject],
    ['every kind of column', revived],
  ])('are those of the page: %s', (_, subject) => {
    const { collection, table, name } = subject
    const made = run(...listTexts(subject))
    const one = Object.values(subject.dialects)[0]!
    const data = (list: { collection: core.Collection; table: sql.Table }) =>
      JSON.parse(JSON.stringify(dataOf(one, { name, ...list }))) as ListData
    expect(data({ collection: made.collection, table: made.mapping })).toEqual(data({ collection, table }))
  })
})

test('the query is the one that the text is parsed to', () => {
  const list = [textOf('Schema', orderSubject), textOf('Collection', orderSubject)]
  const { collection } = orderSubject
  let asked = 0
  fc.assert(
    fc.property(someCollectionText(collection, rows), (text) => {
      const result = askOrders(text)
      const canonical = result.ok ? result.answer.texts.urlwhere! : undefined
      if (!result.ok || canonical === undefined || !hasOutput(canonical)) return
      asked += 1
      const { query } = run(...list, textOf('where', orderSubject, result.answer))
      const parsed = core.parseQueryOrThrow(collection, canonical.output)
      // The builder flattens groups, so that the trees can differ.
      const selected = (filter: core.Filter) => rows.filter(memory.compile(filter)).map(({ id }) => id)
      expect(selected(query.filter), text).toEqual(selected(parsed.filter))
      const page = ({ sort, limit, position, offset, fields, count, search, facets }: core.Query) =>
        JSON.stringify(
          { sort, limit, position, offset, fields, count, search, facets: facets?.map(({ path }) => path) },
          (name, value: unknown) => (name === 'span' ? undefined : value),
        )
      expect(page(query), text).toBe(page(parsed))
    }),
    { numRuns: byEffort(600, 60), seed: 55 },
  )
  expect(asked).toBeGreaterThan(20)
})

test('a text in the query is a text in the code', () => {
  const hostile = `it's "a\\b"\`$\{x} and(o.y) </script>\u2028`
  const text = core.queryString({ filter: { 'customerName[contains]': hostile } as never })
  const { query } = run(
    textOf('Schema', orderSubject),
    textOf('Collection', orderSubject),
    textOf('where', orderSubject, answerOf(text)),
  )
  expect(query.filter).toMatchObject({ kind: 'match', text: hostile })
})
