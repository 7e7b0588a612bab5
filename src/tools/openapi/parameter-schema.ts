/** The schemas of parameters as members of an object. In a URL, they have more keywords. */
import { isOfForm, parameterDocs, parameterForms, parameterRows, mostItems, pathsFrom } from '../../language/index.ts'
import type { Collection, Limits, ParameterOf, ValueName } from '../../language/index.ts'
import { pascal } from './components.ts'
import type { SchemaObject } from './objects.ts'

/** Places the schema of the items of a list, and returns a reference. */
export type Items = (name: string, schema: SchemaObject) => SchemaObject

/** @param textOf writes an item. */
export function parameterSchema(
  name: ValueName,
  collection: Collection,
  limits: Limits,
  items: Items,
  textOf: (item: string) => string = (item) => item,
): SchemaObject {
  const description = parameterDocs[name](collection)
  if (isOfForm(name, 'paths')) {
    const paths = offeredIn(name, collection)
    const all = name === 'sort' ? paths.flatMap((path) => [path, `-${path}`]) : paths
    return {
      description,
      type: 'array',
      items: items(pascal(name), { type: 'string', enum: all.map(textOf) }),
      minItems: 1,
      maxItems: Math.min(paths.length, mostItems[name](limits)),
      uniqueItems: true,
    }
  }
  if (isOfForm(name, 'positive', 'natural')) {
    const minimum = parameterForms[name] === 'positive' ? 1 : 0
    return { description, type: 'integer', minimum, maximum: parameterRows[name].most(collection) }
  }
  if (isOfForm(name, 'flag')) return { description, type: 'boolean' }
  return { description, type: 'string', ...(isOfForm(name, 'words') && { minLength: 1 }) }
}

/** The paths that a collection allows in a list. */
export const offeredIn = (name: ParameterOf<'paths'>, collection: Collection): readonly string[] => [
  ...(collection[pathsFrom[name]] ?? new Map<string, unknown>()).keys(),
]
