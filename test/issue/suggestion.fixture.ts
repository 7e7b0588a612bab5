/** What the tests of suggestion and its laws share. */
import { parseQuery, type Issue } from '../../src/index.ts'
import { issuesIn } from '../issues.ts'
import { collection, spellings } from '../hints/spellings.ts'

export const options = { reserved: ['apiKey'], limits: { issues: 1_000 } }
export const issuesOf = (text: string): readonly Issue[] => issuesIn(parseQuery(collection, text, options))

export const key = '01890a5d-ac96-774b-bcce-b302099a8057'
export const edits: readonly (readonly [
  text: string,
  span: readonly [number, number],
  insert: string,
  edited: string,
])[] = [
  ['total=gte:5', [0, 10], 'total[gte]=', 'total[gte]=5'],
  ['total>=5&gift=true', [0, 7], 'total[gte]=', 'total[gte]=5&gift=true'],
  ['gift=true&total>5', [10, 16], 'total[gt]=', 'gift=true&total[gt]=5'],
  ['totl[gte]=5', [0, 4], 'total', 'total[gte]=5'],
  ['total[gtee]=5', [6, 10], 'gte', 'total[gte]=5'],
  ['or=(totl=5,gift=true)', [4, 8], 'total', 'or=(total=5,gift=true)'],
  ['or=(gift=true,total=gte:5)', [14, 24], 'total[gte]=', 'or=(gift=true,total[gte]=5)'],
  ['seller=100%', [10, 11], '%25', 'seller=100%25'],
  ['status[in]=paid,hled', [16, 20], 'held', 'status[in]=paid,held'],
  ['status=paid,new', [0, 7], 'status[in]=', 'status[in]=paid,new'],
  ['total=null', [0, 10], 'total[exists]=false', 'total[exists]=false'],
  ['gift=yes', [0, 8], 'gift=true', 'gift=true'],
  ['paidAt=2024-01-01T00:00:00+02:00', [26, 27], '%2B', 'paidAt=2024-01-01T00:00:00%2B02:00'],
  ['/orders?gift=true', [0, 8], '', 'gift=true'],
  ['https:%2F%2Fx%3Ftotal=5&seller=a?b', [0, 16], '', 'total=5&seller=a?b'],
  ['seller=x&https:%2F%2Fx%3Ftotal=5', [9, 25], '', 'seller=x&total=5'],
  ['total%255Bgte%255D=5', [0, 18], 'total[gte]', 'total[gte]=5'],
  ['sort=-totl', [6, 10], 'total', 'sort=-total'],
  ['status=!paid', [0, 8], 'status[notEqual]=', 'status[notEqual]=paid'],
  ['limit=900', [0, 9], 'limit=100', 'limit=100'],
  ['_limit=5', [0, 7], 'limit=', 'limit=5'],
  ['total=in.5,6', [0, 9], 'total[in]=', 'total[in]=5,6'],
  ['sort=total:desc,id', [0, 18], 'sort=-total,id', 'sort=-total,id'],
  ['seller[in]=a,', [13, 13], '""', 'seller[in]=a,""'],
  [`key=urn:uuid:${key}`, [4, 13], '', `key=${key}`],
  [`key=URN%3AUUID%3A${key.toUpperCase()}`, [4, 17], '', `key=${key.toUpperCase()}`],
  [`key[in]=${key},"urn:uuid:${key}"`, [46, 55], '', `key[in]=${key},"${key}"`],
  [`or=(key[in]=(urn:uuid:${key}),gift=true)`, [13, 22], '', `or=(key[in]=(${key}),gift=true)`],
  [`key=gte.${key}`, [0, 8], 'key[gte]=', `key[gte]=${key}`],
  [`key=${key},${key}`, [0, 4], 'key[in]=', `key[in]=${key},${key}`],
  ['serial=9007199254740993,5', [0, 7], 'serial[in]=', 'serial[in]=9007199254740993,5'],
  ['money=lte:1.10', [0, 10], 'money[lte]=', 'money[lte]=1.10'],
]

export const spelled = Object.values(spellings).flatMap((pairs) => pairs.map(([there]) => there))
