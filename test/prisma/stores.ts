/** Models of Prisma for any schema, and rows in their tables: objects and lists are rows of tables of their own. */
import { inspect } from 'node:util'
import { prismaBackend, simpleLowerCase } from '../../src/backends/prisma/index.ts'
import type { PrismaField, PrismaQuery, PrismaWhere } from '../../src/backends/prisma/index.ts'
import { defineSchema, type EntryField, type Field, type Fields, type Schema } from '../../src/index.ts'
import type { LiteralType, QueryBackend } from '../../src/tree.ts'
import { datamodelOf, generate, type Database, type Generated } from './client.ts'

/** How lists of scalars and texts are stored. */
export interface Layout {
  /** Lists of scalars in one field, not in rows of a table of their own. */
  readonly hasScalarLists: boolean
  /** Enumerations as enums of Prisma, where their values can be. */
  readonly hasEnums: boolean
  /** Beside each text, its small letters. */
  readonly hasLower: boolean
}

interface Column {
  readonly name: string
  /** In Prisma's schema. */
  readonly type: string
  readonly declared: string
  readonly valueOf: (row: unknown) => unknown
}
interface Plan {
  readonly name: string
  readonly key: string
  readonly owner: string | undefined
  readonly columns: Column[]
  readonly parents: { readonly name: string; readonly plan: Plan; readonly valueOf: Column['valueOf'] }[]
  readonly children: { readonly name: string; readonly plan: Plan; readonly valueOf: Column['valueOf'] }[]
  readonly enums: { readonly name: string; readonly values: readonly string[] }[]
}

const types: Readonly<Record<LiteralType, string>> = {
  string: 'String',
  uuid: 'String',
  bigint: 'BigInt',
  decimal: 'Decimal',
  integer: 'BigInt',
  number: 'Float',
  boolean: 'Boolean',
  date: 'DateTime',
  datetime: 'DateTime',
  time: 'String',
}
const isName = (text: string): boolean => /^[a-z]\w*$/i.test(text) && !['AND', 'OR', 'NOT'].includes(text)
const own = (row: unknown, name: string): unknown =>
  typeof row === 'object' && row !== null && Object.hasOwn(row, name)
    ? (row as Record<string, unknown>)[name]
    : undefined
const isMissing = (value: unknown): boolean => value === undefined || value === null

/** @param fields is filled with what the backend must be told. */
function planOf(
  { provider, declared, stored }: Database,
  layout: Layout,
  root: string,
  schema: Schema,
  told: Record<string, PrismaField>,
): Plan {
  let names = 0
  const literalOf = (type: EntryField['type']) => (type === 'enumeration' ? 'string' : (type as LiteralType))
  const native = (type: LiteralType) => (type === 'date' && provider !== 'sqlite' ? ' @db.Date' : '')
  const values = (
    plan: Plan,
    name: string,
    definition: EntryField,
    path: string,
    valueOf: Column['valueOf'],
    isList: boolean,
  ): void => {
    const type = literalOf(definition.type)
    const mark = isList ? '[]' : '?'
    const literal = (value: unknown) => (isMissing(value) ? null : stored(type, value))
    const store = (row: unknown) => {
      const value = valueOf(row)
      // A scalar list holds no null, and is there.
      if (isList) return isMissing(value) ? null : (value as unknown[]).filter((one) => !isMissing(one)).map(literal)
      return literal(value)
    }
    if (definition.type === 'enumeration' && layout.hasEnums && definition.values.every(isName)) {
      const enumeration = { name: `${plan.name}_${name}`, values: definition.values }
      plan.enums.push(enumeration)
      const choices = definition.values.map((value) => `'${value}'`).join(', ')
      const column = { sqlite: 'TEXT', postgresql: `"${enumeration.name}"`, mysql: `ENUM(${choices})` }[provider]
      plan.columns.push({
        name,
        type: enumeration.name + mark,
        declared: isList ? `${column}[]` : column,
        valueOf: store,
      })
      return
    }
    plan.columns.push({
      name,
      type: types[type] + mark + native(type),
      declared: declared[type]! + (isList ? '[]' : ''),
      valueOf: store,
    })
    if (definition.type !== 'string' || isList || !layout.hasLower) return
    const lower = `${name}_lower`
    plan.columns.push({
      name: lower,
      type: 'String?',
      declared: declared.string!,
      valueOf: (row) => simpleLowerCase(store(row)),
    })
    told[path] = { ...told[path], lower }
  }
  const newPlan = (name: string, key: string, owner: string | undefined): Plan => ({
    name,
    key,
    owner,
    columns: [],
    parents: [],
    children: [],
    enums: [],
  })
  const visit = (plan: Plan, fields: Fields, above: string): void => {
    for (const [field, definition] of Object.entries(fields)) {
      const path = above + field
      if (path === 'id') continue
      const valueOf = (row: unknown) => own(row, field)
      const name = isName(field) ? field : `f${++names}`
      if (name !== field) told[path] = { name }
      member(plan, name, definition, path, valueOf)
    }
  }
  const member = (plan: Plan, name: string, definition: Field, path: string, valueOf: Column['valueOf']): void => {
    if (definition.type === 'object') {
      const parent = newPlan(`${plan.name}_${name}`, 'x_key', undefined)
      plan.parents.push({ name, plan: parent, valueOf })
      return visit(parent, definition.fields, `${path}.`)
    }
    if (definition.type !== 'list') return values(plan, name, definition as EntryField, path, valueOf, false)
    const { entry } = definition
    if (entry.type !== 'object' && layout.hasScalarLists) return values(plan, name, entry, path, valueOf, true)
    const child = newPlan(`${plan.name}_${name}`, 'x_key', plan.name)
    plan.children.push({ name, plan: child, valueOf })
    if (entry.type === 'object') return visit(child, entry.fields, `${path}.`)
    told[path] = { ...told[path], value: 'x_value' }
    values(child, 'x_value', entry, path, (row) => row, false)
  }
  const plan = newPlan(root, 'id', undefined)
  visit(plan, schema.fields, '')
  return plan
}

