/** Compares the columns of a mapping with those of a description. */
import type { Dialect, JsonColumn } from '../../backends/sql/index.ts'
import { digitsOf } from '../../language/index.ts'
import { own } from '../../own.ts'
import type { ColumnFacts, Database, TableFacts } from './database.ts'
import type { Finding } from './finding.ts'
import { choiceFor, formWords, formsOf } from './forms.ts'
import { columnNamed, nameOf, tableNamed } from './names.ts'
import { jsonColumnText, ruleOf, type Rule } from './rules.ts'
import type { SampleForm } from './sample.ts'
import { heldBy, type ColumnUse, type Mapped, type Uses } from './uses.ts'

/** A column of a mapping, with its facts in the description. */
export interface DescribedUse {
  readonly use: ColumnUse
  readonly table: TableFacts
  readonly facts: ColumnFacts
}

/** Finds the columns of a mapping in the description. It leaves out missing columns. */
export const described = (database: Database, { columns }: Uses): readonly DescribedUse[] =>
  columns.flatMap((use) => {
    const table = tableNamed(database, use.table)
    const facts = table && columnNamed(table, use.stored.name)
    return facts === undefined ? [] : [{ use, table: table!, facts }]
  })

const placeOf = ({ table, facts }: DescribedUse): NonNullable<Finding['column']> => ({
  schema: table.schema,
  table: table.name,
  name: facts.name,
})

/** Compares a column with its facts. */
export function columnFindings(
  database: Database,
  { dialect, collection }: Mapped,
  described: DescribedUse,
): Finding[] {
  const { use, facts } = described
  const at = { path: use.path, column: placeOf(described) }
  const named = `${nameOf(use.table)}.${facts.name}`
  const typed =
    database.engine === 'sqlite' ? formFinding(described, dialect) : typeFinding(database, described, dialect)
  const { stored, field } = use
  const isNullable = !facts.notNull && stored.kind === 'column'
  const isNotNull = stored.kind === 'column' && own(stored, 'notNull') === true
  const isSortKey = collection !== undefined && collection.sortable.has(use.path)
  const found: (Omit<Finding, 'path' | 'column'> | undefined)[] = [
    typed,
    collationFinding(database, described, dialect, named),
    ...enumFindings(described, named),
    use.isRequired && isNullable
      ? { level: 'warning', code: 'required_nullable', message: `${named} may be NULL, and the field is required` }
      : undefined,
    isNullable && isNotNull
      ? { level: 'error', code: 'not_null', message: `${named} may be NULL, and the mapping says notNull` }
      : undefined,
    isSortKey && facts.notNull && !use.isRequired && field !== undefined && !isNotNull
      ? {
          level: 'info',
          code: 'not_required',
          message: `${named} is NOT NULL: with required: true, an index on it serves the order`,
        }
      : undefined,
  ]
  return found.flatMap((one) => (one === undefined ? [] : [{ ...one, ...at }]))
}

type Found = Omit<Finding, 'path' | 'column'>

function typeFinding({ engine, session }: Database, { use, facts }: DescribedUse, dialect: Dialect): Found | undefined {
  const rule = ruleOf(engine, facts, session)
  if (rule === undefined) return undefined
  const { stored, type, literal } = use
  const read = stored.kind === 'json' ? 'JSON' : type
  if (read === undefined || (stored.kind === 'json' ? isReadBy(stored, rule) : rule.types.some((one) => one === read)))
    return undefined
  const named = `${nameOf(use.table)}.${facts.name}`
  const right = rule.types.find((one) => literal !== undefined && heldBy(dialect, one).includes(literal))
  return {
    level: 'error',
    code: 'column_type',
    message: `${named} is ${facts.type}, and the mapping reads it as ${read}: ${rule.otherwise}`,
    fix: fixFor(right, rule.types[0], rule.jsonType, stored.kind, facts.name, dialect),
  }
}

/** A cast to `jsonb` also reads a column of `jsonb`. */
const isReadBy = (stored: JsonColumn, { jsonType }: Rule): boolean =>
  jsonType === 'usual' || (jsonType !== undefined && own(stored, 'type') === jsonType)

/** Suggests the code for a column: another type, a `jsonColumn`, another field, or no field. */
function fixFor(
  right: string | undefined,
  first: string | undefined,
  jsonType: Rule['jsonType'],
  kind: ColumnUse['stored']['kind'],
  name: string,
  dialect: Dialect,
): string {
  if (right !== undefined) return `${kind === 'array' ? 'arrayColumn' : 'column'}('${name}', { type: '${right}' })`
  if (jsonType !== undefined) return jsonColumnText(name, jsonType)
  const [literal] = first === undefined ? [] : heldBy(dialect, first)
  return literal === undefined ? 'leave the field out' : `field.${literal}()`
}

