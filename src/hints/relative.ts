/** Translates relative times of other software, such as `NOW()`, into those of this language. */
import type { Advice } from '../issue/index.ts'
import { own } from '../own.ts'

/** Words for a time, in lower case. */
const words: Readonly<Record<string, string>> = {
  now: 'now',
  current_timestamp: 'now',
  today: 'today',
  current_date: 'today',
  curdate: 'today',
  getdate: 'now',
  sysdate: 'now',
  utcnow: 'now',
  startofday: 'today',
  yesterday: 'today-1d',
  tomorrow: 'today+1d',
}

/** Units by other names. Where `m` is a minute, `M` is a month. */
const units: readonly (readonly [names: RegExp, unit: string])[] = [
  [/^(?:M|[Mm][Oo](?:n(?:ths?)?)?)$/, 'mo'],
  [/^s(?:ec(?:ond)?s?)?$/i, 's'],
  [/^m(?:in(?:ute)?s?)?$/i, 'm'],
  [/^h(?:(?:ou)?rs?)?$/i, 'h'],
  [/^d(?:ays?)?$/i, 'd'],
  [/^(?:w|weeks?)$/i, 'w'],
  [/^y(?:(?:ea)?rs?)?$/i, 'y'],
]

/** A time of other software that has no word above: `now-1day`, `7 days ago`, `-P7D` of ISO 8601, `last 7 days`. */
const relative = /^(?:now|today)\b|^[+-]?p?t?\d{1,9} ?[a-z]+(?: ago)?$|^(?:last|past|next)[ _-]?\d/i

/** Suggests a relative time for a text of other software. Returns `undefined` for any other text. */
export function relativeAdvice(type: 'date' | 'datetime', text: string): readonly Advice[] {
  const meant = own(words, text.toLowerCase().replace(/\(\)$/, ''))
  if (meant !== undefined) return [{ kind: 'did_you_mean', name: type === 'date' && meant === 'now' ? 'today' : meant }]
  return relative.test(text) ? [{ kind: type === 'date' ? 'relative_day' : 'relative_time' }] : []
}

/** The edit of one part that makes a text a relative time. The digits of the text stay: an edit does not repeat operands. */
export function relativeEdit(
  raw: string,
  isDay: boolean,
): { readonly start: number; readonly end: number; readonly insert: string } | undefined {
  const parts = /^(now|today)((?:[+-]|%2b)\d{1,9})([a-z]{1,7})$/i.exec(raw)
  if (parts === null) return undefined
  const [, word, step, unit] = parts as unknown as readonly [whole: string, word: string, step: string, unit: string]
  const meant = units.find(([names]) => names.test(unit))?.[1]
  if (meant === undefined) return undefined
  const isExact = 'smh'.includes(meant)
  if (isDay && isExact) return undefined
  const meantWord = isDay ? 'today' : isExact ? 'now' : word.toLowerCase()
  if (meant === unit) return { start: 0, end: word.length, insert: meantWord }
  return meantWord === word ? { start: word.length + step.length, end: raw.length, insert: meant } : undefined
}
