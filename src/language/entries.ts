/** A schema as the entries of one of its lists see it. */
import { weakCache } from '../cache.ts'
import { quantifiers } from './collection.ts'
import { withKeys, type ResolvedField, type Schema } from './schema.ts'

const entriesOfSchemas = /* @__PURE__ */ weakCache<Schema, Map<string, Schema>>()

/** How many entries of a list satisfy the members of a group: at least one, none, or each. */
export type Quantifier = 'some' | 'none' | 'every'

/** Whether a field is the entry of a list: a group after its path is about one entry. */
export const isEntry = ({ path }: ResolvedField): boolean => path.length === 0

/** The list before a group, and how many of its entries satisfy the group. */
export interface Quantified {
  readonly list: string
  readonly word: Quantifier
}

/** Reads `items`, `items.none` and `items.every`. It reads any other path as the path of a list. */
export function quantified({ paths }: Schema, path: string): Quantified {
  const word = paths.has(path) ? undefined : quantifiers.find((one) => path.endsWith(`.${one}`))
  const list = word === undefined ? path : path.slice(0, -1 - word.length)
  const field = paths.get(list)
  return word !== undefined && field !== undefined && isEntry(field) ? { list, word } : { list: path, word: 'some' }
}

/** The path before a group, as text. */
export const quantifiedPath = (list: string, word: Quantifier): string => (word === 'some' ? list : `${list}.${word}`)

/** The fields of a list's entries: paths and lists begin at the entry, whose own path is empty. Names stay whole. */
export function entrySchema(schema: Schema, list: string): Schema {
  let entriesOfLists = entriesOfSchemas.get(schema)
  if (entriesOfLists === undefined) entriesOfSchemas.set(schema, (entriesOfLists = new Map()))
  let entries = entriesOfLists.get(list)
  if (entries === undefined) {
    const { length } = schema.paths.get(list)!.lists
    const paths = new Map<string, ResolvedField>()
    for (const [path, field] of schema.paths) {
      if (path !== list && !path.startsWith(`${list}.`)) continue
      paths.set(
        path.slice(list.length + 1),
        Object.freeze({ ...field, lists: Object.freeze(field.lists.slice(length)) }),
      )
    }
    entries = Object.freeze({ fields: schema.fields, paths: withKeys(paths) })
    entriesOfLists.set(list, entries)
  }
  return entries
}

/** The path of a field, from the row or from the entry at which its lists begin. */
export const pathFrom = ({ lists, path }: Pick<ResolvedField, 'lists' | 'path'>): string =>
  [...lists.flat(), ...path].join('.')
