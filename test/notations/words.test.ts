/** Every word of each notation, by what it means in the language of this library. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseQuery, printQuery } from '../../src/index.ts'
import type { Notation } from '../../src/notations/index.ts'
import { collection, notations } from './orders.ts'

function meaningOf(notation: Notation, text: string): string {
  const result = parseQuery(collection, text, { notation })
  if (!result.ok)
    return result.issues.map(({ code, span }) => `${code} ${text.slice(span!.start, span!.end)}`).join(' | ')
  // The pages have tests of their own.
  return printQuery(collection, { ...result.query, count: false }).replace(/(?:^|&)limit=40$/, '')
}

/** By notation: a text of a client, and its meaning. */
const conditions: Readonly<Record<string, readonly (readonly [text: string, meaning: string])[]>> = {
  jsonServer: [
    ['status=paid', 'status=paid'],
    ['status=paid&status=held', 'status[in]=paid,held'],
    ['note_ne=a', 'note[notEqual]=a&note[exists]=true'],
    ['note_ne=a&note_ne=b', 'note[nin]=a,b&note[exists]=true'],
    ['day_gte=2024-01-05', 'day[gte]=2024-01-05'],
    ['total_lte=5', 'total[lte]=5'],
    ['note_like=a', 'note[contains]=a'],
    ['total_gte=5', 'total_gte=5'],
    ['total_gte_gte=5', 'total_gte[gte]=5'],
    ['customer.name=Smith,+John', 'customer.name=Smith,+John'],
    ['customer.name=a,b&customer.name=', 'customer.name[in]="a,b",""'],
    ['tags=sea', 'tags=sea'],
    ['note=%22a%22', 'note="a"'],
    ['q=ann "surf', 'search=ann+"\\"surf"'],
    ['_sort=total,id&_order=DESC,asc', 'sort=-total,id'],
    ['_sort=total', 'sort=total'],
  ],
  reactAdmin: [
    ['filter={"status":"paid"}', 'status=paid'],
    ['filter={"status":["paid","held"]}', 'status[in]=paid,held'],
    ['filter={"id":[1]}', 'id[in]=1'],
    ['filter={"tags":["sea","vip"]}', 'tags[all]=sea,vip'],
    ['filter={"note_eq":"a"}', 'note=a'],
    ['filter={"note_neq":"a"}', 'note[notEqual]=a'],
    ['filter={"total_gt":5,"total_lt":9.5}', 'total[gt]=5&total[lt]=9.5'],
    ['filter={"day_gte":"2024-01-05","total_lte":5}', 'day[gte]=2024-01-05&total[lte]=5'],
    ['filter={"note_eq_any":["a","b"]}', 'note[in]=a,b'],
    ['filter={"note_neq_any":["a","b"]}', 'note[nin]=a,b'],
    ['filter={"tags_inc":["sea","vip"]}', 'tags[all]=sea,vip'],
    ['filter={"note_q":"a"}', 'note[contains]=a'],
    ['filter={"note":null}', 'note[exists]=false'],
    ['filter={"note_neq":null}', 'note[exists]=true'],
    ['filter={"gift":true}', 'gift=true'],
    ['filter={"customer":{"name":"a \\"b\\" \\u00e9"}}', 'customer.name=a+"b"+é'],
    ['filter={"customer":{"name_q":"a"}}', 'customer.name[contains]=a'],
    ['filter={"q":"ann surf"}', 'search=ann+surf'],
    ['sort=["total","DESC"]', 'sort=-total'],
    ['sort=["total", "asc"]', 'sort=total'],
    ['filter={}', ''],
  ],
  strapi: [
    ['filters[status][$eq]=paid', 'status=paid'],
    ['filters[status]=paid', 'status=paid'],
    ['filters[note][$eqi]=a', 'note[equalsIgnoreCase]=a'],
    ['filters[note][$ne]=a', 'note[notEqual]=a&note[exists]=true'],
    ['filters[note][$nei]=a', 'not=(note[equalsIgnoreCase]=a)&note[exists]=true'],
    ['filters[total][$gt]=5', 'total[gt]=5'],
    ['filters[total][$gte]=5', 'total[gte]=5'],
    ['filters[total][$lt]=5', 'total[lt]=5'],
    ['filters[total][$lte]=5', 'total[lte]=5'],
    ['filters[status][$in][0]=paid&filters[status][$in][1]=held', 'status[in]=paid,held'],
    ['filters[status][$in]=paid&filters[status][$in]=held', 'status[in]=paid,held'],
    ['filters[status][$in][]=paid', 'status[in]=paid'],
    ['filters[status][$notIn][0]=paid', 'status[nin]=paid&status[exists]=true'],
    ['filters[status][$nin][0]=paid', 'status[nin]=paid&status[exists]=true'],
    ['filters[total][$between][0]=1&filters[total][$between][1]=5', 'total[range]=1,5'],
    ['filters[total][$between][1]=5&filters[total][$between][0]=1', 'total[range]=1,5'],
    ['filters[note][$contains]=a', 'note[containsExact]=a'],
    ['filters[note][$containsi]=a', 'note[contains]=a'],
    ['filters[note][$notContains]=a', 'not=(note[containsExact]=a)&note[exists]=true'],
    ['filters[note][$notContainsi]=a', 'note[doesNotContain]=a&note[exists]=true'],
    ['filters[note][$startsWith]=a', 'note[startsWithExact]=a'],
    ['filters[note][$startsWithi]=a', 'note[startsWith]=a'],
    ['filters[note][$endsWith]=a', 'note[endsWithExact]=a'],
    ['filters[note][$endsWithi]=a', 'note[endsWith]=a'],
    ['filters[note][$null]=true', 'note[exists]=false'],
    ['filters[note][$null]=false', 'note[exists]=true'],
    ['filters[note][$notNull]=true', 'note[exists]=true'],
    ['filters[note][$ne]=a&filters[note][$notNull]=true', 'note[notEqual]=a&note[exists]=true'],
    ['filters[customer][name][$eq]=a', 'customer.name=a'],
    ['filters[customer.name][$eq]=a', 'customer.name=a'],
    ['filters[$or][0][note][$eq]=a&filters[$or][1][total][$gt]=5', 'or=(note=a,total[gt]=5)'],
    [
      'filters[$or][0][note][$eq]=a&filters[$or][0][total][$gt]=5&filters[$or][1][id]=1',
      'or=(and(note=a,total[gt]=5),id=1)',
    ],
    ['filters[$and][0][note][$eq]=a&filters[$and][1][note][$eq]=b', 'note=a&and=(note=b)'],
    ['filters[note][$not][$eq]=a', 'note[notEqual]=a&note[exists]=true'],
    ['filters[note][$not][$ne]=a', 'note=a'],
    ['filters[note][$not][$null]=true', 'note[exists]=true'],
    ['filters[total][$not][$gt]=5', 'not=(total[gt]=5)&total[exists]=true'],
    ['filters[$not][note][$in][0]=a', 'note[nin]=a&note[exists]=true'],
    // By SQL, `NOT (a AND b)` is true where one of them is false, and both `NOT (a OR b)`.
    [
      'filters[$not][note][$eq]=a&filters[$not][total][$gt]=5',
      'or=(and(note[notEqual]=a,note[exists]=true),and(not(total[gt]=5),total[exists]=true))',
    ],
    ['_q=ann', 'search=ann'],
    ['sort=total:desc,id', 'sort=-total,id'],
    ['sort[0]=total:asc&sort[1]=id:DESC', 'sort=total,-id'],
    ['fields[0]=id&fields[1]=total', 'limit=40&fields=id,total'],
  ],
  jsonApi: [
    ['filter[status]=paid', 'status=paid'],
    ['filter[status]=paid,held', 'status[in]=paid,held'],
    ['filter[note][eq]=a,b', 'note=a,b'],
    ['filter[note][equals]=a', 'note=a'],
    ['filter[note][ne]=a', 'note[notEqual]=a'],
    ['filter[note][notEqual]=a', 'note[notEqual]=a'],
    ['filter[total][gt]=5', 'total[gt]=5'],
    ['filter[total][gte]=5', 'total[gte]=5'],
    ['filter[total][lt]=5', 'total[lt]=5'],
    ['filter[total][lte]=5', 'total[lte]=5'],
    ['filter[total][range]=1,5', 'total[range]=1,5'],
    ['filter[status][in]=paid', 'status[in]=paid'],
    ['filter[status][nin]=paid,held', 'status[nin]=paid,held'],
    ['filter[note][contains]=a', 'note[contains]=a'],
    ['filter[note][doesNotContain]=a', 'note[doesNotContain]=a'],
    ['filter[note][startsWith]=a', 'note[startsWith]=a'],
    ['filter[note][endsWith]=a', 'note[endsWith]=a'],
    ['filter[note][equalsIgnoreCase]=a', 'note[equalsIgnoreCase]=a'],
    ['filter[note][containsExact]=a', 'note[containsExact]=a'],
    ['filter[note][startsWithExact]=a', 'note[startsWithExact]=a'],
    ['filter[note][endsWithExact]=a', 'note[endsWithExact]=a'],
    ['filter[note][exists]=false', 'note[exists]=false'],
    ['filter[tags][all]=a,b', 'tags[all]=a,b'],
    ['filter[tags][atLeast]=1', 'tags[atLeast]=1'],
    ['filter[tags][atMost]=1', 'tags[atMost]=1'],
    ['filter[customer.name]=a', 'customer.name=a'],
    ['filter[customer][name]=a', 'customer.name=a'],
    ['filter%5Bcustomer.name%5D%5BstartsWith%5D=a%2Cb', 'customer.name[startsWith]=a,b'],
    ['filter[total_gte]=5', 'total_gte=5'],
    ['sort=-total,id', 'sort=-total,id'],
    ['fields[orders]=id,total', 'fields=id,total'],
  ],
  nestPaginate: [
    ['filter.status=paid', 'status=paid'],
    ['filter.status=$eq:paid', 'status=paid'],
    ['filter.note=10:30', 'note=10:30'],
    ['filter.note=$5', 'note=$5'],
    ['filter.total=$gt:5', 'total[gt]=5'],
    ['filter.total=$gte:5&filter.total=$lte:9', 'total[range]=5,9'],
    ['filter.total=$lt:5', 'total[lt]=5'],
    ['filter.status=$in:paid, held', 'status[in]=paid,held'],
    ['filter.total=$btw:1,5', 'total[range]=1,5'],
    ['filter.note=$ilike:a', 'note[contains]=a'],
    ['filter.note=$sw:a', 'note[startsWith]=a'],
    ['filter.tags=$contains:a,b', 'tags[all]=a,b'],
    ['filter.note=$null', 'note[exists]=false'],
    ['filter.note=$not:$null', 'note[exists]=true'],
    ['filter.note=$not:a', 'note[notEqual]=a&note[exists]=true'],
    ['filter.note=$not:$eq:a', 'note[notEqual]=a&note[exists]=true'],
    ['filter.status=$not:$in:paid,held', 'status[nin]=paid,held&status[exists]=true'],
    ['filter.note=$not:$sw:a', 'not=(note[startsWith]=a)&note[exists]=true'],
    ['filter.customer.name=$eq:a', 'customer.name=a'],
    ['search=ann', 'search=ann'],
    ['sortBy=total:DESC&sortBy=id:ASC', 'sort=-total,id'],
    ['select=id,total', 'fields=id,total'],
  ],
}
/** By notation: what it refuses, with the code and the place of each issue. */
const refused: Readonly<Record<string, readonly (readonly [text: string, issues: string])[]>> = {
  jsonServer: [
    ['totl_gte=5', 'field_unknown totl'],
    ['total_foo=5', 'operator_unknown _foo'],
    ['status_like=a', 'operator_not_applicable _like'],
    ['total_lte=1&total_lte=2', 'duplicate_condition total_lte'],
    ['total[lte]=5', 'field_unknown total[lte]'],
    ['or=(id=1,id=2)', 'field_unknown or'],
    ['$or=(id=1,id=2)', 'field_unknown $or'],
    ['limit=5', 'field_unknown limit'],
    ['$limit=5', 'field_unknown $limit'],
    ['sort=total', 'field_unknown sort'],
    ['_embed=items', 'field_unknown _embed'],
    ['status', 'syntax_missing_equals status'],
    ['status=pad&total=x', 'operand_invalid pad | operand_invalid x'],
    ['id=1&id=x', 'operand_invalid x'],
    ['note=%zz', 'syntax_encoding %'],
    ['_sort=tags', 'field_not_sortable tags'],
    ['_sort=totl', 'field_unknown totl'],
    ['_sort=total&_order=up', 'operand_invalid up'],
    ['_sort=total,total', 'duplicate_condition total'],
    ['_sort=total&_order=asc,desc', 'field_unknown _order'],
    ['_sort=a&_sort=b', 'field_unknown a | parameter_duplicate _sort'],
    ['_start=0&_end=41', 'parameter_invalid 41'],
    ['_start=5&_end=5', 'parameter_invalid 5'],
    ['_start=1001&_end=1002', 'parameter_invalid 1001'],
    ['_start=-1', 'parameter_invalid -1'],
    ['_page=102', 'parameter_invalid 102'],
    ['_page=1&_start=5', 'parameter_invalid 5'],
  ],
  reactAdmin: [
    ['filter={"totl_gte":5}', 'field_unknown totl'],
    ['filter={"customer":{"nam":5}}', 'field_unknown customer":{"nam'],
    ['filter={"total_foo":5}', 'operator_unknown _foo'],
    ['filter={"note_inc":["a"]}', 'operator_not_applicable _inc'],
    ['filter={"id":[]}', 'operand_empty id":[]'],
    ['filter={"id":[1,null]}', 'operand_invalid null'],
    ['filter={"id":[1,[2]]}', 'operand_invalid [2]'],
    ['filter={"total_gt":null}', 'operand_invalid null'],
    ['filter={"customer":{}}', 'operand_empty {}'],
    ['filter={"note":"a","note":"b"}', 'duplicate_condition note":"b"'],
    ['filter={"customer":{"name":"a"},"customer.name":"b"}', 'duplicate_condition customer.name'],
    ['filter={"status":"paid",}', 'operand_invalid }'],
    ['filter={"status":"paid"', 'operand_invalid "paid"'],
    ['filter={"status":"\\ud800"}', 'operand_invalid "\\ud800"}'],
    ['filter=["status"]', 'operand_invalid ["status"]'],
    ['filter=', 'operand_invalid '],
    ['filter={"status":"pad"}', 'operand_invalid "pad"'],
    ['range=[0,40]', 'parameter_invalid 40'],
    ['range=[5,4]', 'parameter_invalid 4'],
    ['range=[0]', 'operand_invalid [0]'],
    ['range=["0","9"]', 'operand_invalid ["0","9"]'],
    ['sort=["totl","ASC"]', 'field_unknown "totl"'],
    ['sort=["total","UP"]', 'operand_invalid "UP"'],
    ['sort=["total"]', 'operand_invalid ["total"]'],
    ['status=paid', 'field_unknown status'],
    ['embed="items"', 'field_unknown embed'],
  ],
  strapi: [
    ['filters[totl][$gte]=5', 'field_unknown totl'],
    ['filters[total][$foo]=5', 'operator_unknown $foo'],
    ['filters[tags][$between]=5', 'operand_count 5'],
    ['filters[gift][$gt]=true', 'operator_not_applicable $gt'],
    ['filters[total][$gt][0]=1&filters[total][$gt][1]=2', 'duplicate_condition total][$gt'],
    ['filters[total][$eq][foo]=1', 'field_unknown foo'],
    ['filters[$eq]=5', 'field_unknown $eq'],
    ['filters[$or]=1', 'syntax_group filters[$or]=1'],
    ['filters[note][$null]=1', 'operand_invalid 1'],
    ['filters=a', 'field_unknown filters'],
    ['filter[total]=5', 'field_unknown filter[total]'],
    ['total=5', 'field_unknown total'],
    ['populate=*', 'field_unknown populate'],
    ['locale=en', 'field_unknown locale'],
    ['sort=total:up', 'operand_invalid up'],
    ['sort=-total', 'field_unknown -total'],
    ['fields[0]=totl', 'field_unknown totl'],
    ['pagination[page]=0', 'parameter_invalid 0'],
    ['pagination[pageSize]=41', 'parameter_invalid 41'],
    ['pagination[withCount]=no', 'operand_invalid no'],
  ],
  jsonApi: [
    ['filter[totl][gte]=5', 'field_unknown totl'],
    ['filter[total][foo]=5', 'operator_unknown foo'],
    ['filter[total][$gte]=5', 'operator_unknown $gte'],
    ['filter[total][range]=1', 'operand_count 1'],
    ['filter[status]=paid,', 'operand_empty '],
    ['filter[status]=paid,pad', 'operand_invalid pad'],
    ['filter=a', 'field_unknown filter'],
    ['include=customer', 'field_unknown include'],
    ['fields[orders]=totl', 'field_unknown totl'],
    ['fields[a]=id&fields[b]=id', 'parameter_duplicate fields[b]'],
    ['sort=-totl', 'field_unknown totl'],
    ['sort=', 'field_unknown '],
    ['page[size]=0', 'parameter_invalid 0'],
    ['page[offset]=0', 'field_unknown page[offset]'],
    ['page[after]=x', 'parameter_invalid x'],
  ],
  nestPaginate: [
    ['filter.totl=$gte:5', 'field_unknown totl'],
    ['filter.total=$foo:5', 'operator_unknown $foo'],
    ['filter.tags=$any:$eq:a', 'operator_unknown $any'],
    ['filter.tags=$none:$eq:a', 'operator_unknown $none'],
    ['filter.note=$null:1', 'operand_invalid 1'],
    ['filter.note=$contains:a', 'operator_not_applicable $contains'],
    ['filter.status=$in:paid,', 'operand_empty '],
    ['filter=(total=$gt:5)', 'field_unknown filter'],
    ['searchBy=note', 'field_unknown searchBy'],
    ['withDeleted=true', 'field_unknown withDeleted'],
    ['limit=-1', 'parameter_invalid -1'],
    ['sortBy=total:UP', 'operand_invalid UP'],
    ['page=2&cursor=x', 'parameter_invalid x | parameter_invalid x'],
  ],
}

