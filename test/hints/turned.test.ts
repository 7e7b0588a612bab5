/** Hints and edits that keep a negation, a direction and a bound: each by hand, with groups and without them. */
import { describe, expect, test } from 'vitest'
import { defineCollection, defineSchema, field, parseQuery } from '../../src/index.ts'
import type { Collection, CollectionOptions, Issue } from '../../src/index.ts'
import { applied } from '../issue/suggestions.ts'
import { keyed } from '../orders.ts'

const schema = defineSchema({
  ...keyed.fields,
  price: field.number(),
  createdAt: field.datetime(),
  city: field.string(),
})
const options: CollectionOptions<typeof schema.fields> = {
  ...{ key: 'id', sort: ['id', 'total'], fields: ['id', 'total', 'status'], facets: ['status', 'city'] },
  ...{ search: ['note'], offset: { max: 1_000 } },
}
const withGroups = defineCollection(schema, { ...options, groups: true })
const without = defineCollection(schema, options)

const issuesOf = (of: Collection, text: string): readonly Issue[] => {
  const result = parseQuery(of, text)
  return result.ok ? [] : result.issues
}
/** The first hint, and the text with the edit of the first issue. */
const said = (of: Collection, text: string) => {
  const [first] = issuesOf(of, text)
  return [first?.hint, first?.suggestion && applied(text, first.suggestion)]
}

const totals = 'available operators for total: equals, notEqual, gt, gte, lt, lte, range, in, nin, exists'
const names =
  'available operators for customerName: equals, notEqual, gt, gte, lt, lte, range, in, nin, startsWith, endsWith, contains, doesNotContain, exists'
const sortable = 'sortable fields: id, total'
const bound = 'a bound is an operator of a field: path[gte]=…, path[gt]=…, path[lte]=… or path[lt]=…'
const noGroups = 'groups are not turned on here'

