/**
 * What a `where` of Prisma's client selects on PostgreSQL, from Prisma's documentation; nothing here is urlwhere's.
 * https://www.prisma.io/docs/orm/reference/prisma-client-reference#filter-conditions-and-operators
 * Records have every field: dates are `Date`, texts have the collation "C". A word that Prisma has not throws.
 */
export interface Where {
  readonly [name: string]: unknown
}
export interface Row {
  readonly [field: string]: unknown
}
/** As in SQL: null is unknown. */
type Truth = boolean | null

/** Whether a record is selected: not when that is unknown. */
export const selects = (where: Where, row: Row): boolean => truthOf(where, row) === true

const all = (truths: readonly Truth[]): Truth => (truths.includes(false) ? false : truths.includes(null) ? null : true)
const not = (truth: Truth): Truth => (truth === null ? null : !truth)
const any = (truths: readonly Truth[]): Truth => not(all(truths.map(not)))

function truthOf(where: Where, row: Row): Truth {
  const members = (said: unknown) => [said].flat().map((member) => truthOf(member as Where, row))
  return all(
    Object.entries(where).map(([name, said]) => {
      if (name === 'AND') return all(members(said))
      if (name === 'OR') return any(members(said))
      if (name === 'NOT') return all(members(said).map(not))
      if (!Object.hasOwn(row, name)) throw new TypeError(`the model has no field ${name}`)
      return said === null ? row[name] === null : fieldTruth(said as Where, row[name])
    }),
  )
}

function fieldTruth({ mode, ...said }: Where, value: unknown): Truth {
  return all(
    Object.entries(said).map(([word, operand]) => {
      const about = Object.hasOwn(words, word) ? words[word] : undefined
      if (about === undefined) throw new TypeError(`there is no word ${word}`)
      return about(value, operand, mode === 'insensitive')
    }),
  )
}

/** Nothing is known of null. */
const known =
  <V>(about: (value: V, operand: V, insensitive: boolean) => boolean) =>
  (value: unknown, operand: unknown, insensitive: boolean): Truth =>
    value === null ? null : about(value as V, operand as V, insensitive)
const ordered = (holds: (order: number) => boolean) => known((value, operand) => holds(compare(value, operand)))
const like = (pattern: (text: string) => string) =>
  known<string>((value, text, insensitive) => isLike(value, pattern(text), insensitive))
const isIn = (list: unknown, value: unknown) => (list as unknown[]).some((entry) => compare(entry, value) === 0)
const related = (value: unknown, where: unknown) =>
  (value as readonly Row[]).some((record) => selects(where as Where, record))

const words: Readonly<Record<string, (value: unknown, operand: unknown, insensitive: boolean) => Truth>> = {
  // Scalars.
  equals: (value, operand, mode) => (operand === null ? value === null : ordered((o) => o === 0)(value, operand, mode)),
  not: (value, operand, mode) => (operand === null ? value !== null : ordered((o) => o !== 0)(value, operand, mode)),
  in: known((value, operands) => isIn(operands, value)),
  lt: ordered((order) => order < 0),
  lte: ordered((order) => order <= 0),
  gt: ordered((order) => order > 0),
  gte: ordered((order) => order >= 0),
  contains: like((text) => `%${text}%`),
  startsWith: like((text) => `${text}%`),
  endsWith: like((text) => `%${text}`),
  // Lists of scalars.
  has: known((list, value) => isIn(list, value)),
  hasSome: known<unknown>((list, values) => (values as unknown[]).some((value) => isIn(list, value))),
  isEmpty: known<unknown>((list, empty) => ((list as unknown[]).length === 0) === empty),
  // Relations: a record is related or it is not.
  some: (records, where) => related(records, where),
  none: (records, where) => !related(records, where),
  is: (record, where) =>
    record === null || where === null ? record === where : selects(where as Where, record as Row),
  isNot: (record, where) => not(words.is!(record, where, false)),
}

/** Values are of one type: Prisma checks it. Texts are ordered by code point, as their UTF-8 is. */
function compare(a: unknown, b: unknown): number {
  const [kind, other] = [a, b].map((value) => (value instanceof Date ? 'date' : typeof value))
  if (kind !== other || kind === 'object') throw new TypeError(`${kind} is compared with ${other}`)
  if (kind === 'string') return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string))
  return Number(a) - Number(b)
}

/** LIKE, where % and _ stand for others, and ILIKE, which knows the case of ASCII letters in the collation "C". */
function isLike(text: string, pattern: string, insensitive: boolean): boolean {
  const lower = (of: string) => (insensitive ? of.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : of)
  const source = lower(pattern).replace(/\\?[^]/gu, (part) => {
    if (part === '\\') throw new TypeError('the pattern ends with its escape character')
    if (part === '%') return '.*'
    return part === '_' ? '.' : `\\u{${part.replace(/^\\/, '').codePointAt(0)!.toString(16)}}`
  })
  return new RegExp(`^${source}$`, 'su').test(lower(text))
}
