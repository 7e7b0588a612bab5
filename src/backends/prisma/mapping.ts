/** Maps each field of a schema to the models of Prisma, by the options, and refuses a field that the models cannot store. */
import { checkSchema, declared, type EntryField, type Field, type Fields, type Schema } from '../../language/index.ts'
import { checkOptions } from '../../options.ts'
import { own } from '../../own.ts'
import { nearest } from '../../suggest.ts'
import { dotted } from '../issues.ts'
import { readDatamodel, type Datamodel, type Model, type ModelField } from './datamodel.ts'
import { enumStorage, momentText, providers, type Provider, type Storage } from './provider.ts'

/** The stored form of one field, if the model does not show it. */
export interface PrismaField {
  /** The name in the model. Default: the name of the field. */
  readonly name?: string
  /** For a list of scalars that is a relation: the field of the related model with the entry. */
  readonly value?: string
  /**
   * A field of the same model that contains the text in lower case, by `simpleLowerCase`, for example in a generated column.
   * `startsWith`, `endsWith` and `contains` read it.
   */
  readonly lower?: string
}
/** The options of {@link prismaBackend}. */
export interface PrismaOptions<F extends Fields = Fields> {
  /** The fields that filters may name and rows contain. */
  readonly schema: Schema<F>
  /** Prisma's schema: the text of `schema.prisma`; of several files, their texts joined. */
  readonly datamodel: string
  /** The model of the rows. */
  readonly model: string
  /**
   * On MySQL and MariaDB, the collation of the columns with text: `utf8mb4_0900_bin` or `utf8mb4_nopad_bin`. It is required, because in
   * other collations `a` equals `A`, or `a ` equals `a`, and Prisma cannot set the collation of a query.
   */
  readonly collation?: string
  /** By dotted path of the schema. Fields that are not here have the same name in the model. */
  readonly fields?: Readonly<Record<string, PrismaField>>
}

/** A field with one value. */
export interface StoredScalar {
  readonly kind: 'scalar'
  readonly name: string
  readonly isOptional: boolean
  readonly storage: Storage
  /** The field with its text in small letters. */
  readonly lower: StoredScalar | undefined
}
/** Fields of one model. */
export interface StoredRow {
  readonly kind: 'row'
  readonly members: ReadonlyMap<string, StoredMember>
  /** The fields of the model that tell its rows apart. */
  readonly key: readonly string[]
}
/** A relation to at most one row. */
export interface StoredOne {
  readonly kind: 'one'
  readonly name: string
  readonly isOptional: boolean
  readonly row: StoredRow
}
/** A relation to any number of rows: each is an entry, or has a field with one. */
export interface StoredMany {
  readonly kind: 'many'
  readonly name: string
  readonly entry: StoredRow | StoredScalar
  /** The fields of the related model that tell its rows apart. */
  readonly key: readonly string[]
}
/** A list of scalars in one field. */
export interface StoredList {
  readonly kind: 'list'
  readonly name: string
  readonly entry: StoredScalar
}
/** An object or a list in one field, which is read and not filtered. */
export interface StoredJson {
  readonly kind: 'json'
  readonly name: string
}
export type StoredMember = StoredScalar | StoredOne | StoredMany | StoredList | StoredJson

/** The options, checked. */
export interface Mapping {
  readonly schema: Schema
  readonly provider: Provider
  readonly row: StoredRow
}

/** The options of a mapping. Problems are collected, so that one error lists all. */
interface Making {
  readonly datamodel: Datamodel
  readonly provider: Provider
  readonly fields: Readonly<Record<string, PrismaField>>
  readonly problems: string[]
}

export interface NamedModel {
  readonly name: string
  readonly fields: Model
}

export function modelNamed({ models }: Datamodel, name: string): NamedModel | undefined {
  const fields = models.get(name)
  return fields && { name, fields }
}

