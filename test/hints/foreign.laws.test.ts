/** Spellings of other APIs: each gets a hint, and what the hint says to write is valid and means the same. */
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { defineCollection } from '../../src/index.ts'
import type { Collection } from '../../src/index.ts'
import { byEffort } from '../effort.ts'
import { followed } from './follow.ts'
import { cursor, issuesOf, rows } from './foreign.fixture.ts'
import { collection, options, schema } from './spellings.ts'

test('a second copy of the library, such as the CommonJS format, returns the same hints', async () => {
  vi.resetModules()
  const copy = await import('../../src/index.ts')
  const own = copy.defineCollection(copy.defineSchema(schema.fields as never), options as never) as Collection
  for (const { there } of rows)
    expect(issuesOf(own, there, copy.parseQuery), there).toEqual(issuesOf(collection, there))
})

describe('whatever is sent', () => {
  const some = (...texts: string[]) => fc.constantFrom(...texts)
  const word = some(
    ...[
      'filter',
      'filters',
      'where',
      'q',
      's',
      'page',
      'sort',
      '_sort',
      'fields',
      '$select',
      'include',
      'limit',
      '$top',
      'x',
    ],
    ...[
      'total',
      'status',
      'gift',
      'seller',
      'tags',
      'items',
      'price',
      'customer',
      'name',
      'note',
      'arrival',
      'paidAt',
      'id',
    ],
    ...[
      'gte',
      '$gte',
      'in',
      'not',
      'or',
      '$or',
      'null',
      'isNull',
      'exists',
      'like',
      'between',
      'desc',
      '-1',
      '1',
      '0',
      'paid',
    ],
    ...[
      'true',
      'false',
      'no',
      '5',
      'held',
      'a',
      '',
      'all',
      'and',
      'eq',
      'gt',
      '2024-01-01',
      'items.price',
      'customer.name',
    ],
  )
  const mark = some(
    '',
    '.',
    '_',
    '__',
    '[',
    ']',
    '][',
    '[]',
    '=',
    '=',
    ':',
    ',',
    '|',
    '(',
    ')',
    '>',
    '<',
    '!',
    '&',
    ' ',
    '"',
    '..',
  )
  const someText = fc.array(fc.tuple(word, mark), { minLength: 1, maxLength: 7 }).map((parts) => parts.flat().join(''))
  const collections = {
    'everything is turned on': collection,
    'least is turned on': defineCollection(schema, { key: 'id' }),
    'operators are narrowed': defineCollection(schema, {
      ...options,
      operators: {
        total: ['gte'],
        status: ['in'],
        gift: [],
        seller: ['exists'],
        note: [],
        'items.price': ['lt', 'range'],
      },
    }),
  }
  test.each(Object.entries(collections))('where %s, the text that a hint advises is a valid query', (_, of) => {
    let count = 0
    fc.assert(
      fc.property(someText, (text) => {
        for (const { hint = '' } of issuesOf(of, text)) {
          const written = /(?:^|[ ,:])write (\S+=[^\s;]*)(?:;|$)/.exec(hint)?.[1]
          // A group has the form of its conditions.
          if (written === undefined || /^(?:or|and|not)=|\(|…\)$/.test(text) || /=\((?:[\w.]*\()?…|=-…/.test(written))
            continue
          count++
          expect(issuesOf(of, followed(written, schema, of, cursor!)), `${text}: ${hint}`).toEqual([])
        }
      }),
      { numRuns: byEffort(20_000, 1_000) },
    )
    expect(count).toBeGreaterThan(byEffort(400, 3))
  })
})