/** With groups; and without them, where that differs. */
type Row = readonly [text: string, hint: string | undefined, edited?: string | undefined, without?: string]
const rows: Readonly<Record<string, readonly Row[]>> = {
  'a negation before a word of an operator': [
    ['customerName[notStartsWith]=jo', 'write not=(customerName[startsWith]=…)', undefined, names],
    ['customerName[notEndsWith]=jo', 'write not=(customerName[endsWith]=…)', undefined, names],
    ['customerName[ncontains]=jo', 'did you mean doesNotContain?', 'customerName[doesNotContain]=jo'],
    ['customerName[notContainsi]=jo', 'did you mean doesNotContain?', 'customerName[doesNotContain]=jo'],
    ['customerName[unlike]=jo', 'did you mean doesNotContain?', 'customerName[doesNotContain]=jo'],
    ['total[notRange]=1,2', 'write not=(total[range]=(…,…))', undefined, totals],
    ['total[ngt]=5', 'write not=(total[gt]=…)', undefined, totals],
    ['total_not_gt=5', 'write not=(total[gt]=…)', undefined, totals],
    ['status[!in]=held', 'did you mean nin?'],
    ['status[-in]=held', 'did you mean nin?'],
    ['status[not][in]=paid,held', 'write status[nin]=paid,held', 'status[nin]=paid,held'],
    ['status[exclude]=paid', 'did you mean nin?', 'status[nin]=paid'],
    ['total[inn]=1', totals],
    ['total[xt]=1', totals],
  ],
  'a negation before a field': [
    ['notStatus=paid', 'write status[notEqual]=paid', 'status[notEqual]=paid'],
    ['-status=paid', 'write status[notEqual]=paid', 'status[notEqual]=paid'],
    ['!status=held', 'write status[notEqual]=held', 'status[notEqual]=held'],
    ['not.status=paid', 'write status[notEqual]=paid', 'status[notEqual]=paid'],
    ['excludeStatus=paid', 'write status[notEqual]=paid', 'status[notEqual]=paid'],
    ['noGift=true', 'write gift[notEqual]=true', 'gift[notEqual]=true'],
    ['filter[-total]=5', 'write total[notEqual]=…', 'total[notEqual]=5'],
    ['filter[!customerName][contains]=jo', 'write customerName[doesNotContain]=…', 'customerName[doesNotContain]=jo'],
    ['unpaid=true', undefined],
  ],
  'a negation before a value': [
    ['status=!paid', 'write status[notEqual]=paid', 'status[notEqual]=paid'],
    ['status=-paid', 'write status[notEqual]=paid', 'status[notEqual]=paid'],
    ['status=unpaid', undefined],
    ['total=not.gt.5', 'write not=(total[gt]=…)', undefined, totals],
    ['total=not.eq.5', 'write total[notEqual]=…', 'total[notEqual]=5'],
    ['total=not.in.(5,6)', 'write total[nin]=…,…'],
    ['total=not.fts.5', undefined],
    ['total[notEqual]=not.gt.5', 'write total[gt]=…', 'total[gt]=5'],
    [
      'filter[note]=!x',
      'available operators for note: equals, notEqual, gt, gte, lt, lte, range, in, nin, startsWith, endsWith, contains, doesNotContain, exists',
    ],
  ],
  'Strapi, nestjs-paginate, Directus': [
    ['filters[customerName][$nei]=jo', 'write not=(customerName[equalsIgnoreCase]=…)', undefined, names],
    ['filters[customerName][$not][$startsWith]=jo', 'write not=(customerName[startsWith]=…)', undefined, names],
    [
      'filters[customerName][$foo]=jo',
      'available operators for customerName: equals, notEqual, gt, gte, lt, lte, range, in, nin, startsWith, endsWith, contains, doesNotContain, exists',
    ],
    ['filter.customerName=$not:$sw:jo', 'write not=(customerName[startsWith]=…)', undefined, names],
    ['filter.customerName=$sw:jo', 'write customerName[startsWith]=…', 'customerName[startsWith]=jo'],
    ['filter.customerName=$ilike:jo', 'write customerName[contains]=…', 'customerName[contains]=jo'],
    ['filter.customerName=$eq:jo', 'write customerName=…', 'customerName=jo'],
    ['filter.customerName=$foo:jo', names],
    ['filter.customerName=$null', 'write customerName[exists]=false', 'customerName[exists]=false'],
    ['filter.items.price=$none:$eq:5', 'write items.price[notEqual]=…', 'items.price[notEqual]=5'],
    ['items[_none][price]=5', 'write items.price[notEqual]=…', 'items.price[notEqual]=5'],
    [
      'items[_none][price][gt]=5',
      'write not=(items.price[gt]=…)',
      undefined,
      'available operators for items.price: equals, notEqual, gt, gte, lt, lte, range, in, nin, exists, all',
    ],
    [
      'items[_every][price][gt]=5',
      'write and=(items.every(price[gt]=…))',
      undefined,
      'available operators for items.price: equals, notEqual, gt, gte, lt, lte, range, in, nin, exists, all',
    ],
    ['items[_some][price][gt]=5', 'write items.price[gt]=…', 'items.price[gt]=5'],
    [
      'items[_some][price][ne]=5',
      'write and=(items(price[notEqual]=…))',
      undefined,
      'available operators for items.price: equals, notEqual, gt, gte, lt, lte, range, in, nin, exists, all',
    ],
    ['tags[_none]=a', 'did you mean nin?', 'tags[nin]=a'],
  ],
  'bounds in the name of a field': [
    ['minTotal=5', 'write total[gte]=…', 'total[gte]=5'],
    ['maxTotal=5', 'write total[lte]=…', 'total[lte]=5'],
    ['min_price=5', 'write price[gte]=…', 'price[gte]=5'],
    ['max_price=5', 'write price[lte]=…', 'price[lte]=5'],
    ['createdAfter=2024-01-01', 'write createdAt[gt]=…', 'createdAt[gt]=2024-01-01'],
    ['created_after=2024-01-01', 'write createdAt[gt]=…', 'createdAt[gt]=2024-01-01'],
    ['createdBefore=2024-01-01', 'write createdAt[lt]=…', 'createdAt[lt]=2024-01-01'],
    ['createdAt_from=2024-01-01', 'write createdAt[gte]=…', 'createdAt[gte]=2024-01-01'],
    ['createdAtTo=2024-01-01', 'write createdAt[lte]=…', 'createdAt[lte]=2024-01-01'],
    ['total_at_least=5', 'write total[gte]=…', 'total[gte]=5'],
    ['total_over=5', 'write total[gt]=…', 'total[gt]=5'],
    ['totalUnder=5', 'write total[lt]=…', 'total[lt]=5'],
    ['after=2024-01-01', bound],
    ['before=2024-01-01', bound],
    ['since=2024-01-01', bound],
    ['end=2024-01-01', bound],
  ],
  'ranges and intervals': [
    ['total:[1 TO 5]', 'write total[range]=…,…'],
    ['total=[1 TO 5]', 'write total[range]=…,…'],
    ['total=[1 TO *]', 'write total[gte]=…'],
    ['total:{1 TO 5}', 'write total[gt]=…&total[lt]=…'],
    ['total=(1,5]', 'write total[gt]=…&total[lte]=…'],
    ['q=total:[1 TO 5]', 'write total[range]=…,…'],
    ['total=5..10', 'write total[range]=…,…'],
  ],
  expressions: [
    ['note eq null', 'write note[exists]=false'],
    ['note ne null', 'write note[exists]=true'],
    ['q=note eq null', 'write note[exists]=false'],
    ['!(status==paid)', 'write status[notEqual]=paid'],
    ['filter=!(status==paid)', 'write status[notEqual]=paid'],
    ["$filter=not(status eq 'paid')", 'write status[notEqual]=paid'],
    ["$filter=not contains(note,'x')", 'write note[doesNotContain]=…'],
    [
      "$filter=not startswith(note,'x')",
      'write not=(note[startsWith]=…)',
      undefined,
      'available operators for note: equals, notEqual, gt, gte, lt, lte, range, in, nin, startsWith, endsWith, contains, doesNotContain, exists',
    ],
    ['$filter=items/any(i: i/price gt 5)', 'write items.price[gt]=…'],
    [
      '$filter=items/all(i: i/price gt 5)',
      'write and=(items.every(price[gt]=…))',
      undefined,
      'available operators for items.price: equals, notEqual, gt, gte, lt, lte, range, in, nin, exists, all',
    ],
    [
      '$filter=not items/any(i: i/price gt 5)',
      'write not=(items.price[gt]=…)',
      undefined,
      'available operators for items.price: equals, notEqual, gt, gte, lt, lte, range, in, nin, exists, all',
    ],
    [
      '$filter=items/any(i: i/price ne 5)',
      'write and=(items(price[notEqual]=…))',
      undefined,
      'available operators for items.price: equals, notEqual, gt, gte, lt, lte, range, in, nin, exists, all',
    ],
    ['s={"total":{"$gte":1,"$lt":5}}', 'write total[gte]=…&total[lt]=…'],
    ['s={"total":{"$not":{"$gt":5}}}', 'write not=(total[gt]=…)', undefined, totals],
    ['filter=total=gt=5,gift==true', 'write or=(total[gt]=…,gift=true)', undefined, noGroups],
    // What is not understood whole is not written.
    [
      '$filter=total gt 5 and (gift eq true or id eq 1)',
      'each condition is a separate pair: path=value or path[operator]=value',
    ],
    ['$filter=total gt 5 and nope lt 3', 'each condition is a separate pair: path=value or path[operator]=value'],
    [
      '$filter=not(total gt 5 and gift eq true)',
      'each condition is a separate pair: path=value or path[operator]=value',
    ],
    ['q=-surf', 'each condition is a separate pair: path=value or path[operator]=value'],
  ],
  'groups of other languages': [
    ['or[0][gift]=true', 'write or=(gift=true)', undefined, noGroups],
    ['or[0][status]=paid&or[1][gift]=true', 'write or=(status=paid,gift=true)', undefined, noGroups],
    [
      'filters[$or][0][total][$gt]=5&filters[$or][1][gift]=true',
      'write or=(total[gt]=…,gift=true)',
      undefined,
      noGroups,
    ],
    ['or[0][status]=paid&or[0][gift]=true&or[1][id]=1', 'write a group as or=(…)', undefined, noGroups],
    ['_or[0][total]=1', 'write or=(total=…)', undefined, noGroups],
    ['$or=[{"total":{"$gt":5}},{"gift":true}]', 'write or=(total[gt]=…,gift=true)', undefined, noGroups],
    ['or=(total.lt.18,total.gt.21)', 'write total[lt]=…', 'or=(total[lt]=18,total.gt.21)', noGroups],
    ['or=(total.not.gt.18,gift=true)', 'write not(total[gt]=…)', undefined, noGroups],
  ],
  orders: [
    ['sort=desc(total)', 'write sort=-total', 'sort=-total'],
    ['sort=desc:total', 'write sort=-total', 'sort=-total'],
    ['sort=desc total', 'write sort=-total', 'sort=-total'],
    ['sort=total_desc', 'write sort=-total', 'sort=-total'],
    ['sort=totalDesc', 'write sort=-total', 'sort=-total'],
    ['sort=total:desc', 'write sort=-total', 'sort=-total'],
    ['sort=total.asc,id.desc', 'write sort=total,-id', 'sort=total,-id'],
    ['order=desc total', 'write sort=-total', 'sort=-total'],
    ['_sort=total,id&_order=desc,asc', 'write sort=-total,id'],
    ['_sort=total,id&_order=desc', `write sort=-…; ${sortable}`],
    ['orderby=date', `write sort=…; ${sortable}`],
    ['orderby=-date', `write sort=-…; ${sortable}`],
    ['sort=updated&direction=desc', sortable],
    ['sort=total_dsc', sortable],
    ['sort=!total', sortable],
    ['sort.city=desc', `write sort=-…; ${sortable}`],
    ['sort[city]=desc', `write sort=-…; ${sortable}`],
    ['sort.total=desc', 'write sort=-total', 'sort=-total'],
    ['-sort=total', undefined],
    ['desc=true&orderby=total', 'write sort=-total'],
  ],
  'fields and facets that leave one out': [
    ['fields=-total', 'selectable fields: id, status, total'],
    ['facets=-status', 'facets: status, city'],
    ['$select=-total', 'write fields=…; selectable fields: id, status, total'],
    [
      'fields[exclude]=total',
      'the parameters are sort, limit, cursor, offset, fields, search, facets, and, or, not',
      undefined,
      'the parameters are sort, limit, cursor, offset, fields, search, facets',
    ],
  ],
  'signs in brackets, of which the first "=" ends the key': [
    ['total[>=]=500', 'write total[gte]=…', 'total[gte]=500'],
    ['total[%3E=]=500', 'write total[gte]=…', 'total[gte]=500'],
    ['total%5B%3E=%5D=500', 'write total[gte]=…', 'total[gte]=500'],
    ['total[<=]=500', 'write total[lte]=…', 'total[lte]=500'],
    ['status[!=]=held', 'write status[notEqual]=held', 'status[notEqual]=held'],
    ['status[%21=]=held', 'write status[notEqual]=held', 'status[notEqual]=held'],
    ['total[==]=5', 'write total=…', 'total=5'],
    ['note[^=]=jo', 'write note[startsWith]=…', 'note[startsWith]=jo'],
    ['note^=jo', 'write note[startsWith]=…', 'note[startsWith]=jo'],
    ['note$=jo', 'write note[endsWith]=…', 'note[endsWith]=jo'],
    ['note*=jo', 'write note[contains]=…', 'note[contains]=jo'],
  ],
  'the place of a value is the value of the client': [
    ['items[arrival]=2024-06-01', 'write items.arrival=…', 'items.arrival=2024-06-01'],
    ['status[]=paid', 'write status[in]=paid', 'status[in]=paid'],
    ['_limit=5', 'write limit=…', 'limit=5'],
    [
      'tz=UTC',
      'the parameters are sort, limit, cursor, offset, fields, search, facets, and, or, not',
      undefined,
      'the parameters are sort, limit, cursor, offset, fields, search, facets',
    ],
  ],
}

describe.each(Object.entries(rows))('%s', (_, all) => {
  test.each(all.map((row) => [row[0], row] as const))('%s', (text, [, hint, edited, other]) => {
    expect(said(withGroups, text)).toEqual([hint, edited])
    expect(said(without, text)).toEqual([other ?? hint, other === undefined ? edited : undefined])
    if (edited !== undefined && !edited.includes('.gt.')) expect(issuesOf(withGroups, edited)).toEqual([])
  })
})
