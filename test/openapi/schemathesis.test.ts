/** Schemathesis finds nothing, where it is installed: `.ci/run` installs it. */
import { expect, test } from 'vitest'
import { byEffort } from '../effort.ts'
import { runSchemathesis } from './schemathesis.ts'

const { SCHEMATHESIS } = process.env

// The demo's own document is of the style `compact`; a full run tries the other, too.
for (const style of byEffort<readonly (undefined | 'flat')[]>([undefined, 'flat'], [undefined])) {
  test(
    `Schemathesis finds no answer that is not as described: ${style ?? 'the demo'}`,
    { timeout: 600_000 },
    async ({ skip }) => {
      if (SCHEMATHESIS === undefined) return skip('Schemathesis asked nothing: SCHEMATHESIS is to be its command')
      const { found, output } = await runSchemathesis(SCHEMATHESIS, style, 5)
      expect(output).toContain('No issues found')
      expect(found).toBe(false)
    },
  )
}
