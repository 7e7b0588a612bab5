/** Rows of a schema: the same for the same schema. */
import type { Field, Fields } from '../../src/index.ts'
import { randomNumbers } from '../demo/data.ts'
import type { Row } from './subject.ts'

const words = ['amber', 'birch', 'Cedar', 'dune', 'ember', 'Fjord', 'grove', 'heather', 'Iris', 'jade']

/** @param key the names of the fields that tell rows apart. */
export function rowsFor(fields: Fields, key: readonly string[], count: number): readonly Row[] {
  const random = randomNumbers(20_240_101)
  const below = (limit: number) => Math.floor(random() * limit)
  const moment = () => new Date(Date.UTC(2024, 0, 1) + below(366 * 86_400) * 1000).toISOString()
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]!
  const valueOf = (field: Field, at: number | undefined): unknown => {
    if (at === undefined && !('required' in field) && random() < 0.12) return null
    const whole = at ?? below(1000)
    switch (field.type) {
      case 'list':
        return Array.from({ length: below(4) }, () => valueOf(field.entry, undefined))
      case 'object':
        return objectOf(field.fields, [], 0)
      case 'record':
        return Object.fromEntries(['color', 'size'].map((name) => [name, valueOf(field.entry, undefined)]))
      case 'enumeration':
        return field.values[(at ?? below(field.values.length)) % field.values.length]
      case 'boolean':
        return at === undefined ? random() < 0.5 : at % 2 === 0
      case 'integer':
        return whole
      case 'bigint':
        return String(whole)
      case 'number':
        return whole + below(100) / 100
      case 'decimal':
        return `${whole}.${below(9) + 1}`
      case 'date':
        return moment().slice(0, 10)
      case 'datetime':
        return moment()
      case 'time':
        return moment().slice(11, 19)
      case 'uuid':
        return `0190a5d2-0000-7000-8000-${whole.toString(16).padStart(12, '0')}`
      case 'json':
        return { note: pick(words) }
      case 'string':
        return at === undefined ? `${pick(words)} ${pick(words)}` : `${words[at % words.length]}-${at}`
    }
  }
  const objectOf = (inner: Fields, keys: readonly string[], at: number): Row =>
    Object.fromEntries(
      Object.entries(inner).map(([name, field]) => [name, valueOf(field, keys.includes(name) ? at : undefined)]),
    )
  return Array.from({ length: count }, (_, at) => objectOf(fields, key, at + 1))
}
