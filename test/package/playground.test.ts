/** The code that a visitor copies from the playground compiles and runs with the package as it is published. */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { answerTo, hasOutput } from '../../docs/playground/answer.ts'
import { examples } from '../../docs/playground/examples.ts'
import { codesWithPrisma, ownSubject } from '../../docs/playground/more.ts'
import { orderSubject } from '../../docs/playground/orders.ts'
import type { Codes, Subject } from '../../docs/playground/subject.ts'
import type { Query } from '../../src/index.ts'
import { byEffort } from '../effort.ts'
import { complaintsAbout, strictProject } from './code.ts'

const generated = join(import.meta.dirname, '.generated/playground')
afterAll(() => rm(generated, { recursive: true, force: true }))

/** The exports of the modules of a folder. */
interface Made {
  readonly query: Query
  readonly backend?: {
    readonly select: (query: Query) => { readonly text: string; readonly parameters: readonly unknown[] }
  }
  readonly findMany?: unknown
}

/** Writes the code of each tab as a module, and imports the modules. */
async function made(folder: string, subject: Subject, codes: Codes, text: string): Promise<Made & { files: string[] }> {
  const result = answerTo(subject, text)
  if (!result.ok) throw new Error(result.issues[0].message)
  await mkdir(folder, { recursive: true })
  const files: string[] = []
  for (const [tab, write] of Object.entries(codes)) {
    const code = write(subject, result.answer, Object.keys(subject.dialects)[0]!)
    if (!hasOutput(code)) continue
    const file = join(folder, `${tab === 'where' ? 'query' : tab.toLowerCase()}.ts`)
    await writeFile(file, code.output)
    files.push(file)
  }
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(file).href) as Promise<object>))
  return { ...(Object.assign({}, ...modules) as Made), files }
}

const project = { ...strictProject, allowImportingTsExtensions: true, noUnusedLocals: true }
const table = `CREATE TABLE sales.invoices (id bigint PRIMARY KEY, "a b" text NOT NULL, paid_at timestamptz(3), lines jsonb, tags text[],
  amount numeric(10, 2) NOT NULL, kind varchar(10), "limit" int, day date, real_one real)`
const jsonSchema = JSON.stringify({
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    "it's": { enum: ['a', 'b'] },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
    parts: { type: 'array', items: { type: 'object', properties: { count: { type: 'integer' } } } },
  },
  required: ['id'],
})

test('the code of each tab compiles, and makes the statement of the page', async () => {
  const own = [table, jsonSchema].map((text) => {
    const read = ownSubject(text)
    if (!hasOutput(read)) throw new Error(read.refusal[0].message)
    return read.output
  })
  const asked = examples.filter(([what]) => what !== 'Three faults').map(([, text]) => text)
  const lists: readonly (readonly [Subject, Codes, string])[] = [
    ...byEffort(asked, asked.slice(0, 3)).map((text) => [orderSubject, codesWithPrisma, text] as const),
    [
      own[0]!,
      await own[0]!.codes(),
      'amount[gte]=5&tags[all]=sea&sort=-paidAt&_limit=3&"a b"=x'.replace('"a b"', 'aB'),
    ],
    [own[1]!, await own[1]!.codes(), "it's[in]=a,b&labels.color=red&parts.count[gte]=2&fields=id"],
  ]
  const files: string[] = []
  for (const [at, [subject, codes, text]] of lists.entries()) {
    const { query, backend, findMany, files: written } = await made(join(generated, String(at)), subject, codes, text)
    files.push(...written)
    const { answer } = answerTo(subject, text) as { answer: Parameters<Codes[string]>[1] }
    const whole = answer.whole(Object.keys(subject.dialects)[0]!)
    if (!hasOutput(whole)) throw new Error(whole.refusal[0].message)
    // The page names the table of the orders by an alias.
    const text_ = (statement: string) =>
      statement.replaceAll('"orders" AS "o"', '"orders"').replaceAll('"o".', '"orders".')
    const statement = backend!.select(query)
    expect(text_(statement.text)).toBe(text_(whole.output.text))
    expect(statement.parameters).toEqual(whole.output.parameters)
    if (subject !== orderSubject) continue
    const comment = /^\/\/ prisma\.order\.findMany\(([^]*?)\)\nexport/m.exec(
      (codes.Prisma!(subject, answer, '') as { output: string }).output,
    )![1]!
    // eslint-disable-next-line @typescript-eslint/no-implied-eval
    expect(findMany).toEqual(new Function(`return (${comment.replaceAll('\n// ', '\n')})`)())
  }
  expect(await complaintsAbout(files, project)).toBe('')
})
