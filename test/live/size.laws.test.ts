/** A program that has the memory backend pays little for `urlwhere/live`. */
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

async function sizeOf(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: `${import.meta.dirname}/../../src` },
    ...{ bundle: true, minify: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' },
  })
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).length
}

const memory = `export * from './backends/memory/index.ts';`
test.each([
  ['matcher and transition', 'rows in memory', 'matcher, transition', memory],
  ['livePage', 'rows in memory', 'livePage', memory],
  [
    'all of live',
    'rows in memory, toPage and pickFields',
    'matcher, transition, livePage',
    `${memory} export { toPage, pickFields } from './filter.ts';`,
  ],
])('%s: at most 4 kB beside %s', async (_, __, names, others) => {
  const whole = await sizeOf(`${others} export { ${names} } from './live/index.ts'`)
  expect(whole - (await sizeOf(others))).toBeLessThan(4_000)
})
