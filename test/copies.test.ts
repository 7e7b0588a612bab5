/** A test that loads modules anew has copies of all of them, which import each other; the next test file has the first ones. */
import { expect, test, vi } from 'vitest'
import { formatIssue } from '../src/issue/index.ts'

test('vi.resetModules gives the imports after it copies of modules', async () => {
  expect((await import('../src/issue/index.ts')).formatIssue).toBe(formatIssue)
  vi.resetModules()
  const copy = await import('../src/issue/index.ts')
  expect(copy.formatIssue).not.toBe(formatIssue)
  expect((await import('../src/issue/picture.ts')).formatIssue).toBe(copy.formatIssue)
})
