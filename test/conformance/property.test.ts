/** The laws of the language, on random schemas, rows, queries and texts. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import {
  and,
  not,
  or,
  parseFilter,
  parseFilterOrThrow,
  printFilter,
  type Filter,
  type Schema,
} from '../../src/index.ts'
import { map, operators, sameFilter } from '../../src/tree.ts'
import { queryOf, someConditions, someRow, someSchema, type Said } from '../../src/testing/arbitraries.ts'
import { byEffort } from '../effort.ts'
import { orders } from '../orders.ts'

/**
 * All kinds of predicate, which must say the same: the usual one is another the second time. Generated code is another after
 * a hundred rows if it has a text that no predicate has had before, so it comes first, and meets some rows in each way.
 */
const compile = (filter: Filter) => {
  const generated = memoryBackend({ codegen: true }).compile(filter)
  for (let row = 0; row < 97; row++) generated(undefined)
  const matches = memoryBackend({ codegen: false }).compile(filter)
  const others = [generated, ...[{}, {}].map((options) => memoryBackend(options).compile(filter))]
  return (row: unknown): boolean => {
    if (others.some((other) => other(row) !== matches(row)))
      throw new Error(`generated code differs: ${JSON.stringify({ filter, row })}`)
    return matches(row)
  }
}
/** What a filter says of each row. */
const answers = (filter: Filter, rows: readonly unknown[]) => rows.map(compile(filter))
const parse = (schema: Schema, conditions: readonly Said[]) =>
  parseFilterOrThrow(schema, queryOf(conditions), { limits: { list: 10, operand: 100 } })

/** A schema, rows of it, and conditions over it. */
const situation = someSchema.chain((schema) =>
  fc.record({
    schema: fc.constant(schema),
    rows: fc.array(someRow(schema), { minLength: 1, maxLength: 6 }),
    conditions: someConditions(schema),
  }),
)
const holds = (
  law: (situation: { schema: Schema; rows: readonly unknown[]; conditions: Said[] }) => void,
  numRuns = byEffort(2_000, 50),
) => fc.assert(fc.property(situation, law), { numRuns })

describe('trees', () => {
  test('what is printed is read as the same tree, and printed the same', () => {
    holds(
      ({ schema, conditions }) => {
        const filter = parse(schema, conditions)
        const printed = printFilter(schema, filter)
        expect(sameFilter(parseFilterOrThrow(schema, printed), filter), printed).toBe(true)
        expect(printFilter(schema, parseFilterOrThrow(schema, printed))).toBe(printed)
      },
      byEffort(5_000, 50),
    )
  })

  test('raw and percent-encoded text give the same tree', () => {
    holds(({ schema, conditions }) => {
      const raw = conditions
        .map(
          ({ field, operator, value }) =>
            `${field.name}[${operator.name}]=${value.replace(/[%+&\0]/g, encodeURIComponent)}`,
        )
        .join('&')
      expect(sameFilter(parseFilterOrThrow(schema, raw), parse(schema, conditions)), raw).toBe(true)
    })
  })

  test('JSON and a rebuilt tree select the same', () => {
    holds(({ schema, rows, conditions }) => {
      const filter = parse(schema, conditions)
      const expected = answers(filter, rows)
      expect(answers(JSON.parse(JSON.stringify(filter)) as Filter, rows)).toEqual(expected)
      expect(
        answers(
          map(filter, (node) => node),
          rows,
        ),
      ).toEqual(expected)
    })
  })
})

test('the situations are worth something: conditions hold for some rows and fail for others', () => {
  const seen = { held: 0, failed: 0 }
  holds(({ schema, rows, conditions }) => {
    for (const said of conditions) for (const is of answers(parse(schema, [said]), rows)) seen[is ? 'held' : 'failed']++
  }, 1_000)
  expect(Math.min(seen.held, seen.failed) / (seen.held + seen.failed)).toBeGreaterThan(0.2)
})