const plansIn = (plan: Plan): Plan[] => [
  plan,
  ...[...plan.parents, ...plan.children].flatMap(({ plan }) => plansIn(plan)),
]

/** The models, with a way back for every relation, which Prisma wants. */
function modelsOf(root: Plan): string {
  const back = (plan: Plan) =>
    plansIn(root).flatMap(({ name, parents }) => parents.filter((one) => one.plan === plan).map(() => name))
  const keyOf = (name: string) => (name === root.name ? 'id' : 'x_key')
  return plansIn(root)
    .flatMap((plan) => [
      ...plan.enums.map(({ name, values }) => `enum ${name} {\n  ${values.join('\n  ')}\n}`),
      [
        `model ${plan.name} {`,
        `  ${plan.key} Int @id`,
        ...plan.columns.map(({ name, type }) => `  ${name} ${type}`),
        ...plan.parents.flatMap(({ name, plan: parent }) => [
          `  x_${name} Int?`,
          `  ${name} ${parent.name}? @relation(fields: [x_${name}], references: [x_key])`,
        ]),
        ...plan.children.map(({ name, plan: child }) => `  ${name} ${child.name}[]`),
        ...back(plan).map((owner) => `  x_owners ${owner}[]`),
        ...(plan.owner === undefined
          ? []
          : [
              '  x_owner_key Int',
              `  x_owner ${plan.owner} @relation(fields: [x_owner_key], references: [${keyOf(plan.owner)}])`,
            ]),
        '}',
      ].join('\n'),
    ])
    .join('\n')
}

export interface PrismaStore {
  readonly backend: QueryBackend<PrismaWhere, PrismaQuery>
  readonly fill: (rows: readonly { readonly id: number }[]) => Promise<void>
  readonly select: (where: PrismaWhere) => Promise<number[]>
  /** The ids of the rows of a query, in order. */
  readonly read: (query: PrismaQuery) => Promise<number[]>
  /** The rows of a query, as the client returns them. */
  readonly found: (query: PrismaQuery) => Promise<readonly unknown[]>
  readonly count: (query: PrismaQuery) => Promise<number>
  readonly drop: () => Promise<void>
}

/**
 * Stores for some schemas, with one client that is generated when rows come first. A schema that is given twice has two
 * stores, which take turns.
 */
export interface Stores {
  /** @param of the one of the schemas that has all fields of the schema. */
  readonly storeOf: (schema: Schema, of?: Schema) => PrismaStore
  readonly close: () => Promise<void>
}
/** Without decimals, which SQLite stores as doubles: the backend refuses a model with one. */
const withoutDecimals = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, definition]): [string, Field][] => {
      const { type } = definition
      if (type === 'object') return [[name, { ...definition, fields: withoutDecimals(definition.fields) }]]
      if (type !== 'list') return type === 'decimal' ? [] : [[name, definition]]
      const { entry } = definition
      if (entry.type !== 'object') return entry.type === 'decimal' ? [] : [[name, definition]]
      return [[name, { ...definition, entry: { ...entry, fields: withoutDecimals(entry.fields) } }]]
    }),
  )

