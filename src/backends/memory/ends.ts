/**
 * The two ends of a page by all sort keys, as generated code: one function for each order, which the engine optimises on its
 * own. A row that ties in the first key is decided without a comparison of its own: docs/internals/performance.md, "Pages in
 * memory", has the figures.
 *
 * Nothing of a query is in the generated text: names and values are given to it.
 */
import type { LiteralType, Path } from '../../ast/index.ts'
import { boundedCache } from '../../cache.ts'
import { makerFrom } from './codegen.ts'
import type { Ordered } from './ordered.ts'
import { hasPrototypes, isInherited, plain, type Predicate } from './rows.ts'
import { beside, isInUnits, never } from './window.ts'

/** A sort key, as rows are read. */
export interface ReadKey {
  readonly path: Path
  readonly type: LiteralType
  readonly isAscending: boolean
}
/** The part of an order between two rows. It holds all rows until something is cut off. */
export interface Ends {
  /** Whether a row is outside for certain. Others are compared key by key. */
  readonly isOutside: Predicate
  /** Cuts off a row with these values, and what is read before it. */
  readonly begin: (values: readonly Ordered[]) => void
  /** Cuts off a row with these values, and what is read after it. */
  readonly end: (values: readonly Ordered[]) => void
}

/**
 * How the generated text asks a value `v` at an end. `x` and `t` are variables of that end: what is beyond `x` is outside, and
 * the next key decides where `v` is at `t`. A row without a value is at no `t`.
 */
interface Form {
  /** What `v` is; others are not outside for certain. */
  readonly is: string
  readonly isBeyond: (x: string, isBelow: boolean) => string
  readonly isAt: (t: string) => string
  /** Sets `x` and `t` to a value. */
  readonly cut: (x: string, t: string, value: string, isBelow: boolean) => string
  readonly first: (isBelow: boolean) => readonly [x: string, t: string]
}
const sign = (isBelow: boolean) => (isBelow ? '<' : '>')
const numeric = (type: 'number' | 'boolean'): Form => ({
  is: `typeof v === '${type}'`,
  isBeyond: (x, isBelow) => `v ${sign(isBelow)} ${x}`,
  isAt: (t) => `v === ${t}`,
  cut: (x, t, value) => `${x} = ${value} === undefined ? -Infinity : +${value}; ${t} = ${value}`,
  first: (isBelow) => [isBelow ? '-Infinity' : 'Infinity', 'undefined'],
})
const text: Form = {
  is: "typeof v === 'string'",
  isBeyond: (x, isBelow) => `${x} !== undefined && v ${sign(isBelow)} ${x}`,
  isAt: (t) => `v === ${t}`,
  cut: (x, t, value) => `${x} = inUnits(${value}); ${t} = ${value}`,
  first: () => ['undefined', 'undefined'],
}
const time = (type: 'date' | 'datetime'): Form => ({
  is: 'true',
  isBeyond: (x) => `${x}(v)`,
  isAt: (t) => `${t}(v)`,
  cut: (x, t, value, isBelow) =>
    `${x} = beside('${isBelow ? 'lt' : 'gt'}', '${type}', ${value}); ${t} = beside('eq', '${type}', ${value})`,
  first: () => ['never', 'never'],
})
const forms: { readonly [T in LiteralType]: Form } = {
  string: text,
  integer: numeric('number'),
  number: numeric('number'),
  boolean: numeric('boolean'),
  date: time('date'),
  datetime: time('datetime'),
}
/** What texts are compared with; `undefined` where that is not the order of code points. No value comes before all texts. */
const inUnits = (value = ''): string | undefined => (isInUnits(value) ? value : undefined)

const sides = ['begin', 'end'] as const
type Side = (typeof sides)[number]

function textOf(keys: readonly ReadKey[]): string {
  let names = 0
  const lines: string[] = []
  const isBelow = (at: number, side: Side) => keys[at]!.isAscending === (side === 'begin')
  const asked = (at: number, side: Side): readonly [isBeyond: string, isAt: string] => {
    const { isBeyond, isAt } = forms[keys[at]!.type]
    const next = at + 1 < keys.length ? `${side}${at + 1}(row)` : 'true'
    return [`(${isBeyond(`${side}X${at}`, isBelow(at, side))})`, `(${isAt(`${side}T${at}`)} && ${next})`]
  }
  const functionOf = (at: number, of: readonly Side[]): string => {
    const { path, type } = keys[at]!
    const reads = path.map((_, level) => {
      lines.push(`const n${names} = names[${at}][${level}]`)
      return `if (v == null || v.__proto__ !== plain) return false; v = v[n${names++}]`
    })
    const tests = of.map((side) => asked(at, side))
    const all = [...tests.map(([isBeyond]) => isBeyond), ...tests.map(([, isAt]) => isAt)].join(' || ')
    return `(row) => { let v = row; ${reads.join('; ')}; return ${forms[type].is} && (${all}) }`
  }
  // Where the keys before it are equal to those of an end.
  const functions = sides.flatMap((side) =>
    keys.slice(1).map((_, at) => `const ${side}${at + 1} = ${functionOf(at + 1, [side])}`),
  )
  const variables = sides.flatMap((side) =>
    keys.map(({ type }, at) => {
      const [x, t] = forms[type].first(isBelow(at, side))
      return `let ${side}X${at} = ${x}, ${side}T${at} = ${t}`
    }),
  )
  const cutters = sides.map((side) => {
    const cuts = keys.map(({ type }, at) =>
      forms[type].cut(`${side}X${at}`, `${side}T${at}`, `values[${at}]`, isBelow(at, side)),
    )
    return `${side}: (values) => { ${cuts.join('; ')} }`
  })
  const isOutside = functionOf(0, ['end', 'begin'])
  return [
    ...lines,
    'return () => {',
    ...variables,
    ...functions,
    `return { isOutside: ${isOutside}, ${cutters.join()} }`,
    '}',
  ].join('\n')
}

type Maker = () => Ends
const makers = boundedCache<string, Maker>(256)

/** The ends for one reading of rows; `undefined` where no code can be generated, or every object has one of the names. */
export function endsOf(keys: readonly ReadKey[]): Ends | undefined {
  if (!hasPrototypes || keys.some(({ path }) => path.some(isInherited))) return undefined
  // Names have no `.` and no `]`.
  const shape = keys.map(({ path, type, isAscending }) => `${path.join('.')}]${type}${isAscending}]`).join('')
  let make = makers.get(shape)
  if (make === undefined) {
    const names = keys.map(({ path }) => path)
    make = makerFrom<Maker>({ names, plain, beside, inUnits, never }, textOf(keys))
    if (make === undefined) return undefined
    makers.set(shape, make)
  }
  return make()
}
