/** CI installs the engines. Elsewhere a skipped test reports that they are not installed. */
import { expect, test } from 'vitest'
import { isFull } from '../effort.ts'
import { isInstalled } from './engines.ts'

test('D1, libSQL, sql.js, Turso and Bun are installed', ({ skip }) => {
  if (isInstalled) return
  expect(isFull, 'npm --prefix test/edge ci').toBe(false)
  skip('Nothing was asked of them: npm --prefix test/edge ci installs them')
})
