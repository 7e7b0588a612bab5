/** What the compiler and an editor say of a call: the paths that there are, and not the type of the schema. */
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { isComplete } from '../../effort.ts'

const root = join(import.meta.dirname, '../../..')
const head = `
import { and, buildQuery, defineCollection, defineSchema, field, queryString, where } from '../../../src/index.ts'
import { arrayColumn, childTable, column, jsonColumn, parentTable, table } from '../../../src/backends/sql/index.ts'
const orders = defineSchema({
  seller: field.string(),
  status: field.enumeration(['paid', 'held']),
  tags: field.list(field.string()),
  customer: field.object({ name: field.string(), address: field.object({ city: field.string() }) }),
  items: field.list(field.object({ price: field.number(), product: field.string() })),
})
const o = where(orders)
const collection = defineCollection(orders, { key: 'seller', sort: ['status'], fields: ['items'] })
`
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
  ts.sys,
  root,
)
/** The files of one program, and their texts. A program for each text would take most of the time. */
const fileOfText = new Map<string, string>()
const textOfFile = new Map<string, string>()
function addToProgram(text: string): void {
  const file = join(import.meta.dirname, `text-${fileOfText.size}.ts`)
  fileOfText.set(text, file)
  textOfFile.set(file, head + text)
}
/** A table of tests. The program gets the text of each row while Vitest collects the tests. */
const testEach =
  <Start extends readonly unknown[]>(textOf: (...start: Start) => string) =>
  <Row extends [...Start, ...unknown[]]>(rows: Row[]) => {
    for (const row of rows) addToProgram(textOf(...(row as unknown as Start)))
    return test.runIf(isComplete).each(rows)
  }
const service = ts.createLanguageService({
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getCompilationSettings: () => ({ ...options, noUnusedLocals: false }),
  getScriptFileNames: () => [...textOfFile.keys()],
  getScriptVersion: () => '0',
  getScriptSnapshot: (name) => {
    const content = textOfFile.get(name) ?? ts.sys.readFile(name)
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content)
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (name) => textOfFile.has(name) || ts.sys.fileExists(name),
})
const fileOf = (text: string) => fileOfText.get(text) ?? expect.fail(`the program does not have ${text}`)
const messagesOf = (text: string) =>
  service
    .getSemanticDiagnostics(fileOf(text))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
/** The names that an editor offers between the beginning and the end of a text. */
const completionsOf = (beginning: string, end: string) =>
  service
    .getCompletionsAtPosition(fileOf(beginning + end), (head + beginning).length, {})!
    .entries.map(({ name }) => name)

/** The compiler gives names in the order in which it met them. */
const sorted = (text: string) =>
  text.replace(/(?:"[^"]+"|\w+)(?: \| (?:"[^"]+"|\w+))+/g, (names) => names.split(' | ').sort().join(' | '))
/** In both directions. */
const signed = (paths: string) => `${paths} | ${paths.replaceAll(/(?<=^| )"/g, '"-')}`

const scalars = `"seller" | "status" | "customer.name" | "customer.address.city"`
const texts = `"seller" | "customer.name" | "customer.address.city"`
const lists = `"tags" | "items"`
const all = `"seller" | "status" | "tags" | "customer" | "customer.name" | "customer.address" | "customer.address.city" | "items"`
testEach((call: string) => call)([
  [`o.equals('sellr', 's-1')`, 'sellr', scalars],
  [`o.notEqual('items.price', 1)`, 'items.price', scalars],
  [`o.in('customer', ['x'])`, 'customer', scalars],
  [`o.gt('status', 'paid')`, 'status', texts],
  [`o.range('status', 'held', 'paid')`, 'status', texts],
  [`o.startsWith('tags', 'x')`, 'tags', texts],
  [`o.exists('sellr')`, 'sellr', all],
  [`o.some('item', () => and())`, 'item', lists],
  [`o.some('items', (item) => item.equals('prize', 1))`, 'prize', `"price" | "product"`],
])('the compiler lists the paths for %s', (call, wrong, paths) => {
  const [message, ...others] = messagesOf(call)
  expect(others).toEqual([])
  const [, given, known] = /^Argument of type '"(.*)"' is not assignable to parameter of type '(.*)'\.$/.exec(message!)!
  expect(given).toBe(wrong)
  // The compiler gives them in the order in which it met them.
  expect(known!.split(' | ').sort()).toEqual(paths.split(' | ').sort())
})

