/** What the tests of read-pairs and its laws share. */
import { defineCollection, defineSchema, field, parseFilter, parseQuery, type QueryOptions } from '../../src/index.ts'

export const newSchema = () =>
  defineSchema({
    id: field.integer(),
    seller: field.string(),
    status: field.enumeration(['paid', 'held', 'new']),
    total: field.number(),
    'page(1)': field.number(),
    tags: field.list(field.string()),
    items: field.list(field.object({ arrival: field.date(), at: field.object({ moment: field.datetime() }) })),
  })
export type OurSchema = ReturnType<typeof newSchema>
export const newCollection = (schema: OurSchema) =>
  defineCollection(schema, {
    key: 'id',
    sort: ['total'],
    offset: { max: 10 },
    count: true,
    groups: true,
    operators: { status: ['in', 'equals'] },
    parameters: { limit: 'page[size]', cursor: 'a+b' },
  })
export const values = [
  ...[
    '',
    'x',
    'x,y',
    ',',
    'x,',
    '"x,y"',
    '"x',
    'a\\b',
    'a=b',
    'a?b',
    'a+b',
    '%22x%22',
    'x%2Cy',
    'x%5Cy',
    '%',
    '%f',
    '%00',
  ],
  ...['%ff', '%c3%a9', '\u00e9', '\ud800', '\0', '1', '-1', '1,2', '1%2c2', '1,2,3', '01', '1e3', 'x'.repeat(12)],
  ...[
    'paid',
    'paid,held',
    'pai%64',
    'paid,nope',
    '2024-01-01',
    '2024-02-30',
    '2024-01-01T00:00:00Z,2024-01-02',
    'true',
  ],
  ...['total', '-total', 'totl', '(seller=a,total[gt]=1)', '(seller=a', 'eyJ'],
]

export const optionSets: readonly QueryOptions[] = [
  {},
  { reserved: ['apiKey', 'key[1]', 'nobody'] },
  { limits: { pairs: 3 } },
  { limits: { length: 40 } },
  { limits: { depth: 2 } },
  { limits: { list: 2, operand: 10 } },
  { limits: { searches: 1 } },
]
/** What is read of a text, with each set of options; the collection is made, or taken, for each of them. */
export const told = (collectionOf: () => ReturnType<typeof newCollection>, text: string) =>
  optionSets.flatMap((options) =>
    [
      parseFilter(collectionOf().schema, text, options),
      parseFilter(collectionOf().schema, text, { ...options, groups: true }),
      parseQuery(collectionOf(), text, options),
    ].map((result) => JSON.stringify({ ...result, reserved: [...result.reserved] })),
  )
