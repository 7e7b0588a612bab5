/** `fromPrisma`: the schema of a model of Prisma. */
import { nameDefect, type LiteralType } from '../../tree/index.ts'
import { defineSchema, field } from '../../language/index.ts'
import type { EntryField, Field, FieldOptions, Fields, Schema } from '../../language/index.ts'
import { checkOptions } from '../../options.ts'
import { own } from '../../own.ts'
import { dotted } from '../issues.ts'
import type { Datamodel, ModelField } from './datamodel.ts'
import { databaseOf, isGroup, modelNamed, requiredModel, storageOf, suggestionOf, writtenType } from './mapping.ts'
import type { NamedModel } from './mapping.ts'
import type { Provider } from './provider.ts'

/** The fields of a row, in the form of the options of Prisma's `findMany`. Fields with `false` are not chosen. */
export interface PrismaShape {
  /** The fields and relations to read, and no others. */
  readonly select?: Readonly<Record<string, boolean | PrismaShape>>
  /** Relations to read beside all fields. */
  readonly include?: Readonly<Record<string, boolean | PrismaShape>>
  /** Fields to leave out. */
  readonly omit?: Readonly<Record<string, boolean>>
}

/** The result of {@link fromPrisma}. `prismaBackend` accepts it as its options. */
export interface PrismaModel {
  readonly schema: Schema
  readonly datamodel: string
  readonly model: string
  /** The fields of the id, or of the first unique index whose fields are required, for the `key` of a collection. `[]` if there is none. */
  readonly key: readonly string[]
  /**
   * The fields that are not in the schema, by dotted path, with the reason: `Bytes`, a type that rounds, pads or folds values, or `Json` that
   * no option names.
   */
  readonly omitted: Readonly<Record<string, string>>
}

/** The conversion of a datamodel. */
interface Conversion {
  readonly datamodel: Datamodel
  readonly provider: Provider
  readonly omitted: Record<string, string>
}

/**
 * Makes the schema of a model of Prisma, and the options of {@link prismaBackend} with it. Without options, the schema has the fields of
 * the model, and no relations, as a row of `findMany` has.
 *
 * @param datamodel the text of `schema.prisma`, or the texts of all files.
 * @param model the name of the model.
 * @param options the fields and relations, in the form of the options of `findMany`.
 * @throws TypeError for an unknown model or field, for a chosen field that cannot be one, and for `select` beside `include` or `omit`.
 * @see https://www.prisma.io/docs/orm/prisma-client/queries/select-fields
 * @example
 * // datamodel is the text of prisma/schema.prisma.
 * const note = fromPrisma(datamodel, 'Note', { omit: { total: true } })
 * const noteCollection = defineCollection(note.schema, { key: note.key })
 * prismaBackend(note).compileQuery(parseQueryOrThrow(noteCollection, 'limit=10'))
 */
export function fromPrisma(
  datamodel: string | readonly string[],
  model: string,
  options: PrismaShape = {},
): PrismaModel {
  const text = [datamodel].flat().join('\n')
  const database = databaseOf(text)
  const omitted = Object.create(null) as Record<string, string>
  const named = requiredModel(database.datamodel, model)
  const schema = defineSchema(fieldsOf({ ...database, omitted }, named, options, ''))
  const key = database.datamodel.uniqueKeys.get(model)!
  return Object.freeze({
    schema,
    datamodel: text,
    model,
    key: key.every((name) => Object.hasOwn(schema.fields, name)) ? key : [],
    omitted: Object.freeze({ ...omitted }),
  })
}

/** A field of a model that a shape chooses. */
interface Choice {
  readonly name: string
  readonly definition: ModelField
  /** The shape of a relation. */
  readonly inner: PrismaShape
  /** Whether the shape names the field. */
  readonly isNamed: boolean
}

