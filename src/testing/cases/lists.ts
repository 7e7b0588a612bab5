/** Lists: one and the same entry, and no entry at all. */
import { defineSchema, field } from '../../language/index.ts'
import { casesOf, type Fixture } from './case.ts'

/** Orders with lists of scalars, of objects, and of objects in those. */
export const bookings: Fixture = {
  name: 'bookings',
  schema: defineSchema({
    id: field.integer(),
    seller: field.string(),
    tags: field.list(field.string()),
    items: field.list(
      field.object({
        arrival: field.date(),
        product: field.string(),
        price: field.number(),
        options: field.list(field.object({ code: field.string(), size: field.integer() })),
        guest: field.object({ name: field.string() }),
      }),
    ),
    customer: field.object({ name: field.string(), phones: field.list(field.string()) }),
  }),
  rows: [
    {
      id: 1,
      seller: 's-1',
      tags: ['sea', 'family'],
      items: [
        {
          arrival: '2024-01-01',
          product: 'surf',
          price: 10,
          options: [
            { code: 'a', size: 1 },
            { code: 'b', size: 2 },
          ],
        },
        {
          arrival: '2024-01-05',
          product: 'kayak',
          price: 30,
          options: [{ code: 'a', size: 3 }],
          guest: { name: 'Jo' },
        },
      ],
      customer: { name: 'Ann', phones: ['1', '2'] },
    },
    {
      id: 2,
      seller: 's-1',
      tags: ['Sea'],
      items: [{ arrival: '2024-01-03', product: 'surf', price: 20, options: [], guest: { name: 'Al' } }],
      customer: { name: null, phones: ['2'] },
    },
    {
      id: 3,
      seller: 's-2',
      tags: ['sea', null],
      items: [
        { arrival: '2024-01-01', product: 'kayak' },
        { arrival: null, price: 20 },
      ],
      customer: { phones: [] },
    },
    { id: 4, seller: 's-2', tags: [], items: [], customer: null },
    { id: 5, seller: null, tags: null, items: null },
    { id: 6 },
    { id: 7, tags: [null], items: [], customer: { phones: [null] } },
  ],
}

export const lists = casesOf(
  bookings,
  [],
  [
    ['', [1, 2, 3, 4, 5, 6, 7], 'no condition: everything that the caller may see'],
    [
      'items.arrival[gte]=2024-01-02&items.arrival[lte]=2024-01-04',
      [2],
      'one before and one after the span is not inside it',
    ],
    ['items.arrival[range]=2024-01-02,2024-01-04', [2], 'a range is its two bounds'],
    ['items.arrival[in]=2024-01-02,2024-01-03,2024-01-04', [2], 'and its days'],
    ['items.arrival[lte]=2024-01-04&items.arrival[gte]=2024-01-01', [1, 2, 3], 'one entry between the bounds'],
    ['items.product=surf&items.price=30', [], 'two entries do not add up to one'],
    ['items.product=surf&items.price=10', [1], 'one entry has both'],
    ['items.product=surf&seller=s-1&items.price=20', [2], 'a condition between them does not part them'],
    ['items.product=surf&items.price[notEqual]=10', [2], 'a complement speaks of all entries on its own'],
    ['items.product[notEqual]=surf', [3, 4, 5, 6, 7], 'no entry is surf'],
    ['items.arrival[nin]=2024-01-01,2024-01-03', [4, 5, 6, 7], 'no entry is on one of the days'],
    ['items.price[gt]=10&items.arrival[gt]=2024-01-01', [1, 2], 'in 1 the second entry, in 2 the only one'],
    ['items.price[gt]=10&items.arrival[lt]=2024-01-02', [], 'no entry has both'],
    ['items[exists]=true', [1, 2, 3], 'an entry that has a value'],
    ['items[exists]=false', [4, 5, 6, 7], 'an empty list, null, and no list have none'],
    ['items[exists]=true&items.price=20', [2, 3], 'the entry is there, and its price is 20'],
    ['items.price[exists]=true', [1, 2, 3], 'an entry with a price'],
    ['items.price[exists]=false', [4, 5, 6, 7], 'no entry has a price'],
    ['items.product[exists]=true&items.price[exists]=true', [1, 2], 'one entry has both; in 3 they are apart'],
    ['items.guest[exists]=true', [1, 2], 'an object in an entry'],
    ['items.guest[exists]=false', [3, 4, 5, 6, 7], 'no entry has the object'],
    ['items.guest.name[startsWith]=j', [1], 'a field of an object in an entry'],
    ['items.guest.name[exists]=false', [3, 4, 5, 6, 7], 'no guest has a name'],
    ['tags=sea', [1, 3], 'an entry that is the text itself'],
    ['tags[contains]=SEA', [1, 2, 3], 'case is ignored in entries too'],
    ['tags[equalsIgnoreCase]=SEA', [1, 2, 3], 'an entry that is the text, case ignored'],
    ['tags[startsWithExact]=S', [2], 'case counts in entries too'],
    ['tags[startsWithExact]=s&tags[endsWithExact]=y', [], 'one entry cannot be both'],
    ['tags[containsExact]=ea&tags[startsWith]=S', [1, 2, 3], 'one entry can be both'],
    ['items.guest.name[equalsIgnoreCase]=jO', [1], 'a field of an object in an entry'],
    ['tags[notEqual]=sea', [2, 4, 5, 6, 7], 'no entry is the text'],
    ['tags=sea&tags[startsWith]=fam', [], 'one entry cannot be both'],
    ['tags[startsWith]=s&tags[endsWith]=EA', [1, 2, 3], 'one entry can be both'],
    ['tags=sea&tags[notEqual]=family', [3], 'an entry is the one, and no entry the other'],
    ['tags[exists]=true', [1, 2, 3], 'an entry that has a value'],
    ['tags[exists]=false', [4, 5, 6, 7], 'a list of null has none'],
    ['tags=sea&items.product=kayak', [1, 3], 'two lists, two groups'],
    ['customer.phones=2', [1, 2], 'a list in an object'],
    ['customer.phones[exists]=false', [3, 4, 5, 6, 7], 'an empty list in an object'],
    ['customer.phones=2&customer.name=Ann', [1], 'beside it, a field of the object'],
    ['items.options.code=a&items.options.size=2', [], 'one and the same entry of the inner list'],
    ['items.options.code=a&items.options.size=3', [1], 'one and the same entry of the inner list'],
    ['items.options.size=3&items.product=surf', [], 'the inner entry in one and the same outer entry'],
    ['items.options.size=3&items.product=kayak', [1], 'the inner entry in one and the same outer entry'],
    ['items.options.code[notEqual]=a', [2, 3, 4, 5, 6, 7], 'no inner entry of any outer entry'],
    ['items.options[exists]=true', [1], 'an inner entry'],
    ['items.options[exists]=false', [2, 3, 4, 5, 6, 7], 'no inner entry'],
    ['items.options[exists]=false&items.price=20', [2, 3], 'no inner entry anywhere, and an outer one'],
  ],
)

export const objects = casesOf(
  bookings,
  ['empty-objects'],
  [
    ['customer[exists]=true', [1, 2, 3, 7], 'an object is there, whatever is in it'],
    ['customer[exists]=false', [4, 5, 6], 'null and missing are not'],
  ],
)
