/** Text → typed filter, against what `qs` takes to make nested objects of the same text. */
import qs from 'qs'
import { parseFilter } from '../src/index.ts'
import { parseSyntax } from '../src/syntax/parse.ts'
import { scan } from '../src/syntax/tokens.ts'
import { compare } from './ratio.mjs'
import { orders, queries } from './queries.mjs'

for (const [name, texts] of Object.entries(queries)) {
  compare(
    name,
    {
      'qs.parse': (text) => qs.parse(text),
      scan: (text) => scan(text, 0),
      'scan + grammar': (text) => parseSyntax(text, []),
      parseFilter: (text) => parseFilter(orders, text),
    },
    texts,
  )
}

// One fault near the end: what a rejected query costs, against the accepted one.
const pairs = queries['Q6 raw'].map((text) => ({ good: text, bad: text.replace('total[gt]', 'total[gr]') }))
compare(
  'Q6 rejected',
  { accepted: ({ good }) => parseFilter(orders, good), rejected: ({ bad }) => parseFilter(orders, bad) },
  pairs,
)
