/** The service in the notation of a client: faults, methods, links, and the checks of its options. */
import { expect, test } from 'vitest'
import { parseQuery } from '../../src/index.ts'
import { jsonApi, jsonServer, nestPaginate, reactAdmin, strapi } from '../../src/clients/notations/index.ts'
import type { Notation } from '../../src/clients/notations/index.ts'
import { collection } from './orders.ts'

test('parsing a text of the usual length is fast at any depth of nesting', () => {
  const texts: readonly (readonly [Notation, string])[] = [
    [jsonServer, `${'_'.repeat(7_900)}=1`],
    [strapi, `filters${'[a]'.repeat(2_600)}=1`],
    [strapi, `filters${'[$and][0]'.repeat(880)}[id]=1`],
    [strapi, `filters[id][$in]${'[0]'.repeat(2_600)}=1`],
    [jsonApi, `filter${'[a]'.repeat(2_600)}=1`],
    [jsonApi, `sort=${','.repeat(7_900)}`],
    [nestPaginate, `filter.note=${'$not:'.repeat(1_500)}a`],
    [reactAdmin, `filter=${'{"a":'.repeat(1_500)}`],
  ]
  for (const [notation, text] of texts) {
    const start = performance.now()
    expect(parseQuery(collection, text, { notation }).ok).toBe(false)
    expect(performance.now() - start, text.slice(0, 20)).toBeLessThan(500)
  }
})
