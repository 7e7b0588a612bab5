import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineCollection, formatIssue, parseFilter, parseQuery } from '../../src/index.ts'
import { byEffort } from '../effort.ts'
import { orders } from '../orders.ts'
import { misplaced, secret } from './misplaced.ts'

const reserved = ['apiKey']

describe('wherever it is, and however its name is written, a secret is shown', () => {
  const collection = defineCollection(orders, {
    key: 'seller',
    sort: true,
    fields: true,
    groups: true,
    count: true,
    offset: { max: 10 },
  })
  /** What is said of a text: its issues, and their pictures. */
  const saidOf = (text: string) =>
    [parseQuery(collection, text, { reserved }), parseFilter(orders, text, { reserved, groups: true })].flatMap(
      (result) =>
        result.ok
          ? []
          : result.issues.flatMap((issue) => [JSON.stringify(issue), formatIssue(text, issue, { reserved })]),
    )
  test('in no message, hint or picture', () => {
    fc.assert(
      fc.property(misplaced, (text) => {
        expect(saidOf(text).filter((said) => said.includes(secret))).toEqual([])
      }),
      { numRuns: byEffort(10_000, 170) },
    )
  })
})