testEach((call: string) => call + "')")([
  [`o.equals('`, scalars],
  [`o.contains('`, texts],
  [`o.exists('`, all],
  [`o.some('`, lists],
  [`o.some('items', (item) => item.gt('`, `"price" | "product"`],
  [`defineCollection(orders, { key: '`, scalars],
  [`defineCollection(orders, { key: 'seller', sort: ['`, scalars],
  [`buildQuery(collection, { sort: ['`, `"seller" | "status" | "-seller" | "-status"`],
  [`buildQuery(collection, { fields: ['`, `"items" | "items.price" | "items.product"`],
  [`queryString<typeof collection>({ sort: ['`, `"seller" | "status" | "-seller" | "-status"`],
  [`queryString<typeof collection>({ fields: ['`, `"items" | "items.price" | "items.product"`],
  [`queryString<typeof collection>({ filter: { 'status[in]': ['`, `"paid" | "held"`],
])('an editor completes %s', (call, paths) => {
  const names = completionsOf(call, "')")
  expect(names.map((name) => `"${name}"`).sort()).toEqual(paths.split(' | ').sort())
})

const beginningOf = (option: string) => `defineCollection(orders, { key: 'seller', ${option}`
const collectionWith = (option: string) => `${beginningOf(option)} })`
const comparable = `"equals" | "notEqual" | "in" | "nin" | "exists"`
testEach(collectionWith)([
  [`sort: true, defaultSort: '-sellr'`, `'${signed(scalars)}'. Did you mean '"-seller"'?`],
  [`sort: true, defaultSort: ''`, `'${signed(scalars)}'.`],
  [
    `sort: ['status'], defaultSort: '-status,sellr'`,
    `'"-status,status" | "-status,seller" | "-status,-status" | "-status,-seller"'. Did you mean '"-status,seller"'?`,
  ],
  [`sort: ['status'], hidden: ['status']`, `'"seller" | "customer.name" | "customer.address.city"'.`],
  [`operators: { status: ['contains'] }`, `'${comparable}'.`],
  [`operators: { customer: ['contains'] }`, `'"exists"'.`],
])('the compiler lists the values that a collection accepts in place of %s', (option, expected) => {
  const [message, ...others] = messagesOf(collectionWith(option))
  expect(others).toEqual([])
  expect(sorted(message!)).toContain(sorted(`is not assignable to type ${expected}`))
})
testEach((option: string) => beginningOf(option) + "')")([
  [`sort: true, defaultSort: '`, signed(scalars)],
  [
    `sort: ['status'], defaultSort: 'status,`,
    `"status,status" | "status,seller" | "status,-status" | "status,-seller"`,
  ],
  [`operators: { status: ['`, comparable],
])('an editor completes a collection with %s', (option, expected) => {
  const names = completionsOf(beginningOf(option), "')")
  expect(names.map((name) => `"${name}"`).sort()).toEqual(expected.split(' | ').sort())
})

testEach((call: string) => call)([
  [`column('a', { type: 'nummeric' })`, `Type '"nummeric"' is not assignable`, `Did you mean '"numeric"'?`],
  [`arrayColumn('a', { type: 'nummeric' })`, `Type '"nummeric"' is not assignable`, `Did you mean '"numeric"'?`],
  [`column<'hugeint'>('a', { type: 'hugint' })`, `Type '"hugint"' is not assignable`, `Did you mean '"hugeint"'?`],
])('the compiler suggests the nearest type for %s', (call, ...expected) => {
  const [message, ...others] = messagesOf(call)
  expect(others).toEqual([])
  for (const part of expected) expect(message).toContain(part)
})

// --- Rows

