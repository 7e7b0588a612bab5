/** docs/reference/mongodb-indexes.md says what an index serves: DocumentDB reads no more of it than that. */
import { afterAll, describe, expect, test } from 'vitest'
import { openEngines, isServer } from './engines.ts'
import { documents, facet, indexes, lines, nothing, pages, readsOf } from './plans.ts'

const engines = await openEngines()
afterAll(async () => {
  for (const engine of engines) await engine.close()
})
const servers = engines.filter(isServer).filter(({ name }) => name === 'DocumentDB')

describe.each(servers)('$name', async ({ fillIndexed }) => {
  const { explain, explainPipeline, drop } = await fillIndexed(documents, indexes)
  afterAll(drop)
  test.each(lines)('$asked: $reads', async ({ document, index, reads }) => {
    const [used = nothing] = readsOf(await explain(document))
    expect(used).toEqual(index === undefined ? { reads } : { index, reads })
  })
  test('a facet reads the index of its conditions', async () => {
    expect(readsOf(await explainPipeline(facet.pipeline))).toEqual([
      { index: facet.index, reads: 'between the bounds' },
    ])
  })
  test.each(pages)('a page: $asked', async ({ query, index }) => {
    const plan = await explain(query.filter, query)
    const scans = readsOf(plan)
    expect(scans.length).toBeGreaterThan(0)
    for (const { index: used, reads } of scans) {
      expect(reads).toBe('between the bounds')
      expect(Object.keys(used!)[0]).toBe(Object.keys(index)[0])
    }
    // It has no order from an index of its own.
    expect(JSON.stringify(plan)).toContain('"Sort"')
  })
})

test('the documents of the table are asked of an index, or of all documents', () => {
  for (const { index, reads } of lines) expect(index === undefined).toBe(reads === 'every document')
})
