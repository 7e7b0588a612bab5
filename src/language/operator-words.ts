/** The texts of operators for documentation and hints. A front-end that only writes queries loads the rows without them. */
import { operatorNamed, type Operator, type OperatorName } from './operators.ts'

/** The texts of one operator. */
export interface OperatorWords {
  /** The rows that it selects, in one line. */
  readonly doc: string
  /** Its names in other languages, in lower case and without `-`, `_` and `$`. */
  readonly aliases: readonly string[]
  /** Its names in other languages for the entries of a list: `tags[has]=vip`. */
  readonly ofEntries?: readonly string[]
  /** Names in other languages that mean it with the opposite operand: `isNull=true` is `exists=false`. */
  readonly opposites?: readonly string[]
  /** Names in other languages for its complement, where no prefix such as `not` makes them. */
  readonly negations?: readonly string[]
  /** Names in other languages for the exact number of entries. A hint writes this operator and `exactly` with the same operand. */
  readonly counts?: { readonly names: readonly string[]; readonly exactly: OperatorName }
  /** The character that means it before a `=` in other languages, as in `price>=5`. */
  readonly sign?: string
  /** The operator for the operands of several conditions with this one, which a path has once. */
  readonly several?: OperatorName
}

/** One entry for each row of the table of operators. */
export const operatorWords: Readonly<Record<OperatorName, OperatorWords>> = {
  equals: {
    doc: 'fields equal to the value; the default',
    aliases: ['eq', 'is', 'equal', 'exact', '=', '=='],
    ofEntries: ['has', 'hasitem', 'hasmember'],
    several: 'in',
  },
  notEqual: {
    doc: 'the opposite of equals: other values, and no value',
    aliases: ['ne', 'neq', 'not', 'isnot', 'notequals', 'noteq', '<>'],
    sign: '!',
    several: 'nin',
  },
  gt: {
    doc: 'fields after the value',
    aliases: ['>', 'greaterthan', 'greater', 'morethan', 'more', 'after', 'above', 'over'],
  },
  gte: {
    doc: 'fields after or equal to the value',
    aliases: ['ge', 'min', 'minimum', 'from', 'since', 'greaterthanorequal', 'greaterthanorequalto'],
    sign: '>',
    several: 'range',
  },
  lt: { doc: 'fields before the value', aliases: ['<', 'lessthan', 'less', 'fewer', 'before', 'below', 'under'] },
  lte: {
    doc: 'fields before or equal to the value',
    aliases: ['le', 'max', 'maximum', 'to', 'until', 'till', 'upto', 'lessthanorequal', 'lessthanorequalto'],
    sign: '<',
    several: 'range',
  },
  range: {
    doc: 'fields from the first value to the second, both included',
    aliases: ['between', 'btw'],
  },
  in: {
    doc: 'fields equal to one of the values',
    aliases: ['oneof', 'isin', 'anyof', 'any', 'hasany', 'hassome', 'overlaps'],
    several: 'in',
  },
  nin: {
    doc: 'the opposite of in: fields equal to none of the values, and no value',
    aliases: ['notin', 'noneof', 'none', 'out', 'exclude', 'excludes', 'excluding', 'except', 'without'],
    several: 'nin',
  },
  startsWith: {
    doc: 'text that begins with the value, case ignored',
    aliases: ['prefix', 'sw', 'starts', 'istartswith', 'startswithi', 'beginswith', '^'],
    sign: '^',
  },
  endsWith: {
    doc: 'text that ends with the value, case ignored',
    aliases: ['suffix', 'ew', 'ends', 'iendswith', 'endswithi'],
    sign: '$',
  },
  contains: {
    doc: 'text with the value in it, case ignored',
    aliases: ['like', 'ilike', 'includes', 'regex', '~', 'icontains', 'containsi', 'cont', 'contain', 'search', '*='],
    sign: '~',
  },
  doesNotContain: {
    doc: 'the opposite of contains: text without the value in it, and no value',
    aliases: ['notlike', 'nlike', 'notcontains', 'notilike', 'unlike', 'excl', '!~'],
  },
  equalsIgnoreCase: {
    doc: 'text equal to the value, case ignored',
    aliases: ['iexact', 'eqi', 'ieq', 'iequals'],
    negations: ['nei', 'nieq'],
  },
  startsWithExact: { doc: 'text that begins with the value, case counts', aliases: ['startswithcs'] },
  endsWithExact: { doc: 'text that ends with the value, case counts', aliases: ['endswithcs'] },
  containsExact: { doc: 'text with the value in it, case counts', aliases: ['containscs'] },
  exists: {
    doc: 'true: fields that have a value; false: fields that have none',
    aliases: ['notnull', 'isnotnull', 'notisnull', 'present', 'exist'],
    opposites: ['null', 'isnull', 'isempty', 'missing', 'notexists'],
  },
  all: {
    doc: 'lists with an entry equal to each of the values',
    aliases: ['containsall', 'hasevery', 'allof', 'hasall', 'everyof', '@>', 'cs'],
    several: 'all',
  },
  atLeast: {
    doc: 'lists with at least so many entries that have a value',
    aliases: ['minsize', 'mincount', 'minlength', 'minitems', 'sizegte', 'lengthgte', 'countgte'],
    counts: { names: ['size', 'length', 'count'], exactly: 'atMost' },
  },
  atMost: {
    doc: 'lists with at most so many entries that have a value, and missing lists',
    aliases: ['maxsize', 'maxcount', 'maxlength', 'maxitems', 'sizelte', 'lengthlte', 'countlte'],
  },
}

/**
 * Every operator of the language, by its name: for documentation, forms and tools.
 *
 * @example operators.range.types // => ['string', 'uuid', 'integer', 'bigint', 'number', 'decimal', 'date', 'datetime', 'time']
 */
export const operators: Readonly<Record<OperatorName, Operator>> = /* @__PURE__ */ (() => {
  const table = Object.create(null) as Record<OperatorName, Operator>
  for (const [name, { doc }] of Object.entries(operatorWords) as readonly [OperatorName, OperatorWords][]) {
    const { operands, types, fields, complement } = operatorNamed.get(name)!
    table[name] = Object.freeze({ name, operands, types, fields, complement, doc })
  }
  return Object.freeze(table)
})()
