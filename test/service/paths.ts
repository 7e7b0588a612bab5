/** Paths of lists of the demo: every operator on every field that has it, and conditions together. */
import { experiences, orders } from '../../docs/demo/data.ts'
import type { FieldType, Schema } from '../../src/index.ts'
import { accepts, operatorNamed, type OperatorRow } from '../../src/language/operators.ts'

/** Operands of each type, some of which the data has: two in order, then another. */
const operandsOf: Readonly<Record<Exclude<FieldType, 'list' | 'object' | 'record' | 'json'>, readonly string[]>> = {
  string: ['J%C3%B6rg Wei%C3%9F', 's-south', 'Surf%20lesson'],
  enumeration: ['held', 'paid', 'new'],
  uuid: ['00000000-0000-4000-8000-000000000001'],
  bigint: ['3'],
  decimal: ['99.5'],
  integer: ['3', '1200', '7'],
  number: ['99.5', '450.25', '0'],
  boolean: ['true'],
  date: ['2024-02-29', '2024-06-30', '2024-12-25'],
  datetime: ['2024-02-29T12:00:00.000Z', '2024-06-30T23:59:59%2B02:00', '2024-12-25'],
  time: ['09:30', '17:45:00', '23:59:59.5'],
}
const textOperands = ['j%C3%B6', '%CF%82', '_', 'SURF']

/** Enough rows to find differences between stores. */
export const some = 'id[lte]=600'
/** Every operator on every field that has it. */
const each = (name: string, schema: Schema): string[] =>
  Array.from(schema.paths).flatMap(([path, field]) => {
    const { type } = field
    const conditionsOf = ({ name: operator, operands, operandKind: reads }: OperatorRow): string[] => {
      const put = (operand: string) => `/api/${name}?${path}[${operator}]=${operand}${path === 'id' ? '' : `&${some}`}`
      if (reads === 'flag') return ['true', 'false'].map(put)
      if (reads === 'text') return textOperands.map(put)
      if (reads === 'count') return ['0', '2'].map(put)
      const values = operandsOf[type as keyof typeof operandsOf]
      if (operands === 'one') return values.map(put)
      return [put((operands === 'two' ? values.slice(0, 2) : values).join(','))]
    }
    return [...operatorNamed.values()].filter((operator) => accepts(field, operator)).flatMap(conditionsOf)
  })

const together = [
  '',
  'items.arrival[range]=2024-06-01,2024-06-03',
  'items.arrival[gte]=2024-06-01&items.arrival[lte]=2024-06-03&items.price[lt]=100',
  'items.product[contains]=surf&items.product[notEqual]=Surf lesson'.replaceAll(' ', '%20'),
  'status[in]=paid,held&total[gte]=500&gift=true&customer.email[exists]=true',
  'customerName[startsWith]=j&tags[nin]=sea,vip&customer[exists]=false',
  'tags=sea&tags[doesNotContain]=win&items[exists]=true',
  'customerName[contains]=%22',
  'customerName[contains]=0%25',
  'customer.name[contains]=%F0%9F%8F%84',
  'customerName[startsWith]=I&customerName[endsWith]=Z',
  'customerName[contains]=%D0%98%D0%92',
  'customerName[endsWith]=%5D&customer.name[contains]=e_s',
  'seller[notEqual]=s-north&paidAt[range]=2024-03-01,2024-03-02',
  'total[lt]=0&id[in]=1,2,3',
  'or=(gift=true,and(status=paid,total[gte]=800),not(customer[exists]=true))',
  'and=(items(product[contains]=surf),items(product[contains]=kayak,price[lt]=200))',
  'search=smith+surf&tags[all]=sea,vip&facets=status,tags',
  'and=(items.every(price[lt]=200),items.none(product[contains]=kayak))&items[atLeast]=1',
  'paidAt[gte]=2024-06-01&timeZone=Asia/Tokyo&facets=seller,gift',
  'not=(tags=sea,status=paid)&or=(seller=s-north,tags([startsWith]=s,[notEqual]=sea))',
].map((query) => `/api/orders?${query}`)

export const paths: readonly string[] = [
  ...together,
  `/api/orders?${some}`,
  `/api/experiences?${some}`,
  ...each('orders', orders),
  ...each('experiences', experiences),
]
