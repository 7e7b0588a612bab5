/** The loop over the pairs of a text: it reads the same whether keys are known or new, and counts pairs and conditions. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byEffort } from '../effort.ts'
import { newSchema, newCollection, values, told } from './read-pairs.fixture.ts'

const keys = [
  'seller',
  'seller[equals]',
  'seller[in]',
  'status',
  'status[notEqual]',
  'status[in]',
  'total[gt]',
  'total[range]',
  'page(1)',
  'tags[contains]',
  'tags[startsWith]',
  'seller[startsWith]',
  'seller[endsWith]',
  'items.arrival[gte]',
  'items.arrival[lte]',
  'items.at.moment[in]',
  'items.at.moment',
  'items.at[exists]',
  'or',
  'sort',
  'page[size]',
  'a+b',
  'a b',
  'count',
  'apiKey',
  'key[1]',
  'nobody',
]
const spellings: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => key,
  (key) => key,
  encodeURIComponent,
  (key) => encodeURIComponent(key).toLowerCase(),
  (key) => key.replace(/^./, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
]
const somePair = fc
  .record({ key: fc.constantFrom(...keys), spell: fc.constantFrom(...spellings), value: fc.constantFrom(...values) })
  .map(({ key, spell, value }) => `${spell(key)}=${value}`)
/** Pairs that the grammar accepts, in words or escaped. */
const goodPair = fc.constantFrom(
  ...[
    'seller=x',
    'seller=+',
    'seller[equals]=x',
    'seller%5Bequals%5D=y',
    `seller=${'x'.repeat(12)}`,
    'seller[in]=x%2Cy',
  ],
  ...[
    'status=paid',
    'status[notEqual]=paid',
    'seller[in]="x"',
    'status[in]=paid,held',
    'status[in]="paid",held,new',
    'seller[in]="x,\\"y",""',
    'total[gt]=1',
    'total[range]=1,2',
  ],
  ...['items.arrival[gte]=2024-01-01', 'items.at.moment=2024-01-01', 'items.at[exists]=true', 'tags[contains]=a'],
  ...['tags[startsWith]=a', 'seller[startsWith]=a', 'seller[endsWith]=a'],
  ...['sort=-total', 'page[size]=5', 'apiKey=x', 'apiKey=y', 'key[1]=%20', 'count=true'],
)
const someMark = fc.constantFrom('&', '=', '[', ']', '%', '+', '"', '?', '.', '&&', '', 'x', ',', '\\')
/** Mostly pairs that are accepted; some have a character more, or less. */
const someText = fc
  .record({
    begin: fc.constantFrom('', '', '?', '??'),
    pairs: fc.oneof(
      { weight: 5, arbitrary: fc.array(goodPair, { maxLength: 4 }) },
      { weight: 3, arbitrary: fc.tuple(somePair, goodPair) },
      { weight: 1, arbitrary: fc.array(somePair, { maxLength: 20 }) },
    ),
    spoilt: fc.option(fc.record({ at: fc.nat(50), mark: someMark, drop: fc.nat(2) }), { freq: 3 }),
  })
  .map(({ begin, pairs, spoilt }) => {
    const text = begin + pairs.join('&')
    return spoilt === null ? text : text.slice(0, spoilt.at) + spoilt.mark + text.slice(spoilt.at + spoilt.drop)
  })
const cold = (text: string) => told(() => newCollection(newSchema()), text)

test('every text is read the same by a schema that has seen many others', () => {
  const collection = newCollection(newSchema())
  const warm = (text: string) => told(() => collection, text)
  for (const key of keys) for (const value of values) warm(`${key}=${value}`)
  fc.assert(
    fc.property(someText, (text) => {
      const expected = cold(text)
      expect(warm(text)).toEqual(expected)
      expect(warm(text)).toEqual(expected)
    }),
    // Each text is read 63 times.
    { numRuns: byEffort(1_000, 60) },
  )
})