const more = `
import type { InferRow } from '../../../src/index.ts'
const sales = defineSchema({
  id: field.uuid(),
  serial: field.bigint({ required: true }),
  total: field.decimal({ required: true }),
  note: field.string(),
  customer: field.object({ name: field.string({ required: true }), email: field.string() }, { required: true }),
  items: field.list(field.object({ price: field.number({ required: true }) })),
})
const saleCollection = defineCollection(sales, { key: 'id' })
const plain = defineSchema({ name: field.string(), count: field.integer() })
`
const shown = (type: string) => `${more}type Shown = ${type}`
/** The declaration of a type as an editor shows it. */
function shownAs(type: string): string {
  const at = (head + more).length + 'type '.length
  const { displayParts } = service.getQuickInfoAtPosition(fileOf(shown(type)), at)!
  return ts.displayPartsToString(displayParts).replaceAll(/\s+/g, ' ')
}
const optional = (name: string) => `readonly ${name}?: string | null | undefined`
const ofSale = [
  ...['readonly serial: string | number | bigint', 'readonly total: string | number | bigint', optional('note')],
  `readonly customer: { readonly name: string; ${optional('email')}; }`,
  'readonly items?: readonly ({ readonly price: number; } | null)[] | null | undefined',
]
testEach(shown)([
  ['InferRow<typeof sales>', [...ofSale, optional('id')]],
  ['InferRow<typeof saleCollection>', [...ofSale, 'readonly id: string']],
  ['InferRow<typeof plain>', [optional('name'), 'readonly count?: number | null | undefined']],
])('an editor shows %s as one object', (type, members) => {
  // The compiler gives them in the order in which it met them.
  const others = members.reduce((text, member) => text.replace(` ${member};`, ''), shownAs(type))
  expect(others).toBe('type Shown = { }')
})
const withoutKey = `${more}
  export const row: InferRow<typeof saleCollection> = { serial: 1n, total: '1', customer: { name: 'x' } }`
addToProgram(withoutKey)
test('the compiler names the required field that a row lacks', () => {
  const [message, ...others] = messagesOf(withoutKey)
  expect(others).toEqual([])
  expect(message).toMatch(/^Property 'id' is missing in type /)
})

// --- Options of fields

const made = (call: string) => `export const made = ${call}`
testEach(made)([
  [`field.string({ required: 1 })`, `Type 'number' is not assignable to type 'boolean | undefined'`],
  [`field.string({ requierd: true })`, `'requierd' does not exist in type 'FieldOptions'`],
  [`field.datetime({ digits: 6 })`, `Type '6' is not assignable to type '3'.`],
  [`field.uuid(true)`, `Type 'true' has no properties in common with type 'FieldOptions'`],
])('%s is refused', (call, expected) => {
  const [message, ...others] = messagesOf(made(call))
  expect(others).toEqual([])
  expect(message).toContain(expected)
})

// --- Mappings

const mappingUntil = (columns: string) => `table('orders', { schema: orders, columns: { ${columns}`
const mapping = (columns: string) => `${mappingUntil(columns)} } })`
const child = (columns: string) => `childTable('i', { foreignKey: 'o', columns: { ${columns} } })`
const parent = (columns: string) => `parentTable('c', { key: 'id', foreignKey: 'c', columns: { ${columns} } })`

testEach(mapping)([
  [`seller: 'seller_id', status: column('s', { type: 'enum' }), tags: arrayColumn('tags')`],
  [`seller: column('s'), tags: childTable('tags', { foreignKey: 'o', value: 'tag' }), items: jsonColumn('items')`],
  [`customer: { name: 'contact_name', address: jsonColumn('address') }`],
  [`customer: ${parent(`name: 'full_name', address: { city: 'town' }`)}, items: ${child(`price: 'amount'`)}`],
  [`customer: ${parent(`address: ${parent(`city: 'town'`)}`)}, items: childTable('i', { foreignKey: 'o' })`],
])('a mapping may have %s', (columns) => {
  expect(messagesOf(mapping(columns))).toEqual([])
})

