/** Schemathesis finds nothing, where it is installed: `.ci/run` installs it. */
import { expect, test } from 'vitest'
import { runSchemathesis } from './schemathesis.ts'

const { SCHEMATHESIS } = process.env

// The demo's own document is of the style `compact`.
for (const style of [undefined, 'flat'] as const) {
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
