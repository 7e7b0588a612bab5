/** Reads Prisma's schema: the models and enums of `schema.prisma`, as far as filters need them. */

export interface ModelField {
  /** A scalar type of Prisma, an enum or a model. */
  readonly type: string
  /** The type of its column where the schema names one: `Date` of `@db.Date`. */
  readonly native: string | undefined
  /** The number behind the type of the column: 6 of `@db.Timestamptz(6)`, 36 of `@db.Char(36)`. */
  readonly size: number | undefined
  readonly arity: 'required' | 'optional' | 'list'
}
/** The fields of a model by name. */
export type Model = ReadonlyMap<string, ModelField>
/** Prisma's schema. */
export interface Datamodel {
  readonly provider: string | undefined
  readonly models: ReadonlyMap<string, Model>
  /** By model, the fields that rows are ordered by where nothing else orders them: no two rows have the same values there. A view without a unique key has all. */
  readonly keys: ReadonlyMap<string, readonly string[]>
  /** By model, the fields of its id, or else of its first unique index whose fields are required. `[]` for a view without one. */
  readonly uniqueKeys: ReadonlyMap<string, readonly string[]>
  /** The values of each enum, as the client names them. */
  readonly enums: ReadonlyMap<string, readonly string[]>
}

// These take quadratic or cubic time for a text that is not a schema of Prisma. The file is the developer's own.
// A comment may contain a quote, and a string the marks of a comment.
const stringsAndComments = /"(?:\\.|[^"\\\n])*"|\/\/[^\n]*|\/\*[^]*?\*\//g
const strings = /"(?:\\.|[^"\\\n])*"/g
/** In Prisma's grammar a block begins and ends with a line of its own, and a field is one line. */
const blocks = /^[^\S\n]*(\w+)[^\S\n]+([^\s{]+)[^\S\n]*\{[^\S\n]*\n([^]*?)^[^\S\n]*\}/gmu
const fieldLine = /^([\p{L}\w]+)\s+([\p{L}\w]+)(\[\]|\?)?(.*)$/u
const arities: Readonly<Record<string, ModelField['arity']>> = { '': 'required', '?': 'optional', '[]': 'list' }

/** @see https://www.prisma.io/docs/orm/reference/prisma-schema-reference */
export function readDatamodel(text: string): Datamodel {
  const models = new Map<string, Model>()
  const linesOf = new Map<string, readonly string[]>()
  const enums = new Map<string, readonly string[]>()
  let provider: string | undefined
  const plain = text.replace(stringsAndComments, (match) => (match.startsWith('"') ? match : ''))
  for (const [, word, name, body] of plain.matchAll(blocks)) {
    const all = body!.split('\n').map((line) => line.trim())
    const lines = all.filter((line) => line !== '' && !line.startsWith('@@'))
    if (word === 'model' || word === 'view') {
      models.set(name!, new Map(lines.flatMap(fieldOf)))
      linesOf.set(name!, all)
    }
    if (word === 'enum') enums.set(name!, lines.map(valueOf))
    if (word === 'datasource') provider = /provider\s*=\s*"(\w+)"/.exec(body!)?.[1]
  }
  const uniqueKeys = new Map(Array.from(models, ([name, model]) => [name, uniqueKeyOf(model, linesOf.get(name)!)]))
  const keys = new Map(
    Array.from(models, ([name, model]) => {
      const key = uniqueKeys.get(name)!
      return [name, key.length > 0 ? key : orderedFields(model, models)]
    }),
  )
  return { provider, models, keys, uniqueKeys, enums }
}

function uniqueKeyOf(model: Model, lines: readonly string[]): readonly string[] {
  const candidates = ['id', 'unique'].flatMap((word) => uniqueIn(lines, word))
  return candidates.find((names) => names.every((name) => model.get(name)?.arity === 'required')) ?? []
}

/** The fields of a model that the database can order. */
const orderedFields = (model: Model, models: ReadonlyMap<string, Model>): readonly string[] =>
  Array.from(model).flatMap(([name, { type, arity }]) =>
    arity !== 'list' && type !== 'Json' && !models.has(type) ? [name] : [],
  )

/** The fields of each `@id` or `@unique`, then of each `@@id([…])` or `@@unique([…])`. */
function uniqueIn(lines: readonly string[], word: string): string[][] {
  const attributes = lines.map((line) => line.replace(strings, '""'))
  const ofField = new RegExp(`^([\\p{L}\\w]+)\\s.*\\s@${word}\\b`, 'u')
  const ofModel = new RegExp(`^@@${word}\\b[^[]*\\[([^\\]]*)\\]`)
  return [
    ...attributes.flatMap(
      (line) =>
        ofField
          .exec(line)
          ?.slice(1, 2)
          .map((name) => [name]) ?? [],
    ),
    // A name may have arguments: `title(sort: Desc)`.
    ...attributes.flatMap((line) =>
      // Quadratic, too.
      Array.from(ofModel.exec(line)?.slice(1, 2) ?? [], (names) =>
        names
          .replace(/\([^)]*\)/g, '')
          .split(',')
          .map((name) => name.trim()),
      ),
    ),
  ]
}

/** The value that a line of an enum declares. */
const valueOf = (line: string): string => line.split(/[\s@]/, 1)[0]!

/** A field by its name; none for a line without one, or for a field that the client does not have. */
function fieldOf(line: string): [string, ModelField][] {
  const [, name, type, mark = '', rest] = fieldLine.exec(line) ?? []
  if (name === undefined || type === 'Unsupported') return []
  const attributes = rest!.replace(strings, '""')
  if (/@ignore\b/.test(attributes)) return []
  // `@db.Date`, where `db` is the name of the datasource.
  const [, native, size] = /@\w+\.(\w+)(?:\((\d+)\))?/.exec(attributes) ?? []
  return [[name, { type: type!, native, size: size === undefined ? size : Number(size), arity: arities[mark]! }]]
}
