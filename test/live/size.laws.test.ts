/** A program that has the memory backend and `toPage` pays little for `urlwhere/live`. */
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

test('live adds at most 4 kB', async () => {
  const others = `export * from './backends/memory/index.ts'; export { toPage, pickFields } from './filter.ts';`
  expect((await sizeOf(`${others} export * from './live/index.ts'`)) - (await sizeOf(others))).toBeLessThan(4_000)
})
