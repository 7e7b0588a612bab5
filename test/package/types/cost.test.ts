/**
 * How many types the compiler instantiates for calls on schemas of 12, 60 and 300 fields: what an editor waits for. A version of the
 * compiler always counts the same.
 */
import { join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { isComplete } from '../../effort.ts'

const root = join(import.meta.dirname, '../../..')
const file = join(import.meta.dirname, 'asked.ts')
const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile).config,
  ts.sys,
  root,
)

/** Twelve fields: seven scalars, a list of scalars, an object and a list of objects, each with one inside. */
const mixed = (at: number) => `
  text${at}: field.string(), day${at}: field.date(), moment${at}: field.datetime(), count${at}: field.integer(),
  total${at}: field.number(), gift${at}: field.boolean(), tags${at}: field.list(field.string()),
  status${at}: field.enumeration(['paid', 'held', 'new']),
  customer${at}: field.object({ name: field.string() }),
  items${at}: field.list(field.object({ price: field.number() })),`
/** Twelve fields, of which eleven are inside objects, up to four levels down. */
const nested = (at: number) => `
  a${at}: field.object({
    text: field.string(), count: field.integer(), b: field.object({
      day: field.date(), c: field.object({
        total: field.number(), tags: field.list(field.string()), items: field.list(field.object({
          price: field.number(), product: field.object({ status: field.enumeration(['paid', 'held']) }) })) }) }) }),`
/** Twelve fields: eight scalars, of which seven are required, a list of scalars, a required object and a list of objects. */
const required = (at: number) => `
  text${at}: field.string({ required: true }), ref${at}: field.uuid({ required: true }),
  serial${at}: field.bigint({ required: true }), total${at}: field.decimal({ required: true }), day${at}: field.date(),
  moment${at}: field.datetime({ required: true, digits: 3 }), gift${at}: field.boolean({ required: true }),
  status${at}: field.enumeration(['paid', 'held', 'new'], { required: true }), tags${at}: field.list(field.string()),
  customer${at}: field.object({ name: field.string({ required: true }) }, { required: true }),
  items${at}: field.list(field.object({ price: field.decimal({ required: true }) })),`
const where = `
  o.equals('text', 'x'); o.in('text', ['x']); o.range('count', 1, 2); o.gte('count', 1); o.contains('text', 'x')
  o.exists('text'); o.some('list', (entry) => entry.equals('price', 1))`
const queryString = `
  queryString<typeof collection>({ filter: { text: 'x', 'count[range]': [1, 2], 'list.price[exists]': true } })`
const hidden = `
  const hiding = defineCollection(orders, { key: 'text', sort: true, fields: true, hidden: ['count', 'list.price'] })
  queryString<typeof hiding>({ filter: { text: 'x', 'list[exists]': true }, sort: ['-text'] })`
const narrowed = `
  const forSellers = narrow(collection, { fields: { hide: ['count', 'list.price'] }, operators: { text: ['equals'] } })
  queryString<typeof forSellers>({ filter: { text: 'x', 'list[exists]': true }, sort: ['-text'] })`
const collection = `
  defineCollection(orders, { key: 'text', sort: ['count'], fields: ['list'], defaultSort: '-count,text' })`
const rows = `
  export const row: InferRow<typeof orders> = { text: 'x' }`
const answers = `
  declare const page: AnswerPage<typeof hiding>
  export const shown: string | null | undefined = page.data[0]!.text
  export const named: AnswerRow<typeof hiding, 'text' | 'list'> = { text: 'x' }`
const requiredRows = `
  declare const keyed: InferRow<typeof collection>
  export const text: string = keyed.text
  export const row: InferRow<typeof orders> = { text: 'x' } as never`

/** The files of the library and of the compiler are parsed once. */
const parsed = new Map<string, ts.SourceFile | undefined>()
function costOf(fields: (at: number) => string, count: number, calls: string): number {
  const text = `
    import {
      defineCollection, defineSchema, field, narrow, queryString, where, type AnswerPage, type AnswerRow, type InferRow,
    } from '../../../src/index.ts'
    const orders = defineSchema({
      text: field.string(), count: field.integer(), list: field.list(field.object({ price: field.number() })),
      ${Array.from({ length: count / 12 }, (_, at) => fields(at)).join('')}
    })
    const o = where(orders)
    const collection = defineCollection(orders, { key: 'text', sort: true, fields: true })
    export { o, collection }
    ${calls}`
  const host = ts.createCompilerHost(options)
  const program = ts.createProgram({
    rootNames: [file],
    options: { ...options, incremental: false, noUnusedLocals: false },
    host: {
      ...host,
      fileExists: (name) => name === file || host.fileExists(name),
      getSourceFile: (name, version) => {
        if (name === file) return ts.createSourceFile(name, text, version)
        if (!parsed.has(name)) parsed.set(name, host.getSourceFile(name, version))
        return parsed.get(name)
      },
    },
  })
  const source = program.getSourceFile(file)
  const messages = program.getSemanticDiagnostics(source).map(({ messageText }) => messageText)
  expect(messages).toEqual([])
  return program.getInstantiationCount()
}

test.runIf(isComplete).each([
  ['where', mixed, where, [6_900, 12_000, 40_000]],
  ['queryString', mixed, queryString, [11_950, 15_850, 35_350]],
  ['hidden', mixed, hidden, [13_450, 17_800, 39_400]],
  ['hidden, with answers', mixed, hidden + answers, [14_700, 20_800, 51_100]],
  ['narrowed', mixed, narrowed, [15_500, 19_900, 41_800]],
  ['all, mixed', mixed, where + queryString + collection + rows, [15_400, 20_550, 46_400]],
  ['all, nested', nested, where + queryString + collection + rows, [15_100, 20_400, 47_000]],
  // The compiler divides the fields of each object in those with a value and the others.
  ['all, required', required, where + queryString + collection + requiredRows, [16_550, 23_050, 55_800]],
] as const)('%s', (_, fields, calls, bounds) => {
  const costs = [12, 60, 300].map((count) => costOf(fields, count, calls))
  expect(
    costs.filter((cost, at) => cost > bounds[at]!),
    String(costs),
  ).toEqual([])
})
