/**
 * Compares `fromRefine` with an evaluator of `CrudFilters`. Refine evaluates no filters. Source of the evaluator:
 * https://refine.dev/docs/core/interface-references/#crudfilters. Refine's code writes and reads the filters in the address of a page.
 */
import { describe, test } from 'vitest'
import { fromRefine } from '../../src/clients/grids/index.ts'
import { collection, comparisonOf, packageOf, rowsOf, states, values, type Random, type Row } from './compare.ts'

const { isInstalled } = packageOf('Refine', '@refinedev/core')

type State = Parameters<typeof fromRefine>[1]
interface Filter {
  readonly field?: string
  readonly key?: string
  readonly operator: string
  readonly value: unknown
}

const folded = (value: unknown): string => String(value).toLowerCase()
/** The meaning of each operator for a row with a value. `n` before a name means the complement, which includes rows without a value. */
const laws: Readonly<Record<string, (value: any, operand: any) => boolean>> = {
  eq: (value, operand) => value === operand,
  lt: (value, operand) => value < operand,
  lte: (value, operand) => value <= operand,
  gt: (value, operand) => value > operand,
  gte: (value, operand) => value >= operand,
  in: (value, operand: unknown[]) => operand.includes(value),
  ina: (value: unknown[], operand: unknown[]) => operand.every((one) => value.includes(one)),
  contains: (value, operand) => folded(value).includes(folded(operand)),
  startswith: (value, operand) => folded(value).startsWith(folded(operand)),
  endswith: (value, operand) => folded(value).endsWith(folded(operand)),
  containss: (value: string, operand: string) => value.includes(operand),
  startswiths: (value: string, operand: string) => value.startsWith(operand),
  endswiths: (value: string, operand: string) => value.endsWith(operand),
  between: (value, [from, to]) => value >= from && value <= to,
}
const complements: Readonly<Record<string, string>> = {
  ne: 'eq',
  nes: 'eq',
  null: 'nnull',
  ...Object.fromEntries(Object.keys(laws).flatMap((name) => (/^(?:eq|lt|gt)/.test(name) ? [] : [[`n${name}`, name]]))),
}
function passes(row: Row, { field, operator, value }: Filter): boolean {
  if (operator === 'or') return (value as Filter[]).some((filter) => passes(row, filter))
  if (operator === 'and') return (value as Filter[]).every((filter) => passes(row, filter))
  const positive = complements[operator]
  if (positive !== undefined) return !passes(row, { field: field!, operator: positive, value })
  const found = field!.split('.').reduce<any>((part, name) => part?.[name], row) as unknown
  if (found === undefined || found === null) return false
  if (operator === 'nnull') return true
  const law = laws[operator === 'eqs' ? 'eq' : operator]!
  // A list passes with one matching entry.
  return operator === 'ina' ? law(found, value) : [found].flat().some((one) => law(one, value))
}

const equal = ['eq', 'eqs', 'ne', 'nes', 'in', 'nin', 'null', 'nnull']
const compared = [...equal, 'lt', 'lte', 'gt', 'gte', 'between', 'nbetween']
const text = ['contains', 'startswith', 'endswith', 'containss', 'startswiths', 'endswiths']
const texts = [[...equal, ...text, ...text.map((name) => `n${name}`)], values.name] as const
const integers = [compared, values.integer] as const
const numbers = [compared, values.number] as const
/** The operators and operands of each field. */
const kinds: Readonly<Record<string, readonly [readonly string[], readonly unknown[]]>> = {
  ...{ name: texts, title: texts, 'customer.city': texts },
  status: [equal, values.status],
  code: [equal, values.code],
  ...{ guests: integers, rank: integers, serial: integers, id: integers, total: numbers, price: numbers },
  gift: [
    ['eq', 'ne', 'null', 'nnull'],
    [true, false],
  ],
  arrival: [compared, values.date],
  paidAt: [compared, values.datetime],
  tags: [['in', 'nin', 'ina', 'nina'], values.tags],
  sizes: [['in', 'nin', 'ina', 'nina'], values.integer],
}
const fields = Object.keys(kinds)

function filterOf(random: Random, depth: number): Filter {
  const { pick, chance, some } = random
  if (depth < 3 && chance(0.25)) {
    const operator = pick(['or', 'and'])
    const value = Array.from({ length: chance(0.03) ? 0 : pick([1, 2, 2, 3]) }, () => filterOf(random, depth + 1))
    return { ...(chance(0.3) && { key: 'k' }), operator, value }
  }
  const field = pick(fields)
  const [operators, operands] = kinds[field]!
  const operator = chance(0.02) ? pick(['like', 'ina', 'lt', 'contains']) : pick(operators)
  const value = chance(0.03)
    ? pick<unknown>([undefined, null, '', [], 'x', {}, NaN])
    : operator.endsWith('null')
      ? true
      : /between$/.test(operator)
        ? [pick(operands), pick(operands)]
        : /^n?ina?$/.test(operator)
          ? [pick(operands), ...some(operands, 2)]
          : pick(operands)
  return { field, operator, value }
}

describe.skipIf(!isInstalled)('random states', () => {
  test('select the rows of the evaluator, also from the address of a page', async () => {
    const name: string = '@refinedev/core'
    const { stringifyTableParams, parseTableParams } = (await import(name)) as {
      stringifyTableParams: (state: object) => string
      parseTableParams: (address: string) => {
        readonly parsedFilters: Filter[]
        readonly parsedSorter: NonNullable<State['sorters']>
        readonly parsedCurrentPage: number
        readonly parsedPageSize: number
      }
    }
    const { random, compare, report } = comparisonOf('Refine', 5)
    const { pick, chance, below } = random
    for (let at = 0; at < states; at++) {
      const rows = rowsOf(random, 20)
      const filters = Array.from({ length: pick([0, 1, 1, 1, 2, 3]) }, () => filterOf(random, 0))
      const sorters = chance(0.5)
        ? [{ field: pick(['rank', 'guests', 'total', 'arrival', 'id']), order: pick(['asc', 'desc'] as const) }]
        : []
      const pagination = { currentPage: 1 + below(3), pageSize: 1 + below(50) }
      let state: State = { filters, sorters, pagination }
      // Refine leaves the escapes in the address to the router.
      if (chance(0.5) && /^[\w\s"[\]{}:,.-]*$/.test(JSON.stringify(filters))) {
        const address = stringifyTableParams({ filters, sorters, pagination })
        const parsed = parseTableParams(`?${address}`)
        state = {
          filters: parsed.parsedFilters,
          sorters: parsed.parsedSorter,
          pagination: { currentPage: parsed.parsedCurrentPage, pageSize: parsed.parsedPageSize },
        }
      }
      const theirs = () => rows.filter((row) => filters.every((filter) => passes(row, filter))).map(({ id }) => id)
      compare(
        fromRefine(collection, state),
        state,
        rows,
        () => {
          const ids = theirs()
          for (const { field, order } of sorters) {
            const of = (id: number) => rows[id]![field] as string | number | null | undefined
            const rank = (a: number, b: number) =>
              (of(a) ?? null) === null
                ? (of(b) ?? null) === null
                  ? 0
                  : -1
                : (of(b) ?? null) === null || of(a)! > of(b)!
                  ? 1
                  : of(a)! < of(b)!
                    ? -1
                    : 0
            ids.sort((a, b) => (order === 'desc' ? rank(b, a) : rank(a, b)))
          }
          return ids
        },
        (row) => String(sorters.map(({ field }) => row[field] ?? null)),
      )
    }
    report()
  }, 3_600_000)
})
