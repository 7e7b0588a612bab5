/**
 * The regular expressions of `src`: the time of each is linear in its text, or a comment in its paragraph says that it is quadratic or
 * cubic, and what bounds the text.
 */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { isComplete } from '../effort.ts'

const src = join(import.meta.dirname, '../../src')

interface Checked {
  readonly status: 'safe' | 'vulnerable' | 'unknown'
  readonly complexity?: { readonly summary: string }
  readonly attack?: { readonly pattern: string }
  readonly error?: { readonly kind: string }
}
type Check = (source: string, flags: string, options: object) => Promise<Checked>
const { check } = createRequire(import.meta.url)('recheck') as { readonly check: Check }

/** The checker counts steps. On a busy machine, its limits of time would count a slow pattern as a vulnerable one. */
const untimed = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null }

/** The verdict on a pattern: `linear`, or its complexity with a text that shows it. */
async function verdictOn({ source, flags }: Pick<Pattern, 'source' | 'flags'>): Promise<string> {
  const { status, complexity, attack, error } = await check(source, flags, untimed)
  return status === 'safe' ? 'linear' : `${status} ${complexity?.summary ?? error?.kind}: ${attack?.pattern}`
}

interface Pattern {
  readonly place: string
  readonly source: string
  readonly flags: string
  /** Whether the comments of its paragraph state a bound. */
  readonly isBounded: boolean
}

const built = /\b(?:new )?RegExp\(/g
const patterns: Pattern[] = []
/** The number of patterns that a file builds. */
const builders: Record<string, number> = {}
for (const path of globSync(join(src, '**/*.ts'))) {
  const text = readFileSync(path, 'utf8')
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const lines = text.split('\n')
  const name = relative(src, path).replaceAll('\\', '/')
  const add = (node: ts.Node, source: string, flags: string) => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart())
    const above = lines.slice(0, line)
    const comments = above.slice(above.lastIndexOf('') + 1).filter((one) => /^\s*\/\//.test(one))
    const isBounded = comments.some((one) => /quadratic|cubic/i.test(one))
    patterns.push({ place: `${name}:${line + 1}`, source, flags, isBounded })
  }
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const [, source, flags] = /^\/(.*)\/(\w*)$/s.exec(node.text)!
      add(node, source!, flags!)
    }
    if (ts.isCallExpression(node) && node.expression.getText() === 'unicodePattern') {
      const [source, flags] = node.arguments as readonly ts.Node[] as readonly ts.StringLiteralLike[]
      add(node, source!.text, `${flags?.text ?? ''}u`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  const { length } = text.match(built) ?? []
  if (length !== undefined && length > 0) builders[name] = length
}

// A checker tries attacks on each pattern: that takes half a minute.
test.runIf(isComplete)('are linear, or their bound is stated beside them', async () => {
  expect(patterns.length).toBeGreaterThan(200)
  const verdicts = await Promise.all(patterns.map(verdictOn))
  const unstated = patterns.flatMap(({ place, source, isBounded }, at) =>
    verdicts[at] === 'linear' || isBounded ? [] : [`${place} ${source} ${verdicts[at]}`],
  )
  expect(unstated).toEqual([])
})

/** An example of each pattern that a file builds, in the order of the file. `test/package/patterns.test.ts` reads the arguments of `unicodePattern`. */
const examples: Readonly<Record<string, readonly (readonly [source: string, flags: string, verdict: RegExp])[]>> = {
  'values/characters.ts': [['a', 'u', /^linear$/]],
  // The pattern of the developer's own schema.
  'tools/json-schema/fields.ts': [['^\\d{4}-\\d{2}-\\d{2}$', 'u', /^linear$/]],
  'hints/foreign.ts': [['^(?:not|non|is)', '', /^linear$/]],
  'reading/tokens.ts': [['\\+|\t|%09| |%20|\u2028|%E2%80%A8', 'iy', /^linear$/]],
  'issue/secrets.ts': [
    [
      Array.from('debug').join('(?:[\\s_.+[\\]-]|%(?:25)*(?:2[0bde]|5[bdf]))*'),
      'giu',
      /^vulnerable 2nd degree polynomial/,
    ],
  ],
  'backends/prisma/datamodel.ts': [
    ['^([\\p{L}\\w]+)\\s.*\\s@unique\\b', 'u', /^linear$/],
    ['^@@unique\\b[^[]*\\[([^\\]]*)\\]', '', /^linear$/],
  ],
  'backends/mongo/document.ts': [['(?:a|A)\\.(?:b|B)$', '', /^linear$/]],
  'backends/memory/condition.ts': [['^[aA]\\.[bB]$', '', /^linear$/]],
}

test.runIf(isComplete)('that code builds are as the examples', async () => {
  expect(builders).toEqual(Object.fromEntries(Object.entries(examples).map(([name, { length }]) => [name, length])))
  for (const [source, flags, verdict] of Object.values(examples).flat())
    expect(await verdictOn({ source, flags }), source).toMatch(verdict)
})
