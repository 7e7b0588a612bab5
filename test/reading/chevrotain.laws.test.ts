/** The part of Chevrotain that is in the package reads each text as the whole does: the other tests of the grammar have the whole. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { transform } from 'esbuild'
import fc from 'fast-check'
import { rollup } from 'rollup'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lessOfChevrotain } from '../../rollup.config.ts'
import * as grammar from '../../src/reading/grammar.ts'
import * as tokens from '../../src/reading/tokens.ts'
import { byEffort } from '../effort.ts'

type Reader = Pick<typeof grammar, 'groupParser' | 'keyParser'> &
  Pick<typeof tokens, 'scanGroup' | 'scanKey' | 'scanList' | 'scanWords'>

let folder: string
let part: Reader
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'urlwhere-'))
  const parts = ['grammar.ts', 'tokens.ts'].map((name) => join(import.meta.dirname, '../../src/reading', name))
  const typescript = {
    name: 'typescript',
    transform: async (code: string, id: string) =>
      id.endsWith('.ts') ? (await transform(code, { loader: 'ts' })).code : undefined,
  }
  const bundle = await rollup({ input: parts, plugins: [lessOfChevrotain, typescript], onLog: () => undefined })
  await bundle.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' })
  const read = (name: string) => import(pathToFileURL(join(folder, name)).href) as Promise<object>
  part = { ...(await read('grammar.mjs')), ...(await read('tokens.mjs')) } as Reader
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** All that a text is read as: as a key, a list, words and a group. Of the type of a token, its name alone. */
function nodesOf({ keyParser, groupParser, scanKey, scanList, scanWords, scanGroup }: Reader, text: string): string {
  const { length } = text
  const nodes = [
    keyParser(scanKey(text, 0, length)).key(),
    groupParser(scanList(text, 0, length)).list(),
    groupParser(scanWords(text, 0, length)).list(),
    groupParser(scanGroup(text, 0, length, 3)).groupValue(),
    groupParser(scanGroup(`(${text}`, 0, length + 1, 3)).groupValue(),
  ]
  return JSON.stringify(nodes, (key, value: unknown) =>
    key === 'tokenType' ? (value as { name: string }).name : value,
  )
}

const marks = ['a', '.', '[', ']', '=', ',', '"', '\\', '(', ')', ' ', '%28', '%22', '%zz']
function check(text: string): void {
  expect(nodesOf(part, text)).toBe(nodesOf({ ...grammar, ...tokens }, text))
}

const most = byEffort(4, 2)
test(`every text of up to ${most} marks`, () => {
  let texts = ['']
  for (let length = 0; length <= most; length++) {
    texts.forEach(check)
    if (length < most) texts = texts.flatMap((text) => marks.map((mark) => text + mark))
  }
}, 120_000)

test('random texts of marks', () => {
  const mark = fc.constantFrom(...marks, 'a=', 'a[b]=(', 'or(', '),', '"a\\"b"')
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 60 }), (parts) => check(parts.join(''))),
    { numRuns: byEffort(5_000, 200) },
  )
})
