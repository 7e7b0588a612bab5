/** After `vi.resetModules`, a test imports copies of the modules of `src`, which import each other. The next file imports the first ones. */
import { expect, test, vi } from 'vitest'
import { formatIssue } from '../src/issue/index.ts'

test('after vi.resetModules, imports return copies of modules', async () => {
  expect((await import('../src/issue/index.ts')).formatIssue).toBe(formatIssue)
  vi.resetModules()
  const copy = await import('../src/issue/index.ts')
  expect(copy.formatIssue).not.toBe(formatIssue)
  expect((await import('../src/issue/picture.ts')).formatIssue).toBe(copy.formatIssue)
})
