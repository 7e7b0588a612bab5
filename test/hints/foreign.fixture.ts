/** What the tests of other APIs and their laws share. */
import { parseQuery, parseQueryOrThrow, toPage, type Collection, type Issue } from '../../src/index.ts'
import { issuesIn } from '../issues.ts'
import { collection, spellings } from './spellings.ts'

export const rows = Object.entries(spellings).flatMap(([api, pairs]) =>
  pairs.map(([there, here]) => ({ api, there, here })),
)
export const { next: cursor } = toPage(parseQueryOrThrow(collection, 'limit=1'), [{ id: 1 }, { id: 2 }])

export const issuesOf = (of: Collection, text: string, parse = parseQuery): readonly Issue[] =>
  issuesIn(parse(of, text))
