/** Hints about records: they name no key that the query lacks, and change no negation, direction and bound. */
import { expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseFilter, parseQuery, type Issue } from '../../src/index.ts'
import { applied } from '../issue/suggestions.ts'

const schema = defineSchema({
  id: field.integer({ required: true }),
  labels: field.record(field.string()),
  metrics: field.record(field.number()),
  meta: field.json(),
  items: field.list(field.object({ marks: field.record(field.boolean()) })),
})
const collection = defineCollection(schema, { key: 'id' })
const issueOf = (text: string, of = collection): Issue => {
  const result = parseQuery(of, text)
  if (result.ok) throw new Error(`${text} is a query`)
  return result.issues[0]!
}
const long = 'k'.repeat(129)

const aKey = 'available operators for labels: exists; a key of labels: labels.…'
test.each([
  'labels=red',
  'labels[in]=a,b',
  'labels!=red',
  '-labels=red',
  'labels={"color":"red"}',
  'labels->color=red',
  'labels[5]=x',
  `labels[${long}]=x`,
  // The name of an operator and a misspelt one are not keys.
  'labels[neq]=red',
  'labels[ne]=red',
  'labels[contians]=red',
  'labels[!color]=red',
  'labels[not_color]=red',
  'labels__ne=red',
  'filter[labels][ne]=red',
])('%s has no key: the hint shows its place', (text) => {
  expect(issueOf(text)).toMatchObject({ hint: aKey })
  expect(issueOf(text).suggestion).toBeUndefined()
})

const aName = "a record's key is one name, of at most 128 characters, without '.', '[' and ']'"
test.each([
  'labels.a.b=x',
  'labels.a.b[ne]=x',
  'labels.5.color=x',
  'labels[5][color]=x',
  'labels[contains][x]=a',
  `labels.${long}=x`,
  // Without its last word, the key would be short enough.
  `labels.${long.slice(3)}_gt=x`,
  'labels.__proto__=x',
  'metrics.cpu.load.gt=5',
])('%s is not a key: the hint describes keys', (text) => {
  expect(issueOf(text)).toMatchObject({ hint: aName })
  expect(issueOf(text).suggestion).toBeUndefined()
})

test.each([
  ['labels[color]=red', 'labels.color=red'],
  ['labels[color][eq]=red', 'labels.color=red'],
  ['labels__color=red', 'labels.color=red'],
  ['labels__color__ne=red', 'labels.color[notEqual]=red'],
  ['filter[labels][color]=red', 'labels.color=red'],
  ['filter[labels.color][ne]=red', 'labels.color[notEqual]=red'],
  ['labels.color.ne=red', 'labels.color[notEqual]=red'],
  ['labels.color[ne]=red', 'labels.color[notEqual]=red'],
  ['labels.5[ne]=red', 'labels.5[notEqual]=red'],
  ['labels.not_color[ne]=red', 'labels.not_color[notEqual]=red'],
  ['labels.it%27s%20"a"[ne]=red', 'labels.it%27s%20"a"[notEqual]=red'],
  ['not.labels.color=red', 'labels.color[notEqual]=red'],
  ['metrics.cpu.gt=5', 'metrics.cpu[gt]=5'],
  ['metrics.cpu>5', 'metrics.cpu[gt]=5'],
  ['metrics.cpu>=5', 'metrics.cpu[gte]=5'],
  // Browsers encode the sign.
  ['metrics.cpu%3E=5', 'metrics.cpu[gte]=5'],
  ['metrics.cpu<=5', 'metrics.cpu[lte]=5'],
  ['labels.color!=red', 'labels.color[notEqual]=red'],
  ['labels.color%21=red', 'labels.color[notEqual]=red'],
  ['labels.color~=red', 'labels.color[contains]=red'],
  ['metrics.cpu:lt:18', 'metrics.cpu[lt]=18'],
  ['metrics.cpu=>5', 'metrics.cpu[gt]=5'],
  ['metrics.cpu=!5', 'metrics.cpu[notEqual]=5'],
  ['!labels.color', 'labels.color[exists]=false'],
  ['items[0][marks][a]=true', undefined],
  // The whole key may be a key, and its end an operator.
  ['filter[metrics.cpu_gt]=5', undefined],
  ['metric.cpu_gt=5', undefined],
  // No hint repairs the name of a record.
  ['metric.cpu=5', undefined],
  ['metric.cpu.gt=5', undefined],
])('%s means %s', (text, meant) => {
  const { suggestion } = issueOf(text)
  const written = suggestion && applied(text, suggestion)
  expect(written).toBe(meant)
  if (meant !== undefined) expect(parseQuery(collection, meant).ok).toBe(true)
})

test('a hint names the operators of the values, and the values', () => {
  const numbers = 'equals, notEqual, gt, gte, lt, lte, range, in, nin, exists'
  // A mark before the sign may belong to the key.
  for (const key of ['metrics.cpu<>', 'metrics.cpu$>', "metrics.it's!"])
    expect(issueOf(`${key}=5`)).toMatchObject({
      code: 'field_unknown',
      hint: `available operators for ${key}: ${numbers}`,
    })
  expect(issueOf('metrics.cpu[contains]=x').hint).toBe(`available operators for metrics.cpu: ${numbers}`)
  expect(issueOf('metrics.cpu[doesNotContain]=x').hint).toBe(`available operators for metrics.cpu: ${numbers}`)
  expect(issueOf('metrics.cpu=much').message).toBe('invalid value for metrics.cpu: expected a number, such as 12.5')
  expect(issueOf('items.marks.a=maybe').message).toBe('invalid value for items.marks.a: expected true or false')
})

test('no hint names a record that callers may not filter by', () => {
  const closed = defineCollection(schema, { key: 'id', operators: { labels: [] } })
  const hintOf = (text: string) => [issueOf(text, closed).suggestion, issueOf(text, closed).hint]
  for (const text of ['labels.color.ne=red', 'lables.color=red', 'labels.a.b=x'])
    expect([text, ...hintOf(text)]).toEqual([text, undefined, undefined])
  expect(hintOf('labels[color]=red')).toEqual([undefined, 'labels cannot be filtered'])
  const equal = defineCollection(schema, { key: 'id', operators: { labels: ['equals'] as never } })
  expect(issueOf('labels.color.ne=red', equal)).toMatchObject({ hint: 'available operators for labels.color: equals' })
})

// It has no operand: with another operator before the value, it is not a condition.
test.each(['meta!=5', 'meta=!5', 'meta[neq]=5', 'labels!=5', 'labels[ne]=1,2'])('%s is an issue', (text) => {
  expect(parseFilter(schema, text).ok).toBe(false)
})
