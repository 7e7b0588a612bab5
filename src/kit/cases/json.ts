/** The presence of any JSON value. */
import { defineSchema, field } from '../../language/index.ts'
import { and, not, presence, some } from '../../tree/index.ts'
import { casesOf, type Fixture } from './case.ts'

const documents: Fixture = {
  name: 'any JSON',
  schema: defineSchema({
    id: field.integer(),
    meta: field.json(),
    inner: field.object({ text: field.string(), meta: field.json() }),
    entries: field.list(field.object({ at: field.integer(), meta: field.json() })),
    groups: field.list(field.object({ entries: field.list(field.object({ meta: field.json() })) })),
  }),
  rows: [
    {
      id: 1,
      meta: { a: { b: [1, null] } },
      inner: { text: 'x', meta: 'text' },
      entries: [{ at: 1, meta: {} }],
      groups: [{ entries: [{ meta: 1 }] }],
    },
    {
      id: 2,
      meta: [],
      inner: { text: 'x', meta: false },
      entries: [
        { at: 1, meta: null },
        { at: 2, meta: 0 },
      ],
      groups: [{ entries: [{ meta: null }, {}] }],
    },
    {
      id: 3,
      meta: 'null',
      inner: { text: 'x', meta: null },
      entries: [{ at: 1 }],
      groups: [{ entries: [] }, { entries: [{ meta: null }, { meta: 'x' }] }],
    },
    { id: 4, meta: 0, inner: { text: 'x' }, entries: [] },
    { id: 5, meta: false, inner: null },
    { id: 6, meta: null },
    { id: 7 },
    { id: 8, meta: [null] },
    { id: 9, meta: '' },
  ],
}
export const anyJson = casesOf(['json'], documents, [
  ['meta[exists]=true', [1, 2, 3, 4, 5, 8, 9], 'every value but null, also an empty one'],
  ['meta[exists]=false', [6, 7], 'null in JSON counts as no value'],
  ['inner.meta[exists]=true', [1, 2], 'in an object'],
  ['inner.meta[exists]=false', [3, 4, 5, 6, 7, 8, 9], 'without the object, too'],
  ['entries.meta[exists]=true', [1, 2], 'in an entry'],
  ['entries.meta[exists]=false', [3, 4, 5, 6, 7, 8, 9], 'in no entry'],
  ['groups.entries.meta[exists]=true', [1, 3], 'in an entry of a list in an entry'],
  ['groups.entries.meta[exists]=false', [2, 4, 5, 6, 7, 8, 9], 'in no entry of a list in an entry'],
  ['entries.at=1&entries.meta[exists]=true', [1], 'of one entry'],
  [and(presence(['meta'], 'json'), not(presence(['inner', 'meta'], 'json'))), [3, 4, 5, 8, 9], 'one without the other'],
  [some(['entries'], not(presence(['meta'], 'json'))), [2, 3], 'an entry without a value'],
])
