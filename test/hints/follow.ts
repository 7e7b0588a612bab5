/** What a client sends who follows a hint: the text that the hint says to write, with a value of the client for each `…`. */
import type { Collection, Schema } from '../../src/index.ts'

const values: Readonly<Record<string, readonly [string, string]>> = {
  string: ['jo', 'surf'],
  uuid: ['01890a5d-ac96-774b-bcce-b302099a8057', '01890a5d-ac96-774b-bcce-b302099a8058'],
  integer: ['5', '7'],
  bigint: ['5', '7'],
  number: ['5', '7'],
  decimal: ['5', '7'],
  boolean: ['true', 'false'],
  date: ['2024-05-01', '2024-05-02'],
  datetime: ['2024-05-01', '2024-05-02'],
}
const parameters: Readonly<Record<string, string>> = {
  ...{ sort: 'id', limit: '20', offset: '20', search: 'surf', timeZone: 'UTC', fields: 'id', facets: 'status' },
}

/** The text that a hint says to write. */
export const writtenIn = (hint: string): string | undefined => /(?:^|[ ,:])write (\S+?=\S*?)(?:;|$)/.exec(hint)?.[1]

/** @param cursor the value of a parameter `cursor`. */
export function followed(written: string, schema: Schema, collection?: Collection, cursor = ''): string {
  let second = false
  return written.replaceAll('…', (_, at: number) => {
    const before = written.slice(0, at)
    const isInGroup = /^(?:and|or|not|any|all)=\(|^\w+\[\w+\]=[^&]*,\w+\[/.test(written)
    const [, key = '', operator = ''] =
      (isInGroup
        ? /(?:^|[(,])([^(,=]*?)(?:\[(\w+)\])?=(?:[^=]*)$/u
        : /(?:^|&)([^&=]*?)(?:\[(\w+)\])?=(?:[^&=]*)$/u
      ).exec(before) ?? []
    const name = decodeURIComponent(key.replaceAll('+', ' '))
    const whole = operator === '' ? name : `${name}[${operator}]`
    const parameter = Array.from(collection?.parameters ?? []).find(([, called]) => called === whole)?.[0]
    if (parameter === 'cursor') return cursor
    if (parameter !== undefined) return parameters[parameter]!
    if (operator === 'atLeast' || operator === 'atMost') return '3'
    if (name === '') return 'jo'
    const path = [name, ...schema.paths.keys()].find(
      (one) => schema.paths.has(one) && (one === name || one.endsWith(`.${name}`)),
    )
    const found = schema.paths.get(path ?? '')
    if (found === undefined) throw new Error(`no field for ${name} in ${written}`)
    second = before.endsWith('…,')
    const pair =
      found.type === 'enumeration' ? (found as unknown as { values: [string, string] }).values : values[found.type]!
    const value = pair[second ? 1 : 0]
    return encodeURIComponent(/[",]/.test(value) ? `"${value.replaceAll('"', '\\"')}"` : value)
  })
}
