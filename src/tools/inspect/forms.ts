/** SQLite: the forms of values that each type of the dialect can read. */
import type { LiteralType } from '../../tree/index.ts'
import type { ColumnType } from '../../backends/sql/index.ts'
import { own } from '../../own.ts'
import type { SampleForm } from './sample.ts'

const wholes = ['bit', 'minusOne', 'seconds', 'milliseconds', 'integer'] as const
const numbers = [...wholes, 'large', 'whole', 'real', 'julianDay'] as const
const texts = [
  'date',
  'time',
  'isoText0',
  'isoText3',
  'isoText6',
  'sqlText',
  'anyText',
  'uuid',
  'upperUuid',
  'digits',
] as const

/** The forms that a type reads. A key contains the type, the literal type and, where needed, `digits`. */
type Forms = readonly SampleForm[]
const readForms: Readonly<Record<string, Forms>> = {
  'text string': [...texts, 'json', 'text'],
  'orderedText string': [...texts, 'json', 'text'],
  'text uuid': ['uuid'],
  'orderedText uuid': ['uuid'],
  'isoText date': ['date'],
  'isoText time': ['time'],
  'isoText datetime': ['isoText3', 'isoText6'],
  'isoText datetime 0': ['isoText0'],
  'isoText datetime 3': ['isoText3'],
  'isoText datetime 6': ['isoText6'],
  'sqlText datetime': ['sqlText'],
  'anyText datetime': ['date', 'isoText0', 'isoText3', 'isoText6', 'sqlText', 'anyText'],
  'epochS datetime': ['bit', 'minusOne', 'seconds', 'integer'],
  'epochMs datetime': ['bit', 'minusOne', 'milliseconds', 'integer'],
  'integer integer': [...wholes, 'whole'],
  'integer bigint': [...wholes, 'large'],
  'integer number': numbers,
  'bigintText string': [...wholes, 'large'],
  'scaled decimal': [...wholes, 'large'],
  'real integer': [...wholes, 'whole'],
  'real number': numbers,
  'boolean boolean': ['bit'],
  'nonzero boolean': [...numbers, ...texts, 'infinite', 'json', 'text'],
}

/** Returns the forms that a type reads, or `undefined` for a type of a custom dialect. */
export function formsOf(type: string, literal: LiteralType, digits: number | undefined): Forms | undefined {
  const name = `${type} ${literal}`
  return own(readForms, `${name} ${digits}`) ?? own(readForms, name)
}

/** The types to suggest for a field, in order of preference. */
const choices: Readonly<Partial<Record<LiteralType, readonly (readonly [ColumnType, digits?: number])[]>>> = {
  uuid: [['orderedText']],
  date: [['isoText']],
  time: [['isoText']],
  datetime: [['isoText', 3], ['isoText'], ['isoText', 0], ['sqlText'], ['anyText'], ['epochS']],
  boolean: [['boolean'], ['nonzero']],
  integer: [['integer']],
  bigint: [['integer']],
  number: [['real']],
}

/** Finds the options of `column` that read all forms of a sample. Returns `undefined` if no type reads them all. */
export function choiceFor(
  literal: LiteralType,
  found: readonly SampleForm[],
): { readonly type: ColumnType; readonly digits?: number } | undefined {
  const isMoment = literal === 'datetime' && found.some((form) => form === 'milliseconds')
  const all = isMoment ? ([['epochMs']] as const) : (choices[literal] ?? [])
  for (const [type, digits] of all) {
    const read = formsOf(type, literal, digits)
    if (found.every((form) => read!.includes(form))) return { type, ...(digits !== undefined && { digits }) }
  }
  return undefined
}

/** The words for each form in messages. */
export const formWords: Readonly<Record<Exclude<SampleForm, 'null'>, string>> = {
  blob: 'bytes',
  bit: '0 or 1',
  minusOne: 'the integer -1',
  seconds: 'seconds since 1970',
  milliseconds: 'milliseconds since 1970',
  large: 'integers beyond 2^53',
  integer: 'integers',
  infinite: 'infinities',
  julianDay: 'Julian days',
  whole: 'numbers without a fraction',
  real: 'numbers with a fraction',
  date: 'days, YYYY-MM-DD',
  time: 'times of day, HH:MM:SS',
  isoText0: 'moments without a fraction, YYYY-MM-DDTHH:MM:SSZ',
  isoText3: 'moments of milliseconds, YYYY-MM-DDTHH:MM:SS.sssZ',
  isoText6: 'moments of microseconds, YYYY-MM-DDTHH:MM:SS.ssssssZ',
  sqlText: 'YYYY-MM-DD HH:MM:SS, as CURRENT_TIMESTAMP writes',
  anyText: 'moments in another form',
  uuid: 'uuids',
  upperUuid: 'uuids in upper case',
  digits: 'digits as texts',
  json: 'JSON',
  text: 'other texts',
}