/** SQLite: compares the forms of the sampled values with the mapping. Without values, it compares the default of the column. */
function formFinding({ use, table, facts }: DescribedUse, dialect: Dialect): Found | undefined {
  const { stored, type, literal, field } = use
  if (stored.kind !== 'column' || type === undefined || literal === undefined) return undefined
  if (own(stored, 'invalid') !== undefined) return undefined
  const digits = own(stored, 'digits') ?? (field && digitsOf(field))
  const read = formsOf(type, literal, digits)
  const sample = own(facts, 'sample')
  if (read === undefined || sample === undefined) return undefined
  const found = (Object.keys(sample.forms) as SampleForm[]).filter((form) => form !== 'null') as Exclude<
    SampleForm,
    'null'
  >[]
  const named = `${nameOf(use.table)}.${facts.name}`
  if (found.length === 0) return defaultFinding(facts, literal, type, named)
  const other = found.filter((form) => !read.includes(form))
  if (other.length === 0) return undefined
  const count = (forms: readonly SampleForm[]) => forms.reduce((sum, form) => sum + (sample.forms[form] ?? 0), 0)
  const rows =
    own(table, 'wholeTable') === true
      ? `all ${own(table, 'sampledRows')} rows`
      : `the first ${own(table, 'sampledRows')} rows`
  const words = other.map((form) => formWords[form]).join('; ')
  const choice = choiceFor(literal, found)
  return {
    level: 'error',
    code: 'stored_form',
    message: `${named} holds ${words} in ${count(other)} of ${count(found)} values (${rows}), and the mapping reads ${type}${digits === undefined ? '' : ` with digits: ${digits}`}`,
    fix:
      choice === undefined || own(dialect.types, choice.type) === undefined
        ? 'write the values in one form, or leave the field out'
        : `column('${facts.name}', ${optionsOf(choice)})`,
  }
}

const optionsOf = (options: { readonly type: string; readonly digits?: number }): string =>
  `{ type: '${options.type}'${options.digits === undefined ? '' : `, digits: ${options.digits}`} }`

function defaultFinding(facts: ColumnFacts, literal: string, type: string, named: string): Found | undefined {
  const isCurrent =
    literal === 'datetime' && /^\W*(?:current_timestamp|datetime\s*\(\s*'now'\s*\))\W*$/i.test(facts.default ?? '')
  if (!isCurrent || ['sqlText', 'anyText'].includes(type)) return undefined
  return {
    level: 'warning',
    code: 'stored_form',
    message: `${named} has the default ${facts.default}: that is sqlText, and the mapping reads ${type}`,
    fix: `column('${facts.name}', { type: 'sqlText' })`,
  }
}

/** Compares the collation of a column with the order of code points. Rejects nondeterministic collations of PostgreSQL. */
function collationFinding(
  { engine }: Database,
  { use, facts }: DescribedUse,
  dialect: Dialect,
  named: string,
): Found | undefined {
  const collation = own(facts, 'collation')
  if (collation === undefined || use.stored.kind !== 'column') return undefined
  if (own(collation, 'deterministic') === false) {
    const message = `${named} has the collation ${collation.name}, to which texts of other bytes are equal`
    return { level: 'error', code: 'collation', message, fix: 'a deterministic collation for the column' }
  }
  const isText = use.literal === 'string' || use.literal === 'uuid'
  if (engine === 'duckdb' && isText && !/^(?:|binary|c|posix|default)$/i.test(collation.name)) {
    const message = `${named} has the collation ${collation.name}, and a cursor compares code points: rows are lost`
    return { level: 'error', code: 'collation', message, fix: 'a column without a collation' }
  }
  const binary = engine === 'sqlite' ? ['BINARY'] : binaryCollations
  if (use.type !== 'orderedText' || use.literal !== 'string' || binary.includes(collation.name)) return undefined
  const message = `${named} has the collation ${collation.name}, and orderedText promises the order of code points`
  const fix = own(dialect.types, 'text') && `column('${facts.name}', { type: 'text' })`
  return { level: 'error', code: 'collation', message, ...(fix && { fix }) }
}
const binaryCollations = ['utf8mb4_0900_bin', 'utf8mb4_nopad_bin']

function enumFindings({ use, facts }: DescribedUse, named: string): Found[] {
  const { field, stored } = use
  const values = facts.enum
  if (values === undefined || field?.type !== 'enumeration') return []
  const [lacking, beside] = [
    field.values.filter((value) => !values.includes(value)),
    values.filter((value) => !field.values.includes(value)),
  ]
  const isNamed = stored.kind === 'column' && own(stored, 'typeName') !== undefined
  const common = values.filter((value) => !beside.includes(value))
  const isInOrder = common.every((value, at) => value === field.values[at])
  return [
    ...(lacking.length > 0 && isNamed
      ? [
          {
            level: 'error' as const,
            code: 'enum_values' as const,
            message: `${named} lacks ${lacking.join(', ')} of the field: a query for it is an error of the database`,
          },
        ]
      : []),
    ...(use.type === 'orderedEnum' && lacking.length === 0 && !isInOrder
      ? [
          {
            level: 'error' as const,
            code: 'enum_values' as const,
            message: `${named} sorts ${values.join(', ')}, and the field declares ${field.values.join(', ')}: orderedEnum promises the same order`,
          },
        ]
      : []),
    ...(beside.length > 0
      ? [
          {
            level: 'warning' as const,
            code: 'enum_values' as const,
            message: `${named} has ${beside.join(', ')}, which the field lacks: no query can select it`,
          },
        ]
      : []),
  ]
}
