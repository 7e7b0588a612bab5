/** What a click on a hint does. */
import { expect, test } from 'vitest'
import type { Issue } from '../../src/index.ts'
import { fixOf } from '../../docs/playground/fix.ts'
import { issuesIn } from '../issues.ts'
import { spellings } from '../hints/spellings.ts'
import { askOrders } from './asked.ts'

const issuesOf = (text: string): readonly Issue[] => issuesIn(askOrders(text))
function fixed(text: string): string | undefined {
  const fix = fixOf(text, issuesOf(text)[0]!)
  return fix && text.slice(0, fix.start) + fix.insert + text.slice(fix.end)
}

test.each([
  ['arival=2024-06-01', 'arrival=2024-06-01'],
  ['gift=true&status=piad', 'gift=true&status=paid'],
  ['status[in]=paid,hled', 'status[in]=paid,held'],
  ['total[gtee]=4', 'total[gte]=4'],
  ['total[ge]=4', 'total[gte]=4'],
  ['total>=5', 'total[gte]=5'],
  ['items[price]=4', 'items.price=4'],
  ['or=(items[price]=4)', 'or=(items.price=4)'],
  ['items.0.price=3', 'items.price=3'],
  ['customer[name][contains]=x', 'customer.name[contains]=x'],
  ['tags[]=x', 'tags[in]=x'],
  ['or=(gift=true,status[]=paid)', 'or=(gift=true,status[in]=(paid))'],
  ['gift=true&total=gte.5', 'gift=true&total[gte]=5'],
  ['total=in.(5,6)', 'total[in]=5,6'],
  ['total>5&gift=true', 'total[gt]=5&gift=true'],
  ['filter[total][gte]=5', 'total[gte]=5'],
  ['customerName__icontains=like.jo', 'customerName[contains]=like.jo'],
  ['filter=total>5', undefined],
  ['status=paid,new', 'status[in]=paid,new'],
  ['status==paid', 'status=paid'],
  ['gift=yes', 'gift=true'],
  ['total=null', 'total[exists]=false'],
  ['customer.name[isNull]=true', 'customer.name[exists]=false'],
  ['_limit=5', 'limit=5'],
  ['limit=900', 'limit=200'],
  ['sort=total:desc', 'sort=-total'],
  ['include=items', 'fields=items'],
  ['sort=+total', 'sort=total'],
  ['sort=id,-totl', 'sort=id,-total'],
  ['fields=id,statuss', 'fields=id,status'],
  ['paidAt=2024-01-01T00:00:00+02:00', 'paidAt=2024-01-01T00:00:00%2B02:00'],
  ['seller=100%&gift=true', 'seller=100%25&gift=true'],
  ['total%255Bgte%255D=3', 'total[gte]=3'],
  ['/api/orders?status=paid', 'status=paid'],
  ['https://host/api/orders?status=paid', 'status=paid'],
  ['or=(status[in]=paid)', 'or=(status[in]=(paid))'],
  ['seller[in]=a,,b', 'seller[in]=a,"",b'],
  ['total[in]=1,,2', 'total[in]=1,2'],
  ['total[in]=1,', 'total[in]=1'],
  ['seller=a&gift=true&seller=b', 'seller[in]=a,b&gift=true'],
  ['?seller=a&seller[equals]=b,c', undefined],
  ['seller=a&seller=b,c', 'seller[in]=a,"b,c"'],
  ['seller[notEqual]=a&seller[notEqual]=b', 'seller[nin]=a,b'],
  ['status[in]=paid&status[in]=held', 'status[in]=paid,held'],
  ['sort=total&cursor=abc&gift=true', 'sort=total&gift=true'],
  ['sort=total&cursor=abc', 'sort=total'],
  ['sort=total&total=&gift=true', 'sort=total&gift=true'],
  ['gift=true&limit=', 'gift=true'],
  ['seller=a\u0000b', 'seller=ab'],
])('%s → %s', (text, expected) => {
  expect(fixed(text)).toBe(expected)
  if (expected !== undefined) expect(issuesOf(expected)).toEqual([])
})

test.each([
  ['total[contains]=5', 'total[]=5', 6],
  ['items=3', 'items=3', 5],
  ['sort=tags&gift=true', 'sort=&gift=true', 5],
])('%s: the visitor chooses what goes there', (text, expected, at) => {
  expect(fixOf(text, issuesOf(text)[0]!)).toMatchObject({ isOpen: true, start: at })
  expect(fixed(text)).toBe(expected)
})

test('a hint that only explains changes nothing', () => {
  for (const text of ['total', 'or=(gift=true', 'limit=0', 'total[range]=1', 'seller=%ff'])
    expect(fixed(text)).toBe(undefined)
})

/**
 * Those that the fields of the demo have, without cursors; without pairs that are one parameter together; and without operands
 * that no edit keeps, which the visitor writes.
 */
const spelled = Object.values(spellings)
  .flat()
  .filter((both) => !/note|…|^page=2&|^_sort=total&|filter=total|^s=|length=3|count\]=3|\$size/.test(both.join(' ')))
test.each(spelled)('the spelling %s of another API becomes a query by clicks', (there) => {
  let text = there
  for (let clicks = 0; clicks < 3; clicks++) {
    const issues = issuesOf(text)
    const fix = issues.map((issue) => fixOf(text, issue)).find((one) => one !== undefined)
    if (fix !== undefined) text = text.slice(0, fix.start) + fix.insert + text.slice(fix.end)
  }
  expect(issuesOf(text), text).toEqual([])
})

test('a suggestion of the library is never left alone', () => {
  const suggested = [
    'arival=1&totl[ge]=1',
    'status[in]=piad,hled&sort=totl',
    'or=(gift=tru,sttus=paid)&fields=totl',
    'xor=(gift=true)',
  ].flatMap((text) => issuesOf(text).map((issue) => [text, issue] as const))
  const hints = suggested.filter(([, { hint }]) => hint?.startsWith('did you mean') === true)
  expect(hints.length).toBeGreaterThan(5)
  for (const [text, issue] of hints) expect(fixOf(text, issue), issue.hint).toBeDefined()
})