/** @throws TypeError for an unknown model. */
export function requiredModel(datamodel: Datamodel, name: string): NamedModel {
  const model = modelNamed(datamodel, name)
  if (model !== undefined) return model
  throw new TypeError(`model is not a model of datamodel${suggestionOf(String(name), datamodel.models.keys())}`)
}

/** Reads a datamodel. @throws TypeError for another value, and for another database. */
export function databaseOf(text: string): { readonly datamodel: Datamodel; readonly provider: Provider } {
  if (typeof text !== 'string') throw new TypeError("datamodel must be the text of Prisma's schema")
  const datamodel = readDatamodel(text)
  const provider = own(providers, datamodel.provider ?? '')
  if (provider !== undefined) return { datamodel, provider }
  const names = Object.keys(providers).join(', ')
  throw new TypeError(`datamodel must have a datasource whose provider is one of ${names}`)
}

/** Finds the storage of a scalar or an enum. `Json`, `Bytes`, and types that round, pad or fold values have none. */
export function storageOf(
  { datamodel, provider }: Pick<Making, 'datamodel' | 'provider'>,
  { type, native, size }: ModelField,
): Storage | undefined {
  const values = datamodel.enums.get(type)
  if (values !== undefined) return enumStorage(values)
  const key = native === undefined ? type : `${type}@${native}`
  return own(provider.storages, `${key}(${size})`) ?? own(provider.storages, key)
}

/** A type as Prisma's schema writes it. */
export const writtenType = ({ type, native, size }: ModelField): string =>
  native === undefined ? type : `${type} @db.${native}${size === undefined ? '' : `(${size})`}`

/** Names of groups in a `where`. */
const groups: readonly string[] = ['AND', 'OR', 'NOT']
export const isGroup = (name: string): boolean => groups.includes(name)

// `fromPrisma` also returns `key` and `omitted`, which the backend ignores.
const optionNames = ['schema', 'datamodel', 'model', 'collation', 'fields', 'key', 'omitted']

/** @throws TypeError that lists the problems of the options. */
export function mappingOf(options: PrismaOptions): Mapping {
  const { schema, datamodel: text, model, collation, fields = {} } = checkOptions(options, 'options', optionNames)
  checkSchema(schema)
  const { datamodel, provider } = databaseOf(text)
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new TypeError('fields must be an object of fields by their path')
  }
  for (const [path, field] of Object.entries(fields)) {
    const where = `fields[${JSON.stringify(path)}]`
    if (declared(schema, path) === undefined) {
      throw new TypeError(`${where} is not a path of the schema${suggestionOf(path, schema.paths.keys())}`)
    }
    checkOptions(field, where, ['name', 'value', 'lower'])
    for (const [option, name] of Object.entries(field)) {
      if (typeof name !== 'string') throw new TypeError(`${where}.${option} must be the name of a field`)
    }
  }
  const collations = own(provider, 'collations')
  if (collations !== undefined && !collations.includes(collation!)) {
    throw new TypeError(`collation must be that of the columns of text, and one of ${collations.join(', ')}`)
  }
  if (collations === undefined && collation !== undefined) {
    throw new TypeError(`collation is not for ${datamodel.provider}`)
  }
  const making: Making = { datamodel, provider, fields, problems: [] }
  const row = rowOf(making, requiredModel(datamodel, model), schema.fields, '')
  if (making.problems.length > 0) throw new TypeError(making.problems.join('; '))
  return { schema, provider, row }
}

export function suggestionOf(name: string, candidates: Iterable<string>): string {
  const near = nearest(name, candidates)
  return near === undefined ? '' : `; did you mean ${near}?`
}

/** @param path the dotted path of the object with the fields; '' is the row. */
function rowOf(making: Making, model: NamedModel, fields: Fields, path: string): StoredRow {
  const members = new Map<string, StoredMember>()
  for (const [name, definition] of Object.entries(fields)) {
    const member = memberOf(making, model, definition, dotted(path, [name]), name)
    if (member !== undefined) members.set(name, member)
  }
  return { kind: 'row', members, key: making.datamodel.keys.get(model.name)! }
}

