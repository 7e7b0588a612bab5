/** The nodes of keys and groups, worked out by hand. */
import { describe, expect, test } from 'vitest'
import { GroupParser, KeyParser } from '../../src/reading/grammar.ts'
import { scanGroup, scanKey, scanList } from '../../src/reading/tokens.ts'
import type { Span } from '../../src/issue/index.ts'

// A parser is built for each text: those of the library are built once.

const span = (start: number, end: number): Span => ({ start, end })
const fault = (kind: string, start: number, end: number) => ({ kind, start, end })

describe('the nodes', () => {
  test.each<[string, object]>([
    ['', { ...span(0, 0), path: span(0, 0), faults: [fault('missing_name', 0, 0)] }],
    ['a.b[c]', { ...span(0, 6), path: { start: 0, end: 3 }, names: 2, operator: span(4, 5), faults: [] }],
    ['e]', { ...span(0, 2), path: span(0, 1), names: 1, operator: undefined, faults: [fault('stray_bracket', 1, 2)] }],
    [
      '.a[]x[y',
      {
        ...{ ...span(0, 7), path: span(0, 2), names: 2, operator: span(3, 3) },
        faults: [fault('missing_name', 0, 0), fault('empty_brackets', 2, 3), fault('text_after_brackets', 4, 5)],
      },
    ],
    ['a[b', { ...span(0, 3), faults: [fault('unclosed_bracket', 1, 2)] }],
    ['a[b][c]', { ...span(0, 7), faults: [fault('second_brackets', 4, 5)] }],
  ])('of the key %s', (text, node) => {
    const parser = new KeyParser(true)
    parser.input = scanKey(text, 0, text.length)
    expect(parser.key()).toMatchObject(node)
  })
  test.each<[string, object[]]>([
    ['', [span(0, 0)]],
    ['x"\\,', [span(0, 3), span(4, 4)]],
    ['"a,\\"b"', [{ ...span(0, 7), parts: [span(1, 3), span(4, 6)] }]],
    ['"a"b', [{ ...span(0, 4), parts: [span(1, 2)], quoteFault: 'text_after' }]],
    ['"a\\b"', [{ ...span(0, 5), parts: [span(1, 2), span(3, 4)], quoteFault: 'escape' }]],
    ['"a\\b"c', [{ ...span(0, 6), parts: [span(1, 2), span(3, 4)], quoteFault: 'escape' }]],
    ['"a\\\\,', [{ ...span(0, 5), parts: [span(1, 2), span(3, 5)], quoteFault: 'unterminated' }]],
  ])('of the list %s', (text, items) => {
    const parser = new GroupParser(true)
    parser.input = scanList(text, 0, text.length)
    // `itemsOf` fills in the texts.
    expect(parser.list()).toEqual(items.map((item) => ({ text: '', ...item })))
  })
})

test.each<[string, object | undefined, object[]]>([
  [
    '(a=b,not(c[d]=("x",y)))z',
    {
      ...span(0, 23),
      members: [
        {
          ...{ ...span(1, 4), key: { ...span(1, 2), path: span(1, 2), names: 1, operator: undefined }, faults: [] },
          body: { ...span(3, 4), items: [span(3, 4)], isList: false },
        },
        {
          ...{ ...span(5, 22), key: { ...span(5, 8), path: span(5, 8), names: 1, operator: undefined }, faults: [] },
          body: {
            ...span(8, 22),
            members: [
              {
                ...{ ...span(9, 21), key: { ...span(9, 13), path: span(9, 10), operator: span(11, 12) }, faults: [] },
                body: {
                  ...{ ...span(14, 21), isList: true },
                  items: [{ ...span(15, 18), parts: [span(16, 17)] }, span(19, 20)],
                },
              },
            ],
          },
        },
      ],
    },
    [fault('text_after_group', 23, 24)],
  ],
  ['x(a)', undefined, [fault('missing_group', 0, 4)]],
  ['()', { ...span(0, 2), members: [] }, [fault('empty_group', 0, 2)]],
  ['(', { ...span(0, 1), members: [] }, [fault('unclosed_group', 0, 1)]],
  ['(a=1', { ...span(0, 4), members: [{ ...span(1, 4), faults: [] }] }, [fault('unclosed_group', 0, 4)]],
  ['(a="b)', { ...span(0, 6), members: [{ ...span(1, 6), faults: [] }] }, []],
  ['(a=1,)', { ...span(0, 6), members: [span(1, 4), { ...span(5, 5) }] }, []],
  [
    '(.a[](b)c)',
    {
      members: [
        {
          ...{ ...span(1, 8), key: { ...span(1, 5), path: span(1, 3), names: 2, operator: span(4, 4) } },
          body: { ...span(5, 8), items: [span(6, 7)], isList: true },
          faults: [fault('missing_name', 1, 1), fault('empty_brackets', 3, 4), fault('missing_equals', 1, 5)],
        },
      ],
    },
    [fault('text_after_group', 8, 9)],
  ],
  ['([a]=1)', { members: [{ key: { path: span(1, 1), operator: span(2, 3) }, faults: [] }] }, []],
  ['(=1)', { members: [{ key: { path: span(1, 1) }, faults: [fault('missing_name', 1, 1)] }] }, []],
  ['(a])', { members: [{ faults: [fault('stray_bracket', 2, 3), fault('missing_equals', 1, 3)] }] }, []],
  [
    '(a(b(c)d))',
    { members: [{ body: { members: [{ ...span(3, 7), key: span(3, 4), body: undefined, faults: [] }] } }] },
    [fault('too deep', 4, 7), fault('text_after_group', 7, 8)],
  ],
])('the nodes of the group %s', (text, group, faults) => {
  const parser = new GroupParser(true)
  parser.input = scanGroup(text, 0, text.length, 2)
  const value = parser.groupValue()
  expect(value.faults).toEqual(faults)
  if (group === undefined) expect(value.group).toBeUndefined()
  else expect(value.group).toMatchObject(group)
})
