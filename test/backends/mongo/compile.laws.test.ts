/** What documents look like, and what options and filters are refused. That they mean the right thing, cases.test.ts shows. */
import { describe, expect, test } from 'vitest'
import { byEffort } from '../../effort.ts'
import { match } from '../../../src/tree.ts'
import { simpleLowerCase } from '../../../src/values/case.ts'
import { compile } from './compile.fixture.ts'

describe('text', () => {
  test('a pattern joins the letters that simple lower-casing joins, and no others', () => {
    // No letter from U+20000 on has case, today.
    const letters = Array.from({ length: byEffort(0x110000, 0x20000) }, (_, code) => code)
      .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
      .map((code) => String.fromCodePoint(code))
    // All that have case in some way: what folding, title case and full mappings join too.
    const cased = letters.filter(
      (letter) => /\p{Cased}|\p{CWCM}|\p{Case_Ignorable}/v.test(letter) && !/\p{M}/u.test(letter),
    )
    expect(cased.length).toBeGreaterThan(2_900)
    const byLower = new Map<string, string[]>()
    for (const letter of cased)
      byLower.set(simpleLowerCase(letter), [...(byLower.get(simpleLowerCase(letter)) ?? []), letter])
    const text = cased.join('')
    const wrong = [...byLower].filter(([lower, same]) => {
      const { $regex, $options = '' } = compile(match(['a'], 'substring', lower)).a as {
        $regex: string
        $options?: string
      }
      // As engines fold that go by ASCII, and as those do that go by Unicode.
      return ['', 'u'].some((unicode) => {
        const found = text.match(new RegExp($regex, `g${$options}${unicode}`))
        return found?.join('') !== same.join('')
      })
    })
    expect(wrong).toEqual([])
    expect(byLower.size).toBeGreaterThan(1_400)
  })
})