function memberOf(
  making: Making,
  model: NamedModel,
  definition: Field,
  path: string,
  name: string,
): StoredMember | undefined {
  const stored = { name, value: undefined, lower: undefined, ...own(making.fields, path) }
  const modelField = fieldIn(making, model, stored.name, path)
  if (modelField === undefined) return undefined
  const { arity, type } = modelField
  const problem = (what: string): undefined => {
    making.problems.push(`${path} cannot be ${model.name}.${stored.name}: ${what}`)
  }
  const related = modelNamed(making.datamodel, type)
  const isOptional = arity === 'optional'
  const isOfParts = ['object', 'list', 'record', 'json'].includes(definition.type)
  if (isOfParts && type === 'Json' && arity !== 'list') return { kind: 'json', name: stored.name }
  if (definition.type === 'object') {
    if (related === undefined || arity === 'list') return problem('an object is a relation to one row')
    return { kind: 'one', name: stored.name, isOptional, row: rowOf(making, related, definition.fields, path) }
  }
  if (definition.type === 'json' || definition.type === 'record')
    return problem(`${definition.type === 'json' ? 'JSON' : 'a record'} is a field of the type Json`)
  if (definition.type !== 'list') {
    if (related !== undefined || arity === 'list') return problem(`a field of type ${definition.type} is one value`)
    return scalarOf(making, model, definition, path, stored.name, stored.lower)
  }
  const { entry } = definition
  if (arity !== 'list') return problem('a list is a relation to many rows, or a list of scalars')
  if (related === undefined) {
    if (entry.type === 'object') return problem('a list of objects is a relation to many rows')
    const scalar = scalarOf(making, model, entry, path, stored.name, undefined)
    return scalar && { kind: 'list', name: stored.name, entry: scalar }
  }
  if (entry.type === 'object') {
    const row = rowOf(making, related, entry.fields, path)
    return { kind: 'many', name: stored.name, entry: row, key: row.key }
  }
  if (stored.value === undefined) {
    return problem(`fields[${JSON.stringify(path)}].value must name the field of ${type} that holds an entry`)
  }
  if (fieldIn(making, related, stored.value, path) === undefined) return undefined
  const scalar = scalarOf(making, related, entry, path, stored.value, stored.lower)
  return scalar && { kind: 'many', name: stored.name, entry: scalar, key: making.datamodel.keys.get(related.name)! }
}

function fieldIn({ problems }: Making, model: NamedModel, name: string, path: string): ModelField | undefined {
  const modelField = model.fields.get(name)
  if (modelField === undefined)
    problems.push(`${path}: ${model.name} has no field ${name}${suggestionOf(name, model.fields.keys())}`)
  else if (isGroup(name)) problems.push(`${path}: Prisma takes ${name} for a group`)
  else return modelField
  return undefined
}

function scalarOf(
  making: Making,
  model: NamedModel,
  definition: EntryField,
  path: string,
  name: string,
  lower: string | undefined,
): StoredScalar | undefined {
  const { problems } = making
  const modelField = model.fields.get(name)!
  const storage = storageOf(making, modelField)
  if (storage === undefined || !storage.types.includes(definition.type)) {
    const stored = writtenType(modelField)
    problems.push(`${path} cannot be ${model.name}.${name}: ${stored} does not store ${definition.type} exactly`)
    return undefined
  }
  const isMomentText = storage.isText && definition.type === 'datetime'
  let small: StoredScalar | undefined
  if (lower !== undefined) {
    if (fieldIn(making, model, lower, path) === undefined) return undefined
    small = scalarOf(making, model, definition, path, lower, undefined)
    if (small?.storage.isText === false || !storage.isText) problems.push(`${path}: lower is of texts alone`)
  }
  return {
    kind: 'scalar',
    name,
    isOptional: modelField.arity === 'optional',
    storage: isMomentText ? momentText(storage) : storage,
    lower: small,
  }
}
