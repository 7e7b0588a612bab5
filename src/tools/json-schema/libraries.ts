/** The options for zod, valibot and ArkType with which their JSON Schema names the types that JSON Schema lacks. */
import { own } from '../../own.ts'

interface Json {
  type?: unknown
}

/** The types that JSON Schema cannot express. zod and valibot have these names for them. */
const foreignTypes: ReadonlySet<string> = new Set([
  ...['date', 'bigint', 'symbol', 'map', 'set', 'file', 'blob', 'function', 'promise', 'transform'],
])

/** The types that transformations of valibot make. */
const made: Readonly<Record<string, string>> = {
  parse_boolean: 'boolean',
  to_boolean: 'boolean',
  to_number: 'number',
  to_bigint: 'bigint',
  to_date: 'date',
  stringify_json: 'string',
  to_string: 'string',
}
/** The transformations of valibot that keep the type. No schema contains the type that others make. */
const keeping: ReadonlySet<string> = new Set([
  ...['brand', 'flavor', 'guard', 'readonly', 'filter_items', 'sort_items', 'to_max_value', 'to_min_value'],
  ...['normalize', 'trim', 'trim_start', 'trim_end', 'to_lower_case', 'to_upper_case'],
  ...['to_camel_case', 'to_kebab_case', 'to_pascal_case', 'to_snake_case'],
])

/** The options of each library. None has a name of another. */
export const libraryOptions = {
  // zod. Its own types and its `meta` come first.
  unrepresentable: 'any',
  override: ({ zodSchema, jsonSchema }: { zodSchema: { _zod: { def: { type: string } } }; jsonSchema: Json }): void => {
    const { type } = zodSchema._zod.def
    if (foreignTypes.has(type)) jsonSchema.type ??= type
  },
  // valibot
  errorMode: 'ignore',
  overrideSchema: ({ valibotSchema: { type }, jsonSchema }: { valibotSchema: { type: string }; jsonSchema: Json }) =>
    foreignTypes.has(type) ? { ...jsonSchema, type } : undefined,
  overrideAction: ({ valibotAction: { kind, type } }: { valibotAction: { kind: string; type: string } }) =>
    kind === 'transformation' && !keeping.has(type) ? { type: own(made, type) ?? 'transform' } : undefined,
  // ArkType
  fallback: {
    date: () => ({ type: 'date' }),
    domain: ({ domain }: { domain: string }) => ({ type: domain }),
    proto: ({ proto }: { proto: { name: string } }) => ({ type: proto.name }),
    predicate: ({ base, predicate }: { base: Json; predicate: (value: string) => unknown }) =>
      base.type === 'string' && takesDates((text) => predicate(text) === true) ? { type: 'dates' } : base,
  },
}

/**
 * Whether a check of texts takes dates alone, in more than one form: the pattern of ArkType's `string.date.iso` does, and the predicate
 * of its `string.date`.
 */
export function takesDates(takes: (text: string) => boolean): boolean {
  try {
    return takes('2024-02-29') && takes('2024-02-29T10:00:00Z') && !takes('2024-13-45') && !takes('')
  } catch {
    return false
  }
}