/** @param prefix what the names of models begin with. */
export function storesOf(database: Database, layout: Layout, prefix: string, schemas: readonly Schema[]): Stores {
  const { provider, collation, run, quote, placeholder, declared } = database
  const plans = schemas.map((schema, at) => {
    const fields: Record<string, PrismaField> = {}
    return { schema, plan: planOf(database, layout, `${prefix}${at}`, schema, fields), fields }
  })
  const datamodel = datamodelOf(provider, plans.map(({ plan }) => modelsOf(plan)).join('\n'))
  let generated: Promise<Generated> | undefined
  const open = async (): Promise<Generated> => {
    for (const { plan } of plans) for (const one of plansIn(plan)) await create(one)
    return generate(database, datamodel)
  }
  const columnsOf = ({ key, owner, columns, parents }: Plan): [name: string, declared: string][] => [
    [key, `${declared.integer} PRIMARY KEY`],
    ...(owner === undefined ? [] : [['x_owner_key', declared.integer!] as [string, string]]),
    ...parents.map(({ name }): [string, string] => [`x_${name}`, declared.integer!]),
    ...columns.map(({ name, declared }): [string, string] => [name, declared]),
  ]
  const create = async (plan: Plan): Promise<void> => {
    if (provider === 'postgresql') {
      for (const { name, values } of plan.enums) {
        await run(`CREATE TYPE ${quote(name)} AS ENUM (${values.map((value) => `'${value}'`).join(', ')})`)
      }
    }
    const declarations = columnsOf(plan).map(([name, declared]) => `${quote(name)} ${declared}`)
    await run(`CREATE TABLE ${quote(plan.name)} (${declarations.join(', ')})`)
  }
  let keys = 0
  const insert = async (plan: Plan, row: unknown, owner?: number): Promise<number> => {
    const key = plan.key === 'id' ? (row as { id: number }).id : ++keys
    const parents: (number | null)[] = []
    for (const { plan: parent, valueOf } of plan.parents) {
      const object = valueOf(row)
      parents.push(isMissing(object) ? null : await insert(parent, object))
    }
    const values = [
      key,
      ...(plan.owner === undefined ? [] : [owner!]),
      ...parents,
      ...plan.columns.map(({ valueOf }) => valueOf(row)),
    ]
    const names = columnsOf(plan).map(([name]) => quote(name))
    const marks = values.map((_, at) => placeholder(at + 1))
    await run(`INSERT INTO ${quote(plan.name)} (${names.join(', ')}) VALUES (${marks.join(', ')})`, values)
    for (const { plan: child, valueOf } of plan.children) {
      const entries = valueOf(row)
      for (const entry of Array.isArray(entries) ? (entries as unknown[]) : []) await insert(child, entry, key)
    }
    return key
  }
  return {
    storeOf: (schema, of = schema) => {
      const next = plans.findIndex((plan) => plan.schema === of)
      const [taken] = plans.splice(next, 1)
      const { plan, fields } = taken!
      plans.push(taken!)
      const known = provider === 'sqlite' ? defineSchema(withoutDecimals(schema.fields)) : schema
      const asked = Object.fromEntries(Object.entries(fields).filter(([path]) => known.paths.has(path)))
      // Between two fills the rows stay as they are.
      const selected = new Map<string, Promise<number[]>>()
      const whole = { depth: Infinity, maxArrayLength: Infinity, maxStringLength: Infinity }
      const model = async () => (await (generated ??= open())).client[plan.name]!
      return {
        backend: prismaBackend({
          schema: known,
          datamodel,
          model: plan.name,
          ...(collation !== undefined && { collation }),
          fields: asked,
        }),
        fill: async (rows) => {
          await (generated ??= open())
          selected.clear()
          for (const row of rows) await insert(plan, row)
        },
        select: async (where) => {
          const own = inspect(where, whole)
          const ids = async () =>
            (await (await model()).findMany({ where, select: { id: true } })).map(({ id }) => Number(id))
          const found = selected.get(own) ?? ids()
          selected.set(own, found)
          return [...(await found)]
        },
        read: async ({ findMany }) => {
          const select = { ...findMany.select, id: true }
          return (await (await model()).findMany({ ...findMany, select })).map(({ id }) => Number(id))
        },
        found: async ({ findMany }) => (await model()).findMany(findMany),
        count: async ({ count }) => (await model()).count(count),
        drop: async () => {
          selected.clear()
          for (const { name } of plansIn(plan)) await run(`DELETE FROM ${quote(name)}`)
        },
      }
    },
    close: async () => {
      if (generated !== undefined) await (await generated).remove()
    },
  }
}