describe('rows', () => {
  /** One condition by itself. */
  const alone = (schema: Schema, said: Said, operator: string, value = said.value) =>
    parseFilterOrThrow(schema, queryOf([{ ...said, operator: operators[operator as keyof typeof operators], value }]))

  test('complements select exactly what their twins do not', () => {
    const twins: Readonly<Record<string, string>> = { equals: 'notEqual', in: 'nin', contains: 'doesNotContain' }
    holds(({ schema, rows, conditions }) => {
      for (const said of conditions) {
        const twin = twins[said.operator.name]
        if (twin !== undefined) {
          expect(answers(alone(schema, said, twin), rows)).toEqual(
            answers(alone(schema, said, said.operator.name), rows).map((is) => !is),
          )
        }
        if (said.operator.name === 'exists') {
          expect(answers(alone(schema, said, 'exists', 'false'), rows)).toEqual(
            answers(alone(schema, said, 'exists', 'true'), rows).map((is) => !is),
          )
        }
      }
    })
  })

  test('not, not not, De Morgan', () => {
    holds(({ schema, rows, conditions }) => {
      const [a = and(), b = or()] = conditions.map((said) => parse(schema, [said]))
      const is = answers(a, rows)
      expect(answers(not(a), rows)).toEqual(is.map((one) => !one))
      expect(answers(not(not(a)), rows)).toEqual(is)
      expect(answers(not(and(a, b)), rows)).toEqual(answers(or(not(a), not(b)), rows))
      expect(answers(not(or(a, b)), rows)).toEqual(answers(and(not(a), not(b)), rows))
    })
  })

  test('a range is its two bounds; in is one of its operands', () => {
    holds(({ schema, rows, conditions }) => {
      for (const said of conditions) {
        const items = said.value.split(',')
        if (said.value.includes('"')) continue
        if (said.operator.name === 'range') {
          const [low, high] = items as [string, string]
          const bounds = [
            { ...said, operator: operators.gte, value: low },
            { ...said, operator: operators.lte, value: high },
          ]
          expect(answers(parse(schema, bounds), rows)).toEqual(answers(parse(schema, [said]), rows))
        }
        if (said.operator.name === 'in') {
          const each = items.map((item) => alone(schema, said, 'equals', item))
          expect(answers(or(...each), rows)).toEqual(answers(parse(schema, [said]), rows))
        }
      }
    })
  })

  test('the order of pairs does not matter', () => {
    holds(({ schema, rows, conditions }) => {
      expect(answers(parse(schema, conditions.toReversed()), rows)).toEqual(answers(parse(schema, conditions), rows))
    })
  })

  test('conditions outside of lists, and complements, hold each on its own', () => {
    holds(({ schema, rows, conditions }) => {
      const single = conditions.filter(
        ({ field, operator, value }) =>
          field.lists.length === 0 || operator.complement || (value === 'false' && operator.name === 'exists'),
      )
      const each = single.map((said) => answers(parse(schema, [said]), rows))
      expect(answers(parse(schema, single), rows)).toEqual(rows.map((_, at) => each.every((is) => is[at])))
    })
  })

  test('more conditions never select more', () => {
    holds(({ schema, rows, conditions }) => {
      const all = answers(parse(schema, conditions), rows)
      const fewer = answers(parse(schema, conditions.slice(1)), rows)
      expect(all.every((is, at) => !is || fewer[at])).toBe(true)
    })
  })

  test('a restriction bounds whatever is asked for', () => {
    holds(({ schema, rows, conditions: [first, ...others] }) => {
      const restriction = first === undefined ? or() : parse(schema, [first])
      const visible = answers(restriction, rows)
      const filters = [parse(schema, others), not(parse(schema, others)), or(parse(schema, others), and())]
      for (const filter of filters) {
        const seen = answers(and(restriction, filter), rows)
        expect(seen.every((is, at) => !is || visible[at])).toBe(true)
      }
    })
  })
})

describe('texts', () => {
  const alphabet = [
    'seller',
    'items.arrival',
    'total',
    'paidAt',
    'status',
    'gift',
    'tags',
    'apiKey',
    'nope',
    '[',
    ']',
    '.',
    '=',
    '&',
    '?',
    ',',
    '"',
    '\\',
    '+',
    '%',
    '%5B',
    '%5d',
    '%2E',
    '%2C',
    '%22',
    '%00',
    '%ff',
    '%C3%A9',
    '%E0%A4',
    '%25',
    'gte',
    'lte',
    'range',
    'in',
    'nin',
    'exists',
    'contains',
    '2024-01-01',
    '2024-02-30',
    '1',
    '-0',
    '1e400',
    'true',
    'paid',
    'é',
    '\u{1f600}',
    '\ud800',
    '\udc00',
    '\0',
    '\n',
    '\u202e',
    ' ',
    '__proto__',
    '$where',
    'constructor',
  ]
  const valid = [
    'seller=s-1&items.arrival[gte]=2024-01-01&items.arrival[lte]=2024-01-03',
    'status[in]=paid,"held"&total[range]=1,2&tags[nin]=%22a,b%22',
    'paidAt[in]=2024-01-01,2024-01-01T00:00:00Z&gift[exists]=false&apiKey=k',
  ]
  const mutated = fc
    .tuple(
      fc.constantFrom(...valid),
      fc.array(fc.tuple(fc.nat(120), fc.nat(3), fc.constantFrom(...alphabet)), { maxLength: 6 }),
    )
    .map(([text, changes]) =>
      changes.reduce((changed, [at, removed, put]) => changed.slice(0, at) + put + changed.slice(at + removed), text),
    )
  const text = fc.oneof(
    mutated,
    fc.array(fc.constantFrom(...alphabet), { maxLength: 30 }).map((parts) => parts.join('')),
    fc.string({ unit: 'binary', maxLength: 40 }),
  )

  /** Whatever the text: a result, issues in order inside the text, no operand and no reserved value told. */
  function check(text: string): void {
    const result = parseFilter(orders, text, { reserved: ['apiKey'] })
    if (result.ok) {
      compile(result.filter)({})
      return
    }
    let last = 0
    for (const { span, code, message } of result.issues) {
      if (!(span !== undefined && span.start >= last && span.start <= span.end && span.end <= text.length)) {
        throw new Error(`${code} spans ${JSON.stringify(span)} in ${JSON.stringify(text)}: ${message}`)
      }
      if (code !== 'limit_issues') last = span.start
    }
  }

  test('random and mutated texts: never an exception, every span inside the text', () => {
    fc.assert(fc.property(text, check), { numRuns: byEffort(100_000, 1_000) })
  })

  test('every text of one character', () => {
    for (let unit = 0; unit <= 0xffff; unit++) check(String.fromCharCode(unit))
  })

  test('the prototype of all objects stays as it is', () => {
    const before = Reflect.ownKeys(Object.prototype)
    for (const query of [
      '__proto__[polluted]=1',
      'constructor[prototype][x]=1',
      'a.__proto__.b[equals]=1',
      '__proto__.x=1',
      'a[__proto__]=b&a[__proto__]&a[length]=100000000',
    ]) {
      expect(parseFilter(orders, query).ok).toBe(false)
    }
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
