/** Makes example queries from the fields and the values of a list. */
import { queryString, type Collection } from '../../src/index.ts'
import type { ResolvedField } from '../../src/tree.ts'
import { operatorsOf } from './completion.ts'
import { nameIn } from './pairs.ts'
import type { Example, Row } from './subject.ts'

/** The values of a path in rows, also in entries of lists, without null. */
function valuesAt(rows: readonly unknown[], name: string): readonly unknown[] {
  return name
    .split('.')
    .reduce<readonly unknown[]>((all, part) => all.flatMap((one) => (one as Row | undefined)?.[part] ?? []), rows)
}

const isShort = (value: unknown): value is string | boolean =>
  typeof value === 'boolean' || (typeof value === 'string' && value.length > 0 && value.length <= 24)
const middle = <T>(values: readonly T[]): T | undefined => values.toSorted()[values.length >> 1]

/** Makes example queries from the values of the fields. The last query contains an unknown field name. */
export function examplesOf(collection: Collection, rows: readonly Row[]): readonly Example[] {
  const keys = collection.key.map(({ name }) => name)
  const fields = Array.from(collection.visible.paths.values())
  const inRow = fields.filter(({ name, lists }) => lists.length === 0 && !keys.includes(name))
  const takes = (field: ResolvedField, name: string) => operatorsOf(collection, field).some((one) => one.name === name)
  const write = (name: string, operator: string, value: unknown) =>
    queryString({ filter: { [`${name}[${operator}]`]: value } as never }).replace('[equals]', '')
  const parameter = (name: 'facets' | 'sort' | 'limit', value: string) =>
    `${nameIn(collection, name)}=${encodeURIComponent(value).replaceAll('%2C', ',')}`

  const facet = collection.facets.keys().next().value
  const equal = [...inRow].sort((a, b) => Number(b.name === facet) - Number(a.name === facet))
  const equality = equal.flatMap((field): Example[] => {
    if (!/^(?:string|enumeration|boolean)$/.test(field.type) || !takes(field, 'equals')) return []
    const value = valuesAt(rows, field.name).find(isShort)
    return value === undefined ? [] : [[`${field.name} is ${value}`, write(field.name, 'equals', value)]]
  })
  const range = inRow.flatMap((field): Example[] => {
    if (!/^(?:integer|bigint|number|decimal|date|datetime)$/.test(field.type) || !takes(field, 'gte')) return []
    const isMoment = field.type === 'datetime'
    const value = middle(valuesAt(rows, field.name) as readonly (string | number)[])
    if (value === undefined || /id$/i.test(field.name)) return []
    const least = isMoment ? String(value).slice(0, 10) : value
    return [[`${field.name} from ${least}`, write(field.name, 'gte', least)]]
  })
  const inLists = fields.flatMap((field): Example[] => {
    if (field.lists.length === 0 || field.type !== 'string' || !takes(field, 'contains')) return []
    const word = wordIn(valuesAt(rows, field.name))
    return word === undefined ? [] : [[`${field.name} with ${word}`, write(field.name, 'contains', word)]]
  })
  const order = [...collection.sortable.keys()].find((name) => !keys.includes(name)) ?? keys[0]!
  const word = wordIn(collection.search.flatMap(({ name }) => valuesAt(rows, name)))
  const [first] = equality[0] ?? range[0] ?? [undefined]
  return [
    ...equality.slice(0, 1),
    ...range.slice(0, 1),
    ...inLists.slice(0, 1),
    ...(word === undefined ? [] : [[`Search for ${word}`, `${nameIn(collection, 'search')}=${word}`] as const]),
    [`${order}, descending`, `${parameter('sort', `-${order}`)}&${parameter('limit', '5')}`],
    ...(facet === undefined ? [] : [[`Values of ${facet}`, parameter('facets', facet)] as const]),
    ...(first === undefined ? [] : [faultOf(collection, inRow)]),
  ]
}

/** A word that a search finds. */
function wordIn(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const [word] = (typeof value === 'string' ? /\p{L}{4,12}/u.exec(value) : null) ?? []
    if (word !== undefined) return word.toLowerCase()
  }
  return undefined
}

/** A condition on the longest name, without its second letter. */
function faultOf({ visible }: Collection, fields: readonly ResolvedField[]): Example {
  const names = fields.map(({ name }) => name).filter((name) => !name.includes('.'))
  const longest = names.toSorted((a, b) => b.length - a.length)[0] ?? ''
  const misspelled = longest[0] + longest.slice(2)
  return ['A fault', `${visible.paths.has(misspelled) ? `${misspelled}x` : misspelled}=1`]
}
