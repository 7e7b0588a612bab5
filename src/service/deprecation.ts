/** The headers of an answer to a query with deprecated names. */
import { own } from '../own.ts'
import type { DeprecatedUse } from '../language/index.ts'

/** The first of the sorted times: `sort` puts `undefined` last. */
const earliest = (times: readonly (string | undefined)[]): string | undefined => times.toSorted().at(0)

const none = /* @__PURE__ */ Object.freeze({})

/**
 * The header `Deprecation` (https://www.rfc-editor.org/rfc/rfc9745) is a date of a structured field, and `Sunset`
 * (https://www.rfc-editor.org/rfc/rfc8594) a date of HTTP. Of several names, the earliest times count.
 */
export function deprecationHeaders(
  uses: readonly Pick<DeprecatedUse, 'since' | 'sunset'>[],
): Readonly<Record<string, string>> {
  if (uses.length === 0) return none
  const since = earliest(uses.map((use) => use.since))
  const sunset = earliest(uses.map((use) => own(use, 'sunset')))
  return {
    ...(since !== undefined && { deprecation: `@${Math.floor(Date.parse(since) / 1000)}` }),
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
  }
}
