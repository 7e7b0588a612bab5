/** Emission: a filter of one, three and six conditions as MongoDB's document, against @ucast/mongo's parse of that document. */
import { MongoQueryParser, allParsingInstructions } from '@ucast/mongo'
import { mongoBackend } from '../src/backends/mongo/index.ts'
import { parseFilterOrThrow } from '../src/index.ts'
import { queries, orders } from './queries.mjs'
import { compare } from './ratio.mjs'

const { compile } = mongoBackend()
const parser = new MongoQueryParser(allParsingInstructions)

for (const name of ['Q1', 'Q3', 'Q6']) {
  const inputs = queries[`${name} raw`].map((text) => {
    const filter = parseFilterOrThrow(orders, text)
    return { filter, document: compile(filter) }
  })
  compare(
    name,
    {
      '@ucast/mongo parse': ({ document }) => parser.parse(document).operator !== undefined,
      urlwhere: ({ filter }) => compile(filter).seller !== undefined,
    },
    inputs,
  )
}