testEach(mapping)([
  // Names.
  [`sellr: 's'`, `but 'sellr' does not exist in type`, `Did you mean to write 'seller'?`],
  [`customer: { nam: 'n' }`, `but 'nam' does not exist in type`, `Did you mean to write 'name'?`],
  [`customer: { address: { town: 't' } }`, `and 'town' does not exist in type`],
  [`items: ${child(`prize: 'p'`)}`, `Type '"prize"' is not assignable to type '"price" | "product"'.`, `'"price"'?`],
  [`items: ${child(`price: 'p', prize: 'p'`)}`, `Type '"prize"' is not assignable to type '"price" | "product"'.`],
  [`customer: ${parent(`nam: 'n'`)}`, `Type '"nam"' is not assignable to type '"name" | "address"'.`],
  [`customer: ${parent(`address: { town: 't' }`)}`, `Type '{ readonly town: "t"; }' is not assignable`],
  // Kinds.
  [`customer: ${child('')}`, `Type '"child"' is not assignable to type '"parent"'.`],
  [`customer: 'customer'`, `Type 'string' is not assignable to type 'JsonColumn | `],
  [`customer: column('customer')`, `Type 'Column' is not assignable to type 'JsonColumn | `],
  [`customer: ${parent(`address: ${child('')}`)}`, `Type '"child"' is not assignable to type '"parent"'.`],
  [`seller: ${parent('')}`, `is not assignable to type 'string | Column | JsonColumn | undefined'.`],
  [`items: ${parent('')}`, `Type '"parent"' is not assignable to type '"child"'.`],
  [
    `items: arrayColumn('items')`,
    `Type 'ArrayColumn' is not assignable to type 'JsonColumn | ChildTable<"price" | "product"`,
  ],
  [`tags: 'tags'`, `Type 'string' is not assignable to type 'JsonColumn | ArrayColumn | ChildTable<`],
])('a mapping with %s is refused', (columns, ...expected) => {
  const [message, ...others] = messagesOf(mapping(columns))
  expect(others).toEqual([])
  for (const part of expected) expect(sorted(message!)).toContain(sorted(part))
})

testEach(mappingUntil)([
  ['', ['customer', 'items', 'seller', 'status', 'tags']],
  ['customer: { ', ['address', 'name']],
  ['customer: { address: { ', ['city']],
  [`items: childTable('i', { foreignKey: 'o', columns: { `, ['price', 'product']],
  [`items: childTable('i', { foreignKey: 'o', columns: { product: 'p', pri`, ['price']],
  [`customer: parentTable('c', { key: 'id', foreignKey: 'c', columns: { `, ['address', 'name']],
  [`customer: parentTable('c', { key: 'id', foreignKey: 'c', columns: { address: { `, ['city']],
  [`customer: ${parent(`address: ${parent('')}`).replace(/ \} \}\) \} \}\)$/, '')}`, ['city']],
])('an editor completes a mapping with %s', (columns, names) => {
  const offered = completionsOf(mappingUntil(columns), '')
  expect(offered).toEqual(expect.arrayContaining(names))
  // Names of fields, and not all names that there are.
  expect(offered.length).toBeLessThan(10)
})

testEach((call: string) => call)([
  [`childTable('i')`, 'Expected 2-3 arguments, but got 1.'],
  [`childTable('i', { foreignKey: 1 })`, "Type 'number' is not assignable to type 'ForeignKey'."],
  [`parentTable('c', { foreignKey: 'c' })`, "Property 'key' is missing"],
  [
    `childTable('i', { foreignKey: { columns: 'o', enforced: false } })`,
    "Type 'false' is not assignable to type 'true'.",
  ],
  [`table('o', { schema: orders, orders: [['status', '-sellr']] })`, 'Type \'"-sellr"\' is not assignable to type'],
  [`table('o', { schema: orders, orders: [['status', 'tags']] })`, 'Type \'"tags"\' is not assignable to type'],
])('%s is refused in one line', (call, expected) => {
  const [message, ...others] = messagesOf(call)
  expect(others).toEqual([])
  expect(message).toContain(expected)
})

// --- Keys of conditions

