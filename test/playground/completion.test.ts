/** What is offered at the cursor, and the text with it. `|` is the cursor. */
import { describe, expect, test } from 'vitest'
import { completed, completionAt } from '../../docs/playground/completion.ts'
import { orderSubject } from '../../docs/playground/orders.ts'
import { askOrders } from './asked.ts'

const parted = (marked: string) => [marked.replace('|', ''), marked.indexOf('|')] as const
const offered = (marked: string, isAsked = false) =>
  completionAt(orderSubject.collection, ...parted(marked), isAsked)?.choices.map(({ insert }) => insert)
/** The text after a choice, with the cursor. */
function chosen(marked: string, insert: string): string {
  const [text, caret] = parted(marked)
  const completion = completionAt(orderSubject.collection, text, caret, true)!
  const choice = completion.choices.find((one) => one.insert === insert)!
  const after = completed(text, completion, choice)
  return `${after.text.slice(0, after.caret)}|${after.text.slice(after.caret)}`
}

describe('offers', () => {
  test.each<[string, string[] | undefined]>([
    ['to|', ['total', 'customerName', 'customer', 'customer.name', 'customer.email']],
    ['?gi|', ['gift']],
    ['seller=x&ARR|', ['arrival', 'items.arrival']],
    ['status|', ['status=', 'status[notEqual]=', 'status[in]=', 'status[nin]=', 'status[exists]=']],
    [
      'items|',
      ['items[exists]=', 'items[atLeast]=', 'items[atMost]=', 'items.arrival', 'items.product', 'items.price'],
    ],
    ['total[g|', ['gt]=', 'gte]=', 'range]=']],
    ['total[g|t]=5', ['gt]=', 'gte]=', 'range]=']],
    ['status=|', ['paid', 'held', 'new']],
    ['status=pa|', ['paid']],
    ['status[in]=paid,|', ['held', 'new']],
    ['gift=|', ['true', 'false']],
    ['total[exists]=|', ['true', 'false']],
    ['count=t|', ['true']],
    ['sort=-tot|', ['-total']],
    ['sort=total,arr|', ['arrival', '-arrival']],
    ['fields=id,customer.|', ['customer.name', 'customer.email']],
    ['li|', ['limit=']],
    ['or=(sta|', ['status']],
    ['or=(status[in]=(|', ['paid', 'held', 'new']],
    ['or=(status=paid,ite|', ['items', 'items.arrival', 'items.product', 'items.price', 'items(']],
    ['and=(items(pr|', ['product', 'price']],
    ['or=(a=1,not(gif|', ['gift']],
    ['and=(tags([st|', ['startsWith]=', 'startsWithExact]=', 'exists]=']],
    ['tags[all|', ['all]=']],
    ['tags[atL|', ['atLeast]=']],
    ['items.price[all|', ['all]=']],
    ['items.price[atL|', undefined],
    ['and=(items.price[all|', ['all]=(']],
    ['and=(items(price[all|', undefined],
    ['facets=status,ta|', ['tags']],
    ['timeZone=Asia/Toky|', ['Asia/Tokyo']],
    // Nothing that could be listed, or nothing left to choose.
    ['arrival=20|', undefined],
    ['status=paid|', undefined],
    ['limit=1|', undefined],
    ['foo[|', undefined],
    ['or=(seller="pa|', undefined],
    ['|', undefined],
    ['status=paid&|', undefined],
  ])('%s', (marked, expected) => expect(offered(marked)).toEqual(expected))

  test('everything at the beginning, when it is asked for', () => {
    const all = offered('|', true)!
    expect(all).toContain('items.price')
    expect(all.slice(-11)).toEqual([
      ...['sort=', 'limit=', 'offset=', 'fields=', 'count=', 'search=', 'facets=', 'timeZone='],
      ...['and=(', 'or=(', 'not=('],
    ])
    expect(offered('status=paid&|', true)).toEqual(all)
  })
})

test('describes the order of numbers as people do, and each other order by before and after', () => {
  const details = (text: string) =>
    Object.fromEntries(
      completionAt(orderSubject.collection, text, text.length, true)!.choices.map(({ insert, detail }) => [
        insert,
        detail,
      ]),
    )
  expect(details('total[g')).toMatchObject({
    'gt]=': 'greater than the value',
    'gte]=': 'greater than or equal to the value',
  })
  expect(details('items.price[l')).toMatchObject({ 'lt]=': 'less than the value' })
  expect(details('arrival[g')).toMatchObject({ 'gt]=': 'fields after the value' })
})

describe('puts a choice in its place', () => {
  test.each([
    ['to|', 'total', 'total|'],
    ['seller=x&st|=paid', 'status', 'seller=x&status|=paid'],
    ['total|', 'total[gte]=', 'total[gte]=|'],
    ['total[|', 'gte]=', 'total[gte]=|'],
    ['total[|]=5&gift=true', 'gte]=', 'total[gte]=|5&gift=true'],
    ['status[in]=paid,|&gift=true', 'held', 'status[in]=paid,held|&gift=true'],
    ['or=(status|)', 'status[in]=(', 'or=(status[in]=(|)'],
    ['or=(status=p|,gift=true)', 'paid', 'or=(status=paid|,gift=true)'],
    ['items|=3', 'items[exists]=', 'items[exists]=|3'],
    ['items|=3', 'items.price', 'items.price|=3'],
  ])('%s, %s', (marked, insert, expected) => {
    expect(chosen(marked, insert)).toBe(expected)
  })

  test('what is chosen step by step has no issue', () => {
    let marked = '|'
    for (const insert of ['status', 'status[in]=', 'paid']) marked = chosen(marked, insert)
    marked = chosen(marked.replace('|', '&or=(|'), 'gift')
    for (const insert of ['gift=', 'true']) marked = chosen(marked, insert)
    marked = chosen(marked.replace('|', ',items(|'), 'price')
    marked = chosen(marked, 'price[exists]=')
    marked = chosen(marked, 'true').replace('|', '))')
    expect(marked).toBe('status[in]=paid&or=(gift=true,items(price[exists]=true))')
    expect(askOrders(marked).ok).toBe(true)
  })
})
