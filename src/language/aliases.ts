/** The words of an API that exists: other names of fields and operators, and deprecated names. */
import { nameDefect } from '../tree/index.ts'
import { operatorNamed, type OperatorName } from './operators.ts'
import { declared, type ResolvedField, type Schema } from './schema.ts'
import { checkOptions } from '../options.ts'
import { own, refuseArgument } from '../own.ts'
import { readOnly } from '../read-only.ts'
import { readers } from './types.ts'

/** Other names that the parser accepts. Printing uses the names of the schema. */
export interface Aliases<Path extends string = string> {
  /** Paths by alias: `{ customer_name: 'customerName' }`. The alias of an object also covers the fields in it. */
  readonly fields?: Readonly<Record<string, Path>>
  /** Operators by alias: `{ eq: 'equals', ne: 'notEqual' }`. */
  readonly operators?: Readonly<Record<string, OperatorName>>
}

/** The time since when a name is deprecated, and the time when it may stop working: a date, an RFC 3339 datetime or a `Date`. */
export interface Deprecation {
  readonly since: string | Date
  readonly sunset?: string | Date
}

/** A deprecated name. Its times are UTC text, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
export interface Deprecated {
  /** The declared name: an alias, or the path of a field. */
  readonly name: string
  readonly since: string
  readonly sunset?: string
}

/** The schemas of a collection: with all fields, and with those that callers know. */
interface Schemas {
  readonly schema: Schema
  readonly visible: Schema
}

/** The aliases that callers know. */
interface KnownAliases {
  readonly fields: ReadonlyMap<string, ResolvedField>
  readonly operators: ReadonlyMap<string, OperatorName>
}

/** The paths of an alias, by the path in the text: the alias itself, and the alias with each field in its target. */
export function* pathsOfAlias(alias: string, target: string, paths: Iterable<string>): Iterable<[string, string]> {
  for (const path of paths)
    if (path === target || path.startsWith(`${target}.`)) yield [alias + path.slice(target.length), path]
}

/** Maps each path that a text may have to its field: the paths of the schema, and those of aliases. */
export function pathsWithAliases({ paths }: Schema, aliases: KnownAliases['fields']): Map<string, ResolvedField> {
  const all = new Map(paths)
  for (const [alias, { name }] of aliases)
    for (const [path, target] of pathsOfAlias(alias, name, paths.keys())) all.set(path, paths.get(target)!)
  return all
}

/** @throws TypeError for an alias of an unknown name, and for an alias that is a name already. */
export function aliasesOf({ schema, visible }: Schemas, options: Aliases = {}): KnownAliases {
  const { fields = {}, operators = {} } = checkOptions(options, 'aliases', ['fields', 'operators'])
  const targets = new Map<string, string>()
  const left = new Map<string, ResolvedField>()
  for (const [alias, target] of entriesOf(fields, 'aliases.fields')) {
    const argument = `aliases.fields.${alias}`
    const defect = alias
      .split('.')
      .map(nameDefect)
      .find((one) => one !== undefined)
    if (defect !== undefined) refuseArgument(`${argument}: a name ${defect}`)
    if (declared(schema, target) === undefined)
      refuseArgument(`${argument} is ${target}, which is not a field of the schema`)
    for (const [path] of pathsOfAlias(alias, target, schema.paths.keys())) {
      if (schema.paths.has(path)) refuseArgument(`${argument}: ${path} is a field of the schema`)
      const other = targets.get(path)
      if (other !== undefined) refuseArgument(`${argument} and aliases.fields.${other} have ${path} in common`)
      targets.set(path, alias)
    }
    // The parser treats an alias of a hidden field as an unknown field.
    const field = visible.paths.get(target)
    if (field !== undefined) left.set(alias, field)
  }
  for (const [alias, target] of entriesOf(operators, 'aliases.operators')) {
    const argument = `aliases.operators.${alias}`
    // A group ends a key at the others.
    if (alias === '' || /[[\](),=]/.test(alias)) refuseArgument(`${argument} must be a name without ( ) [ ] , and =`)
    if (operatorNamed.has(alias)) refuseArgument(`${argument} is an operator`)
    if (!operatorNamed.has(target)) refuseArgument(`${argument} is ${target}, which is not an operator`)
  }
  const names = Object.entries(operators)
  return Object.freeze({ fields: readOnly(left), operators: readOnly(names) })
}

function entriesOf(names: Readonly<Record<string, string>>, argument: string): readonly (readonly [string, string])[] {
  const entries = Object.entries(checkOptions(names, argument, Object.keys(names ?? {})))
  const wrong = entries.find(([, target]) => typeof target !== 'string')
  if (wrong !== undefined) refuseArgument(`${argument}.${wrong[0]} must be a text`)
  return entries
}

/** @throws TypeError for a name that is neither a field nor an alias, and for an invalid time. */
export function deprecatedOf(
  { schema, visible }: Schemas,
  aliases: KnownAliases,
  options: Readonly<Record<string, Deprecation>> = {},
  all: Aliases = {},
): ReadonlyMap<string, Deprecated> {
  const names = Object.keys(checkOptions(options, 'deprecated', Object.keys(options ?? {})))
  return readOnly(
    names.flatMap((name): [string, Deprecated][] => {
      const argument = `deprecated.${name}`
      if (declared(schema, name) === undefined && !Object.hasOwn(own(all, 'fields') ?? {}, name))
        refuseArgument(`${argument} is neither a field of the schema nor an alias of one`)
      const { since, sunset } = checkOptions(options[name]!, argument, ['since', 'sunset'])
      const times: Deprecated = {
        name,
        since: momentOf(since, `${argument}.since`),
        ...(sunset !== undefined && { sunset: momentOf(sunset, `${argument}.sunset`) }),
      }
      // https://www.rfc-editor.org/rfc/rfc9745#section-4
      if ((times.sunset ?? times.since) < times.since)
        refuseArgument(`${argument}.sunset must not be before ${argument}.since`)
      const isLeft = visible.paths.has(name) || aliases.fields.has(name)
      return isLeft ? [[name, Object.freeze(times)]] : []
    }),
  )
}

function momentOf(value: unknown, argument: string): string {
  const moment = readers.datetime.fromValue(value)
  const literal = moment?.type === 'day' ? moment.from : moment
  if (literal !== undefined) return literal.value as string
  refuseArgument(`${argument} must be a date, YYYY-MM-DD, an RFC 3339 datetime or a Date`)
}
