/** Filter → one sentence in plain English. */
import { ownOf } from '../../own.ts'
import { checkFilter, isExact, isFolded } from '../../tree/index.ts'
import type { Comparison, EntryCount, Filter, Literal, LiteralType, Path, Some } from '../../tree/index.ts'
import { printable } from '../../issue/index.ts'
import { isOf } from '../../language/index.ts'
import type { Condition } from '../../backends/issues.ts'
import { dayBefore, startOfDay } from '../../values/time.ts'

/** A phrase about one value: `is at least 5`, `is not at least 5`; `from 5 to 7` may follow a noun without `that is`. */
interface Phrase {
  readonly verb: string
  readonly denied: string
  readonly rest: string
  readonly isPrepositional?: boolean
}

/** The subject of a clause. A clause names the fields of a row, or of an entry of a list. */
type Subject = 'row' | 'entry'

const textOf = ({ value }: Literal): string => String(value)
const quotedText = (text: string): string => printable(JSON.stringify(text))
const quoted = (literal: Literal): string => (literal.type === 'string' ? quotedText(literal.value) : textOf(literal))

const is = (rest: string, isPrepositional = false): Phrase => ({ verb: 'is', denied: 'is not', rest, isPrepositional })

// --- Phrases, one for each kind of condition

const moments = { gt: 'after', gte: 'on or after', lt: 'before', lte: 'on or before' } as const
const numbers = { gt: 'more than', gte: 'at least', lt: 'less than', lte: 'at most' } as const
const texts = { gt: 'after', gte: 'at or after', lt: 'before', lte: 'at or before' } as const
const wordsOf = (type: LiteralType) => (isOf('number', type) ? numbers : isOf('time', type) ? moments : texts)

const matchVerbs = {
  prefix: ['starts with', 'does not start with'],
  suffix: ['ends with', 'does not end with'],
  substring: ['contains', 'does not contain'],
  whole: ['is', 'is not'],
  prefixExact: ['starts with', 'does not start with'],
  suffixExact: ['ends with', 'does not end with'],
  substringExact: ['contains', 'does not contain'],
} as const

/** The phrase of a condition about the value at its path. */
function phraseOf(filter: Condition): Phrase | 'never' {
  switch (filter.kind) {
    case 'comparison': {
      const { operator, operand } = filter
      if (operator === 'eq') return is(quoted(operand))
      if (isFolded(operator)) {
        const plain = operator.replace('IgnoreCase', '') as keyof typeof texts
        return is(`${texts[plain]} ${quoted(operand)} (ignoring case)`, true)
      }
      const order = wordsOf(operand.type)
      return is(`${order[operator]} ${quoted(operand)}`, order !== numbers)
    }
    case 'membership':
      if (filter.operands.length === 0) return 'never'
      return is(filter.operands.map(quoted).join(' or '))
    case 'match': {
      const [verb, denied] = matchVerbs[filter.mode]
      return {
        verb,
        denied,
        rest: `${quotedText(filter.text)} (${isExact(filter.mode) ? 'matching' : 'ignoring'} case)`,
      }
    }
    case 'presence':
      return { verb: 'has', denied: 'has no', rest: 'value' }
  }
}

const isMidnight = (text: string): boolean => text.endsWith('T00:00:00.000Z')

/** One phrase for two bounds of one value: `from 1 to 5`. `undefined` for other filters. */
function rangePhrase(low: Filter, high: Filter | undefined): Phrase | undefined {
  if (low.kind !== 'comparison' || high?.kind !== 'comparison' || low.operator !== 'gte') return undefined
  if (low.operand.type !== high.operand.type || nameOf(low.path) !== nameOf(high.path)) return undefined
  if (high.operator === 'lte') return is(`from ${quoted(low.operand)} to ${quoted(high.operand)}`, true)
  if (high.operator !== 'lt' || low.operand.type !== 'datetime') return undefined
  const [from, until] = [textOf(low.operand), textOf(high.operand)]
  if (!isMidnight(from) || !isMidnight(until) || from >= until) return undefined
  // Whole days, as a date that is given for a datetime means them.
  const [first, last] = [from.slice(0, 10), dayBefore(until.slice(0, 10))!]
  const isOne = startOfDay(first) === startOfDay(last)
  return is(isOne ? `on ${first} (UTC)` : `from ${first} to ${last} (UTC)`, true)
}

// --- Clauses

const nameOf = (path: Path): string => path.map(printable).join('.')
const article = (noun: string): string => (/^[aeio]/i.test(noun) ? 'an' : 'a')