/** The rows of a table of the guide. */
const tableOf = (name: string): readonly (readonly [text: string, meaning: string])[] => {
  const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/notations.md'), 'utf8')
  const [, table = ''] = new RegExp(`<!-- table: ${name} -->\\n\\n(?:.*\\n){2}((?:\\|.*\\n)*)`).exec(guide) ?? []
  return Array.from(
    table.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\|$/gm),
    ([, text, meaning]) => [text!, meaning!] as const,
  )
}

describe.each(Object.entries(notations))('%s', (name, notation) => {
  const decoded = (text: string) => decodeURIComponent(text)
  test.each(conditions[name]!)('%s means %s', (text, meaning) => {
    expect(decoded(meaningOf(notation, text))).toBe(meaning)
  })
  test.each(refused[name]!)('%s is refused: %s', (text, issues) => {
    expect(meaningOf(notation, text)).toBe(issues)
  })
  test('the table of the guide has a row for each operator', () => {
    const table = tableOf(name)
    expect(table.length).toBeGreaterThan(8)
    for (const [text, meaning] of table)
      expect(decoded(meaningOf(notation, text)).replace(/^limit=40&/, ''), text).toBe(meaning)
  })
  test('an empty text selects everything that the caller may see', () => {
    expect(meaningOf(notation, '')).toBe('')
  })
})
