/** Random documents of the query language of MongoDB, among them some that are refused. */
import fc from 'fast-check'
import { values } from './orders.ts'

const of = (list: readonly unknown[]) => fc.constantFrom(...list)
const text = of(values.text)

/** The operands of each field, by its path from the row, and from an entry of `items`. */
const operands: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  tenant: text,
  name: text,
  status: of(values.status),
  total: of(values.number),
  guests: of(values.integer),
  open: fc.boolean(),
  day: of(values.day),
  at: of(values.moment),
  ref: of(values.uuid),
  tags: text,
  scores: of(values.integer),
  'customer.name': text,
  'customer.city.name': text,
  'owner.name': text,
  'items.product': text,
  'items.price': of(values.number),
  'items.tags': text,
  'items.maker.name': text,
}
const ofEntry = Object.fromEntries(
  Object.entries(operands).flatMap(([path, operand]) => (path.startsWith('items.') ? [[path.slice(6), operand]] : [])),
)

const withNull = (operand: fc.Arbitrary<unknown>) => fc.option(operand, { freq: 12 })

/** An object with operators of a field. */
const operatorsOf = (operand: fc.Arbitrary<unknown>, isList: boolean, depth: number): fc.Arbitrary<object> => {
  const list = fc.array(withNull(operand), { maxLength: 3 })
  const rows: Record<string, fc.Arbitrary<unknown>> = {
    $eq: withNull(operand),
    $ne: withNull(operand),
    $in: list,
    $nin: list,
    $gt: operand,
    $gte: operand,
    $lt: operand,
    $lte: operand,
    $exists: fc.boolean(),
  }
  if (isList) Object.assign(rows, { $all: list, $size: fc.nat({ max: 3 }) })
  if (depth > 0) {
    rows.$not = operatorsOf(operand, isList, depth - 1)
    if (isList) rows.$elemMatch = operatorsOf(operand, false, depth - 1)
  }
  return fc
    .uniqueArray(fc.constantFrom(...Object.keys(rows)), { minLength: 1, maxLength: 2 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, rows[name]!])), { noNullPrototype: true }),
    )
}

function documentOf(fields: typeof operands, depth: number): fc.Arbitrary<object> {
  const member = fc.constantFrom(...Object.keys(fields)).chain((path): fc.Arbitrary<readonly [string, unknown]> => {
    const operand = fields[path]!
    return fc.tuple(
      fc.constant(path),
      fc.oneof(
        { arbitrary: withNull(operand), weight: 1 },
        { arbitrary: operatorsOf(operand, /(?:tags|scores)$/.test(path), 1), weight: 3 },
      ),
    )
  })
  const members: fc.Arbitrary<readonly [string, unknown]>[] = [member]
  if (depth > 0) {
    const inner = documentOf(fields, depth - 1)
    members.push(
      fc.tuple(fc.constantFrom('$and', '$or'), fc.array(inner, { minLength: 1, maxLength: 3 })),
      member,
      fc.tuple(
        fc.constant('items'),
        documentOf(ofEntry, depth - 1).map(($elemMatch) => ({ $elemMatch })),
      ),
    )
  }
  return fc.array(fc.oneof(...members), { maxLength: 2 }).map((pairs) => Object.fromEntries(pairs))
}

export const document = documentOf(operands, 2)

/** The operators in a document. */
export const operatorsIn = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [...(name.startsWith('$') ? [name] : []), ...operatorsIn(inner)])
    : []