/** A phrase about the value at a path, of a row (`total is 5`) or of an entry (`has a total that is 5`). */
function sentence(phrase: Phrase | 'never', path: Path, isDenied: boolean, subject: Subject): string {
  if (phrase === 'never') return isDenied ? 'always' : 'never'
  const { verb, denied, rest, isPrepositional = false } = ownOf(phrase)
  const name = nameOf(path)
  const isPresence = verb === 'has'
  const value = isPresence && !isDenied ? `a ${rest}` : rest
  if (path.length === 0) return `${subject === 'row' ? 'it ' : ''}${isDenied ? denied : verb} ${value}`
  if (subject === 'row') return `${name} ${isDenied ? denied : verb} ${value}`
  // An entry without the field is denied too: "does not have a product that is …".
  const noun = `${isDenied ? 'does not have' : 'has'} ${article(name)} ${name}`
  if (isPresence) return noun
  return `${noun} ${isPrepositional ? rest : `that ${verb} ${rest}`}`
}

function someClause({ path, filter }: Some, isDenied: boolean, subject: Subject): string {
  const list = nameOf(path)
  // `not(some(not(f)))` means that every entry satisfies f.
  if (isDenied && filter.kind === 'not') return everyClause(list, filter.filter, subject)
  const isAny = filter.kind === 'and' && filter.filters.length === 0
  if (subject === 'row') {
    if (isAny) return `${list} has ${isDenied ? 'no' : 'an'} entry`
    return `${isDenied ? 'no' : 'one'} entry of ${list} ${clause(filter, false, 'entry')}`
  }
  const entry = `has ${isDenied ? 'no' : 'one'} entry of ${list}`
  if (isAny) return entry
  const inner = clause(filter, false, 'entry')
  return `${entry} that ${isGroup(filter) ? `(${inner})` : inner}`
}

function everyClause(list: string, filter: Filter, subject: Subject): string {
  const inner = clause(filter, false, 'entry')
  if (subject === 'row') return `every entry of ${list} ${inner}`
  return `has only entries of ${list} that ${isGroup(filter) ? `(${inner})` : inner}`
}

function countClause({ path, operator, operand }: EntryCount, isDenied: boolean, subject: Subject): string {
  const entries = `${isDenied ? 'does not have' : 'has'} ${numbers[operator]} ${operand} ${operand === 1 ? 'entry' : 'entries'}`
  return subject === 'row' ? `${nameOf(path)} ${entries}` : `${entries} of ${nameOf(path)}`
}

const isGroup = (filter: Filter): boolean =>
  filter.kind === 'not' ? isGroup(filter.filter) : filter.kind === 'and' || filter.kind === 'or'

/** The clauses of a group, joined: with commas between clauses of a row. */
function joined(clauses: readonly string[], word: 'and' | 'or', subject: Subject): string {
  if (subject === 'entry') return clauses.join(` ${word} `)
  return `${clauses.slice(0, -1).join(', ')}, ${word} ${clauses.at(-1)}`
}

function groupClause(
  kind: 'and' | 'or',
  filters: readonly Filter[],
  isDenied: boolean,
  subject: Subject,
  isInner: boolean,
): string {
  const clauses: string[] = []
  for (let at = 0; at < filters.length; at++) {
    const filter = filters[at]!
    const range = kind === 'and' ? rangePhrase(filter, filters.at(at + 1)) : undefined
    if (range === undefined) clauses.push(clause(filter, false, subject, true))
    else {
      at++
      const { path } = filter as Comparison
      if (filters.length === 2) return sentence(range, path, isDenied, subject)
      clauses.push(sentence(range, path, false, subject))
    }
  }
  if (clauses.length === 0) return (kind === 'and') === isDenied ? 'never' : 'always'
  const text = clauses.length === 1 ? clauses[0]! : joined(clauses, kind, subject)
  if (isDenied) return `${subject === 'row' ? 'not' : 'does not satisfy'} (${text})`
  return isInner && clauses.length > 1 ? `(${text})` : text
}

function clause(filter: Filter, isDenied: boolean, subject: Subject, isInner = false): string {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return groupClause(filter.kind, filter.filters, isDenied, subject, isInner)
    case 'not':
      return clause(filter.filter, !isDenied, subject, isInner)
    case 'some':
      return someClause(filter, isDenied, subject)
    case 'count':
      return countClause(filter, isDenied, subject)
    default:
      return sentence(phraseOf(filter), filter.path, isDenied, subject)
  }
}

/**
 * Writes a filter as one sentence, for logs, audit trails and user interfaces. Equal filters have equal sentences. A negated condition
 * (`seller is not "s-1"`) is also true for rows without a value.
 *
 * @returns the sentence, without a full stop. It quotes operands: do not log the sentence of a filter with secrets.
 * @throws TypeError when `filter` is not a filter.
 * @example
 * const text = 'seller=s-1&items.arrival[range]=2024-01-01,2024-01-03'
 * describe(parseFilterOrThrow(orders, text)) // => 'seller is "s-1", and one entry of items has an arrival from 2024-01-01 to 2024-01-03'
 */
export function describe(filter: Filter): string {
  const checked = checkFilter(filter)
  const sentence = clause(checked, false, 'row')
  return sentence === 'always' ? 'every row' : sentence === 'never' ? 'no row' : sentence
}