/** @param at the dotted path of the object with the fields; '' is the row. */
function fieldsOf(conversion: Conversion, model: NamedModel, shape: PrismaShape, at: string): Fields {
  const fields: Record<string, Field> = {}
  for (const { name, definition, inner, isNamed } of choicesOf(conversion, model, shape, at)) {
    const path = dotted(at, [name])
    const isJson = isNamed && definition.type === 'Json' && definition.arity !== 'list'
    const result = defectOf(name) ?? (isJson ? field.json() : fieldOf(conversion, definition, inner, path))
    if (typeof result !== 'string') fields[name] = result
    else if (isNamed) throw new TypeError(`options choose ${path}, which cannot be a field: ${result}`)
    else conversion.omitted[path] = result
  }
  return fields
}

function defectOf(name: string): string | undefined {
  const defect = isGroup(name) ? 'is a group of Prisma' : nameDefect(name)
  return defect && `the name ${defect}`
}

function choicesOf({ datamodel }: Conversion, model: NamedModel, shape: PrismaShape, at: string): readonly Choice[] {
  const argument = at === '' ? 'options' : `options of ${at}`
  const { select, include = {}, omit = {} } = checkOptions(shape, argument, ['select', 'include', 'omit'])
  const isRelation = ({ type }: ModelField): boolean => datamodel.models.has(type)
  for (const [option, choices] of Object.entries({ select, include, omit })) {
    if (choices === undefined) continue
    checkChoices(model, choices, `${argument}.${option}`, (field) => option !== 'omit' && isRelation(field))
  }
  if (select !== undefined && Object.keys(include).length + Object.keys(omit).length > 0) {
    throw new TypeError(`${argument} must not have select beside include or omit`)
  }
  const named = { ...include, ...select }
  return Array.from(model.fields).flatMap(([name, definition]): readonly Choice[] => {
    const choice = own(named, name) ?? false
    if (choice !== false) return [{ name, definition, inner: choice === true ? {} : choice, isNamed: true }]
    const isLeftOut = select !== undefined || isRelation(definition) || own(omit, name) === true
    return isLeftOut ? [] : [{ name, definition, inner: {}, isNamed: false }]
  })
}

/** @param hasShape whether a field may have a shape instead of true. */
function checkChoices(
  { name: model, fields }: NamedModel,
  choices: object,
  argument: string,
  hasShape: (field: ModelField) => boolean,
): void {
  if (typeof choices !== 'object' || choices === null || Array.isArray(choices)) {
    throw new TypeError(`${argument} must be an object`)
  }
  for (const [name, choice] of Object.entries(choices)) {
    const field = fields.get(name)
    if (field === undefined) {
      throw new TypeError(`${argument}: ${model} has no field ${name}${suggestionOf(name, fields.keys())}`)
    }
    // Without this check, `omit: { secret: 1 }` leaves `secret` in the schema.
    const isShape = typeof choice === 'object' && choice !== null && hasShape(field)
    if (isShape || choice === undefined || typeof choice === 'boolean') continue
    throw new TypeError(`${argument}.${name} must be true or false${hasShape(field) ? ', or an object' : ''}`)
  }
}

/** @returns the field, or the reason why the schema cannot contain it. */
function fieldOf(conversion: Conversion, stored: ModelField, inner: PrismaShape, path: string): Field | string {
  const { datamodel } = conversion
  const isList = stored.arity === 'list'
  const options = { required: stored.arity === 'required' }
  const related = modelNamed(datamodel, stored.type)
  if (related !== undefined) {
    const fields = fieldsOf(conversion, related, inner, path)
    return isList ? field.list(field.object(fields)) : field.object(fields, options)
  }
  const values = datamodel.enums.get(stored.type)
  const entry = values === undefined ? scalarOf(conversion, stored, options) : field.enumeration(values, options)
  return isList && typeof entry !== 'string' ? field.list(entry) : entry
}

function scalarOf(conversion: Conversion, stored: ModelField, options: FieldOptions): EntryField | string {
  const storage = storageOf(conversion, stored)
  if (storage === undefined) return `no field holds ${writtenType(stored)} exactly`
  const type = storage.types[0]
  return type === 'datetime' && !storage.isCut
    ? field.datetime({ ...options, digits: 3 })
    : (field[type as LiteralType] as (options: FieldOptions) => EntryField)(options)
}
