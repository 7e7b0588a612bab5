/** The list of the page and its query as TypeScript: the texts of the tabs. Each is a module that imports those before it. */
import { parseQuery, type Filter, type Path, type Query } from '../../src/index.ts'
import { fold, type Comparison, type Match } from '../../src/tree.ts'
import type { Field, Fields } from '../../src/index.ts'
import { hasOutput, ownNotation, type Answer, type Compiled } from './answer.ts'
import { inline, membersOf, quoted } from './notation.ts'
import { parameterIn, withParameter } from './pairs.ts'
import { columnsBy, type Make } from './stored.ts'
import type { Codes, Subject } from './subject.ts'

const width = 84

/** Parts between two marks: on one line where it has room for them, or else on a line each. */
function between(open: string, parts: readonly string[], close: string, isOpen = false): string {
  const space = open.endsWith('{') ? ' ' : ''
  const flat = parts.length === 0 ? open + close : `${open}${space}${parts.join(', ')}${space}${close}`
  if (!isOpen && flat.length <= width && !flat.includes('\n')) return flat
  return `${open}\n${parts.map((part) => `  ${part.replaceAll('\n', '\n  ')},\n`).join('')}${close}`
}

/** A value as code. A function in it has a text of its own. */
function codeOf(value: unknown, isOpen = false): string {
  if (typeof value === 'function') return (value as () => string)()
  if (Array.isArray(value))
    return between(
      '[',
      value.map((entry) => codeOf(entry)),
      ']',
    )
  if (typeof value !== 'object' || value === null) return inline(value)
  const members = membersOf(value).map(([name, member]) => {
    const text = codeOf(member)
    return text === name ? name : `${name}: ${text}`
  })
  return between('{', members, '}', isOpen)
}

/** A call with its options, if there are any. */
const call = (name: string, first: readonly string[], options: object): string =>
  between(`${name}(`, Object.keys(options).length === 0 ? first : [...first, codeOf(options)], ')')

// --- The schema

function fieldCode(field: Field): string {
  const { type, values, fields, entry, ...options } = field as Field & {
    values?: readonly string[]
    fields?: Fields
    entry?: Field
  }
  const first = [
    ...(values === undefined ? [] : [codeOf(values)]),
    ...(fields === undefined ? [] : [codeOf(fieldsOf(fields))]),
    ...(entry === undefined ? [] : [fieldCode(entry)]),
  ]
  return call(`field.${type}`, first, options)
}
const fieldsOf = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, () => fieldCode(field)]))

const schemaCode = ({ collection }: Subject): string => `import { defineSchema, field } from 'urlwhere'

export const schema = defineSchema(${codeOf(fieldsOf(collection.visible.fields), true)})
`

// --- The collection and the mapping

const collectionCode = ({ options }: Subject): string => `import { defineCollection } from 'urlwhere'
import { schema } from './schema.ts'

export const collection = defineCollection(schema, ${codeOf(options, true)})
`

/** A column without options is its name. */
const make: Make = (maker, name, options) =>
  maker === 'column' && Object.keys(options).length === 0 ? name : () => call(maker, [codeOf(name)], options)

/** The mapping, and the backend of a dialect. */
function mappingCode({ table, dialects }: Subject, dialect: string): string {
  const { name: dialectName } = dialects[dialect]!
  const { name, key, where } = table
  const columns = Object.entries(columnsBy(table.columns, make)).filter(([field, column]) => field !== column)
  const options = { schema: () => 'schema', ...(key.length > 0 && { key: key.length === 1 ? key[0] : key }) }
  const text = `table(${codeOf(name)}, ${codeOf(
    { ...options, ...(columns.length > 0 && { columns: Object.fromEntries(columns) }), ...(where && { where }) },
    true,
  )})`
  const makers = ['arrayColumn', 'childTable', 'column', 'jsonColumn', 'parentTable'].filter((one) =>
    text.includes(`${one}(`),
  )
  const imported = [...makers, dialectName, 'sqlBackend', 'table'].toSorted()
  return `${between('import {', imported, '}')} from 'urlwhere/sql'
import { schema } from './schema.ts'

export const mapping = ${text}
export const backend = sqlBackend({ dialect: ${dialectName}, table: mapping })
`
}

// --- The query

const matches: Readonly<Record<Match['mode'], string>> = {
  prefix: 'startsWith',
  suffix: 'endsWith',
  substring: 'contains',
  whole: 'equalsIgnoreCase',
  prefixExact: 'startsWithExact',
  suffixExact: 'endsWithExact',
  substringExact: 'containsExact',
}
const comparison = ({ operator }: Comparison): string => (operator === 'eq' ? 'equals' : operator)