/** The keys of a field, by the operators that it takes. */
const keys = (path: string, ...operators: string[]) => operators.map((operator) => `${path}[${operator}]`)
const queryWith = (condition: string) => `queryString<typeof collection>({ filter: { ${condition} } })`
addToProgram(queryWith("''"))
test('an editor completes the keys of conditions', () => {
  const names = completionsOf(`queryString<typeof collection>({ filter: { '`, `' } })`)
  expect(names).toEqual(expect.arrayContaining(['seller', 'tags', 'items.price']))
  const ofField = (path: string) => names.filter((name) => name === path || name.startsWith(`${path}[`)).sort()
  expect(ofField('status')).toEqual(['status', ...keys('status', 'equals', 'exists', 'in', 'nin', 'notEqual')])
  expect(ofField('items')).toEqual(keys('items', 'atLeast', 'atMost', 'exists'))
  expect(ofField('customer')).toEqual(['customer[exists]'])
  expect(ofField('items.price')).toEqual([
    'items.price',
    ...keys('items.price', 'all', 'equals', 'exists', 'gt', 'gte', 'in', 'lt', 'lte', 'nin', 'notEqual', 'range'),
  ])
})
testEach(queryWith)([
  [`sellr: 's-1'`, `'sellr' does not exist in type`, `Did you mean to write 'seller'?`],
  [`'items.prize[gt]': 1`, `''items.prize[gt]'' does not exist in type`],
  [`'status[gt]': 'paid'`, `''status[gt]'' does not exist in type`],
  [`'status[in]': ['paids']`, `Type '"paids"' is not assignable to type '"paid" | "held"'. Did you mean '"paid"'?`],
  [`'items.price[range]': [1]`, `Type '[number]' is not assignable to type 'readonly [number, number]'.`],
  [`'items.price': '1'`, `Type 'string' is not assignable to type 'number'.`],
])('a filter with %s is refused in one message', (condition, ...expected) => {
  const [message, ...others] = messagesOf(queryWith(condition))
  expect(others).toEqual([])
  for (const part of expected) expect(message).toContain(part)
})

// --- Services

const usual = { collection: 'collection', rows: '{ find: () => [] }', restriction: '() => and()' }
const serviceOf = (listed: object, options: string) => `
import { createListService } from '../../../src/service/index.ts'
const tokens = new Map([['t', { seller: 's-1' }]])
export const listOrders = createListService({
  authenticate: ({ headers }) => tokens.get(headers.get('authorization') ?? ''),
  collections: { orders: { ${Object.entries({ ...usual, ...listed })
    .map((option) => option.join(': '))
    .join(', ')} } },
  ${options}
})`
testEach(serviceOf)([
  [{}, ''],
  [
    { restriction: `({ tenant }) => o.equals('seller', tenant)` },
    '',
    `Property 'tenant' does not exist on type '{ seller: string; }'.`,
  ],
  [
    { rows: '{ find: (_, { tenant }) => [tenant] }' },
    '',
    `Property 'tenant' does not exist on type 'RowsContext<{ seller: string; }>'.`,
  ],
  [
    { collection: '({ role }) => (role ? collection : collection)' },
    '',
    `Property 'role' does not exist on type '{ seller: string; }'.`,
  ],
  [{ reserved: `'view'` }, '', `Type 'string' is not assignable to type 'readonly string[]'.`],
  [{ reservd: `['view']` }, '', `'reservd' does not exist`],
  [{}, 'concurrency: { max: 1, key: ({ id }) => id },', `Property 'id' does not exist on type '{ seller: string; }'.`],
  [{}, 'concurrency: { max: 1, key: () => 7 },', `Type 'number' is not assignable to type 'string'.`],
  [{}, `timeout: '1s',`, `Type 'string' is not assignable to type 'number'.`],
  [{}, 'cache: { maxAge: 5 },', `Property 'vary' is missing in type '{ maxAge: number; }'`],
  [{}, 'onRequest: ({ user }) => user,', `Property 'user' does not exist on type 'Observed<{ seller: string; }>'.`],
])('the compiler checks a service with %o { %s }', (listed, options, expected?: string) => {
  const messages = messagesOf(serviceOf(listed, options))
  expect(messages).toEqual(expected === undefined ? [] : [expect.stringContaining(expected)])
})
