/** Lists that are cut by hand have the items of the grammar. */
import { expect, test } from 'vitest'
import { decode, sourceOf } from '../../src/asked/index.ts'
import { groupParser } from '../../src/reading/grammar.ts'
import { parseList } from '../../src/reading/parse.ts'
import { scanList } from '../../src/reading/tokens.ts'

test('a list without quotes, which is cut by hand, has the items that the grammar reads', () => {
  const marks = ['a', ',', '%2C', '%2c', '\\', '%5C', 'é', '%41', '+', '']
  for (const text of marks.flatMap((a) =>
    marks.flatMap((b) => marks.flatMap((c) => marks.map((d) => a + b + c + d))),
  )) {
    const [start, end] = [2, 2 + text.length]
    const source = sourceOf(`a=${text}&,`)
    const items = groupParser(scanList(source.text, start, end)).list()
    expect(parseList(source, { start, end }), text).toEqual(
      items.map(({ parts: _, ...item }) => ({ ...item, text: decode(source, item) })),
    )
  }
})