/** A filter as calls of `where(schema)`. Each entry of a list has a builder of its own. */
function filterCode(filter: Filter): string {
  // The names of builders depend on the lists around, which `fold` visits last.
  type Written = (depth: number) => string
  const builder = (depth: number) => (depth === 0 ? 'o' : `e${depth}`)
  const condition =
    (name: string, path: Path, ...operands: readonly unknown[]): Written =>
    (depth) => {
      const first = path.length === 0 ? [] : [path.join('.')]
      return between(
        `${builder(depth)}.${name}(`,
        [...first, ...operands].map((one) => codeOf(one)),
        ')',
      )
    }
  const group =
    (word: string, parts: readonly Written[]): Written =>
    (depth) =>
      between(
        `${word}(`,
        parts.map((part) => part(depth)),
        ')',
      )
  return fold<Written>(filter, {
    and: (parts) => group('and', parts),
    or: (parts) => group('or', parts),
    not: (part) => group('not', [part]),
    some: (part, { path, filter: inner }) =>
      inner.kind === 'presence' && inner.path.length === 0
        ? condition('exists', path)
        : (depth) =>
            between(
              `${builder(depth)}.some(`,
              [quoted(path.join('.')), `(${builder(depth + 1)}) => ${part(depth + 1)}`],
              ')',
            ),
    comparison: (node) => condition(comparison(node), node.path, node.operand.value),
    membership: ({ path, operands }) =>
      condition(
        'in',
        path,
        operands.map(({ value }) => value),
      ),
    match: ({ mode, path, text }) => condition(matches[mode], path, text),
    // The builder of an object has no method for the object itself. A filter is plain data.
    presence: ({ kind, path, type }) =>
      path.length === 0 && type === 'object' ? () => codeOf({ kind, path, type }) : condition('exists', path),
    count: ({ path, operator, operand }) => condition(operator === 'gte' ? 'atLeast' : 'atMost', path, operand),
  })(0)
}

/** The parts of `buildQuery`, by the canonical text of the query. */
function partsOf({ collection }: Subject, text: string, { search, limit, count }: Query): object {
  const { filter } = (parseQuery(collection, withParameter(collection, text, 'search', '')) as { query: Query }).query
  const valueOf = (name: 'sort' | 'fields' | 'facets' | 'offset' | 'cursor') => parameterIn(collection, text, name)
  const lists = (['sort', 'fields', 'facets'] as const).filter((name) => valueOf(name) !== '')
  const isAll = filter.kind === 'and' && filter.filters.length === 0
  return {
    ...(!isAll && { filter: () => filterCode(filter) }),
    ...(search !== undefined && { search }),
    ...Object.fromEntries(lists.map((name) => [name, valueOf(name).split(',')])),
    ...(limit !== collection.limit.default && { limit }),
    ...(valueOf('offset') !== '' && { offset: Number(valueOf('offset')) }),
    ...(valueOf('cursor') !== '' && { cursor: valueOf('cursor') }),
    ...(count === true && { count }),
  }
}

/** The query, as the typed builder makes it. */
function queryCode(subject: Subject, { texts, query }: Answer): Compiled<string> {
  const text = texts[ownNotation]!
  if (!hasOutput(text)) return text
  const parts = partsOf(subject, text.output, query)
  const code = Object.keys(parts).length === 0 ? '' : `, ${codeOf(parts, true)}`
  // A text of the query may contain the name of a function.
  const calls = code.replaceAll(/'(?:[^'\\]|\\.)*'/g, '')
  const used = ['and', 'not', 'or'].filter((word) => new RegExp(`\\b${word}\\(`).test(calls))
  const imported = [...used, 'buildQuery', ...('filter' in parts ? ['where'] : [])].toSorted()
  return {
    output: `import { ${imported.join(', ')} } from 'urlwhere'
import { collection } from './collection.ts'
${'filter' in parts ? "import { schema } from './schema.ts'\n\nconst o = where(schema)" : ''}
export const query = buildQuery(collection${code})
`,
  }
}

/** The tabs. */
export const codes: Codes = {
  where: queryCode,
  Schema: (subject) => ({ output: schemaCode(subject) }),
  Collection: (subject) => ({ output: collectionCode(subject) }),
  Mapping: (subject, _, dialect) => ({ output: mappingCode(subject, dialect) }),
}
