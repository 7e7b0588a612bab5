/** What the tests of groups and its laws share. */
import { and, not, or, parseFilter, parseFilterOrThrow, where, type Filter, type Issue } from '../../src/index.ts'
import { comparison, presence, some } from '../../src/tree.ts'
import { issuesIn } from '../issues.ts'
import { orders } from '../orders.ts'

export const o = where(orders)
export const groups = { groups: true } as const
export const read = (text: string) => parseFilterOrThrow(orders, text, groups)
/** Builders join what they are given; these do not. */
export const alone = (filter: Filter): Filter => ({ kind: 'and', filters: [filter] })
export const both = (...filters: Filter[]): Filter => ({ kind: 'and', filters })

export const [paid, held] = [o.equals('status', 'paid'), o.equals('status', 'held')]
export const item = (...members: Parameters<typeof o.some<'items'>>[1][]) =>
  members.map((member) => o.some('items', member))

/** Texts, the filters that they mean, and how those are written, where it differs. */
export const meanings: readonly (readonly [text: string, filter: Filter, printed?: string])[] = [
  // Source: section 4 of the design.
  [
    'and=(items.none(price=1,product=bed))',
    not(o.some('items', (i) => and(i.equals('price', 1), i.equals('product', 'bed')))),
    'not=(items(price=1,product=bed))',
  ],
  ['and=(items.every(price[gte]=1))', not(o.some('items', (i) => not(i.gte('price', 1))))],
  [
    'and=(tags.none([equals]=a),items.every(price=1))',
    and(
      o.none('tags', (tag) => tag.equals('a')),
      o.every('items', (i) => i.equals('price', 1)),
    ),
    'tags[notEqual]=a&and=(items.every(price=1))',
  ],
  [
    'or=(items.none(price=1),items.every(price=1),items(price=2,product=x))',
    or(
      o.none('items', (i) => i.equals('price', 1)),
      o.every('items', (i) => i.equals('price', 1)),
      o.some('items', (i) => and(i.equals('price', 2), i.equals('product', 'x'))),
    ),
    'or=(items.price[notEqual]=1,items.every(price=1),items(price=2,product=x))',
  ],
  ['not=(items.every(price=1))', not(o.every('items', (i) => i.equals('price', 1)))],
  // Of the design.
  ['or=(status=paid,total[gte]=100)', or(paid, o.gte('total', 100))],
  [
    'or=(seller=s-1,and(status[in]=(paid,held),not(tags=gift)))',
    or(
      o.equals('seller', 's-1'),
      and(o.in('status', ['paid', 'held']), not(o.some('tags', (tag) => tag.equals('gift')))),
    ),
    'or=(seller=s-1,and(status[in]=(paid,held),tags[notEqual]=gift))',
  ],
  [
    'and=(items(arrival=2024-01-01),items(arrival=2024-01-05,product=bed))',
    and(
      ...item(
        (i) => i.equals('arrival', '2024-01-01'),
        (i) => and(i.equals('arrival', '2024-01-05'), i.equals('product', 'bed')),
      ),
    ),
    'items.arrival[all]=2024-01-01&items.arrival=2024-01-05&items.product=bed',
  ],

  // Each is one condition beside the others, as often as one likes.
  ['gift=true&or=(status=paid,total=1)', and(o.equals('gift', true), or(paid, o.equals('total', 1)))],
  [
    'or=(status=paid,total=1)&gift=true&or=(status=held,total=2)',
    and(or(paid, o.equals('total', 1)), o.equals('gift', true), or(held, o.equals('total', 2))),
  ],
  ['?or=(status=paid,total=1)', or(paid, o.equals('total', 1)), 'or=(status=paid,total=1)'],
  [
    'or=(or(status=paid,total=1),gift=true)',
    { kind: 'or', filters: [or(paid, o.equals('total', 1)), o.equals('gift', true)] },
  ],

  // `and` around one member is that member, unless it is an `and` itself.
  ['and=(status=paid)', paid, 'status=paid'],
  ['and=(or(status=paid,total=1))', or(paid, o.equals('total', 1)), 'or=(status=paid,total=1)'],
  ['and=(and(status=paid))', alone(paid)],
  ['and=(and(and(status=paid)))', alone(alone(paid))],
  ['and=(and(or(status=paid,total=1)))', alone(or(paid, o.equals('total', 1)))],
  ['and=(and(status=paid,gift=true))', alone(and(paid, o.equals('gift', true)))],
  ['and=(status=paid,gift=true)', and(paid, o.equals('gift', true)), 'status=paid&gift=true'],
  ['total=1&and=(status=paid,gift=true)', both(o.equals('total', 1), and(paid, o.equals('gift', true)))],
  ['total=1&and=(and(status=paid))', both(o.equals('total', 1), alone(paid))],
  ['total=1&and=(total[range]=(2,3))', both(o.equals('total', 1), o.range('total', 2, 3))],
  ['or=(status=paid)', { kind: 'or', filters: [paid] }],
  ['or=(and(status=paid),total=1)', or(paid, o.equals('total', 1)), 'or=(status=paid,total=1)'],
  ['or=(and(and(status=paid)),total=1)', or(alone(paid), o.equals('total', 1))],

  // The complement of the `and` of its members.
  ['not=(total[gt]=1)', not(o.gt('total', 1))],
  ['not=(status=paid)', not(paid), 'status[notEqual]=paid'],
  ['not=(status=paid,total=1)', not(and(paid, o.equals('total', 1)))],
  ['not=(and(status=paid,total=1))', not(and(paid, o.equals('total', 1))), 'not=(status=paid,total=1)'],
  ['not=(and(and(status=paid)))', not(alone(paid))],
  ['not=(not(status=paid))', not(not(paid)), 'not=(status[notEqual]=paid)'],
  ['not=(total[range]=(1,2))', not(o.range('total', 1, 2))],
  ['not=(or(status=paid,total=1))', not(or(paid, o.equals('total', 1)))],
  ['or=(not(status[notEqual]=paid),total=1)', or(not(not(paid)), o.equals('total', 1))],

  // A path of a list is one entry for which all of the group holds.
  ['and=(items(product=bed))', o.some('items', (i) => i.equals('product', 'bed')), 'items.product=bed'],
  ['and=(items(product[notEqual]=bed))', o.some('items', (i) => i.notEqual('product', 'bed'))],
  [
    'and=(items(or(product=bed,price=1)))',
    o.some('items', (i) => or(i.equals('product', 'bed'), i.equals('price', 1))),
  ],
  [
    'and=(items(not(product=bed,price=1)))',
    o.some('items', (i) => not(and(i.equals('product', 'bed'), i.equals('price', 1)))),
  ],
  [
    'not=(items(product=bed,price=1))',
    not(o.some('items', (i) => and(i.equals('product', 'bed'), i.equals('price', 1)))),
  ],
  ['not=(items(product=bed))', not(o.some('items', (i) => i.equals('product', 'bed'))), 'items.product[notEqual]=bed'],
  ['and=(tags([startsWith]=a,[notEqual]=ab))', o.some('tags', (tag) => and(tag.startsWith('a'), tag.notEqual('ab')))],
  ['and=(tags([equals]=a))', o.some('tags', (tag) => tag.equals('a')), 'tags=a'],
  ['and=(tags(or([equals]=a,[in]=(b,c))))', o.some('tags', (tag) => or(tag.equals('a'), tag.in(['b', 'c'])))],
  // An entry that is an object can be asked for itself.
  [
    'and=(items([exists]=true,price[notEqual]=1))',
    some(['items'], and(presence([], 'object'), not(comparison(['price'], 'eq', { type: 'number', value: 1 })))),
  ],

  // Law 4: one entry for the conditions of one `and`, of the query or of a group.
  [
    'or=(and(items.product=bed,items.price=1),gift=true)',
    or(
      o.some('items', (i) => and(i.equals('product', 'bed'), i.equals('price', 1))),
      o.equals('gift', true),
    ),
    'or=(items(product=bed,price=1),gift=true)',
  ],
  [
    'not=(items.product=bed,items.price=1)',
    not(o.some('items', (i) => and(i.equals('product', 'bed'), i.equals('price', 1)))),
    'not=(items(product=bed,price=1))',
  ],
  // Those of different groups are apart, and apart from those around them.
  [
    'items.product=bed&and=(items.price=1,gift=true)',
    both(
      o.some('items', (i) => i.equals('product', 'bed')),
      and(
        o.some('items', (i) => i.equals('price', 1)),
        o.equals('gift', true),
      ),
    ),
  ],
  [
    'items.product=bed&and=(items.price=1)',
    and(
      ...item(
        (i) => i.equals('product', 'bed'),
        (i) => i.equals('price', 1),
      ),
    ),
    'items.product=bed&items.price[all]=1',
  ],
  // A member of an `or` stands alone.
  [
    'or=(items.product=bed,items.price=1)',
    or(
      ...item(
        (i) => i.equals('product', 'bed'),
        (i) => i.equals('price', 1),
      ),
    ),
  ],
  // Complements are about no entry, each on its own.
  [
    'or=(and(items.product[notEqual]=bed,items.price=1),gift=true)',
    or(
      and(not(item((i) => i.equals('product', 'bed'))[0]!), item((i) => i.equals('price', 1))[0]!),
      o.equals('gift', true),
    ),
  ],

  // An operator stands once on a path of one `and`, so a second one nests.
  ['or=(total=1,total=2)', or(o.equals('total', 1), o.equals('total', 2))],
  ['total[gte]=1&and=(total[gte]=2)', and(o.gte('total', 1), o.gte('total', 2))],
  ['total[gte]=1&not=(total[gte]=2)', and(o.gte('total', 1), not(o.gte('total', 2)))],
  [
    'or=(and(total[gte]=1,and(total[gte]=2)),gift=true)',
    or(and(o.gte('total', 1), o.gte('total', 2)), o.equals('gift', true)),
  ],

  ['total[gte]=1&and=(total[gte]=2)&seller=a', and(o.gte('total', 1), o.gte('total', 2), o.equals('seller', 'a'))],
  [
    'total[gte]=1&and=(total[gte]=2)&or=(status=paid,gift=true)',
    and(o.gte('total', 1), o.gte('total', 2), or(paid, o.equals('gift', true))),
  ],
  [
    'items[exists]=false&and=(items([exists]=true,price=1))',
    and(
      not(some(['items'], presence([], 'object'))),
      some(['items'], and(presence([], 'object'), comparison(['price'], 'eq', { type: 'number', value: 1 }))),
    ),
  ],

  // Beside groups, pairs are as they are without them.
  ['total[range]=1,2&or=(status=paid,gift=true)', and(o.range('total', 1, 2), or(paid, o.equals('gift', true)))],
  [
    'or=(status=paid,gift=true)&total[gte]=2&total[range]=1,5',
    and(or(paid, o.equals('gift', true)), o.gte('total', 2), o.range('total', 1, 5)),
  ],
  [
    'total[gte]=1&or=(status=paid,gift=true)&total[lte]=2&not=(gift=true,guests=1)&seller=a',
    and(
      o.gte('total', 1),
      or(paid, o.equals('gift', true)),
      o.lte('total', 2),
      not(and(o.equals('gift', true), o.equals('guests', 1))),
      o.equals('seller', 'a'),
    ),
  ],
  [
    'or=(and(total[range]=(1,2),or(status=paid,gift=true)),gift=false)',
    or(and(o.range('total', 1, 2), or(paid, o.equals('gift', true))), o.equals('gift', false)),
  ],

  // Lists are in parentheses, and quotes are read in every operand.
  ['or=(total[range]=(1,2),status[nin]=(paid))', or(o.range('total', 1, 2), not(o.in('status', ['paid'])))],
  [
    'or=(seller="a,b)",seller="")',
    or(o.equals('seller', 'a,b)'), o.equals('seller', '')),
    'or=(seller=%22a,b)%22,seller=%22%22)',
  ],
  [
    'or=(seller="say \\"a\\\\b\\"",gift=true)',
    or(o.equals('seller', 'say "a\\b"'), o.equals('gift', true)),
    'or=(seller=say+%22a%5Cb%22,gift=true)',
  ],
  [
    'or=(seller[in]=("(",a),gift=true)',
    or(o.in('seller', ['(', 'a']), o.equals('gift', true)),
    'or=(seller[in]=(%22(%22,a),gift=true)',
  ],
  // A bare operand ends before a comma or a parenthesis that closes: all else is its text.
  [
    'or=(seller=a(b=c[d].e"\\,gift=true)',
    or(o.equals('seller', 'a(b=c[d].e"\\'), o.equals('gift', true)),
    'or=(seller=a(b%3Dc%5Bd%5D.e%22%5C,gift=true)',
  ],
  ['or=(seller=+a+,gift=true)', or(o.equals('seller', ' a '), o.equals('gift', true))],
  ['or=(seller=a%26b%23,gift=true)', or(o.equals('seller', 'a&b#'), o.equals('gift', true))],
  ['or=(paidAt=2024-01-01,gift=true)', or(o.equals('paidAt', '2024-01-01'), o.equals('gift', true))],
  [
    'or=(paidAt[in]=(2024-01-01,2024-01-02),gift=true)',
    { kind: 'or', filters: [o.in('paidAt', ['2024-01-01', '2024-01-02']), o.equals('gift', true)] },
  ],
  ['or=(customer[exists]=false,customer.name=x)', or(o.exists('customer', false), o.equals('customer.name', 'x'))],
]

export const reserved = ['apiKey']
export const issuesOf = (text: string, options: object = {}, parse = parseFilter): readonly Issue[] =>
  issuesIn(parse(orders, text, { ...groups, reserved, ...options }))
