/** Prisma is there in CI; elsewhere a run says that it is not asked. */
import { expect, test } from 'vitest'
import { isComplete } from '../effort.ts'
import { isInstalled } from './client.ts'

test('Prisma is installed', ({ skip }) => {
  if (isInstalled) return
  expect(isComplete, 'npm --prefix test/prisma ci').toBe(false)
  skip('Nothing was asked of Prisma: npm --prefix test/prisma ci installs it')
})
