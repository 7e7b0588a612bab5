/** The code of docs/guides/rpc.md, as it is written there: compiled, and run with tRPC and GraphQL. */
import { expect, test } from 'vitest'
import { expectInstalled, isInstalled, loadGuide } from './guide.ts'

expectInstalled()

test.skipIf(!isInstalled)('the guide compiles, and does what its comments say', async () => {
  await expect(loadGuide('rpc')).resolves.toBeDefined()
})
