/** A list in the memory of the page. */
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { toPage, type Collection } from '../../src/index.ts'
import { hasOutput, withFacets } from './answer.ts'
import { keyOf, type Row, type Store } from './subject.ts'

// The page has a Content Security Policy.
const memory = /* @__PURE__ */ memoryBackend({ codegen: false })

export const memoryStore = (collection: Collection, rows: readonly Row[]): Store => ({
  total: rows.length,
  read: (answer, show) => {
    const { query } = answer
    const read = memory.compileQuery({ ...query, count: true })(rows)
    const asked = withFacets(collection, answer)
    show({
      page: { output: toPage(query, read.rows as readonly Row[]) },
      // Without a maximum, all are counted.
      count: read.count as number,
      facets: hasOutput(asked) ? { output: memory.facets(asked.output.query)(rows) } : asked,
    })
  },
  rowOf: (key) => rows.find((row) => keyOf({ collection }, row) === key),
})
