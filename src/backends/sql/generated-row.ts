/**
 * The reader of rows as generated code, for speed alone: one function for each selection, which makes an object with constant names.
 * The text contains the names of fields, as literals of JavaScript, and no value.
 */
import { generated } from '../../generated.ts'
import { entriesIn, isPresent, parsed } from './read-row.ts'
import type { Beside, JsonShape, ListShape, Member, ObjectShape, RowReader, Shape, ValueShape } from './read-row.ts'

/** A function in the making. */
interface Program {
  /** The variables that the text gets. */
  readonly constants: Record<string, unknown>
  /** The lines that read the cells. */
  readonly lines: string[]
  /** The variables of the values, by shape: a member that shows whether its object exists is read once. */
  readonly variables: Map<Shape, string>
  /** Returns the expression of a cell. */
  readonly cell: (at: number) => string
}

const newProgram = (cell: Program['cell']): Program => ({
  constants: { isPresent, addTo },
  lines: [],
  variables: new Map(),
  cell,
})

function addTo(unreadable: Set<ValueShape> | undefined, shape: ValueShape): null {
  unreadable?.add(shape)
  return null
}

/**
 * Generates the reader of a driver's rows.
 *
 * @param closed the reader without generated code. It reads the rows that lack a cell, and throws.
 * @returns `undefined` where the process forbids generated code.
 */
export function generateRowReader(shape: ObjectShape, beside: Beside, closed: RowReader): RowReader | undefined {
  const cells = new Set<number>()
  const cell = (at: number): string => {
    cells.add(at)
    return `a${at}`
  }
  const program = newProgram(cell)
  const row = objectCode(program, shape, beside)
  const names = Array.from(cells, (at) => [`a${at}`, `c${at + 1}`] as const)
  // A property of `Object.prototype` is no cell, and `closed` reads own properties alone.
  const isClosed = names.map(([value, name]) => `${value} === undefined || plain.${name} !== undefined`).join(' || ')
  return generated(
    { ...program.constants, plain: Object.prototype, getPrototypeOf: Object.getPrototypeOf, closed },
    `return (row, unreadable) => {
const prototype = getPrototypeOf(row)
const own = prototype === plain || prototype === null ? row : { ...row }
${names.map(([value, name]) => `const ${value} = own.${name}`).join('\n')}
if (${isClosed === '' ? 'false' : isClosed}) return closed(row, unreadable)
${program.lines.join('\n')}
return ${row}
}`,
  ) as RowReader | undefined
}

/** Generates the reader of the entries of a list: each is a list of cells. */
function entryReader(shape: Shape): (parts: readonly unknown[], unreadable?: Set<ValueShape>) => unknown {
  const program = newProgram((at) => `parts[${at}]`)
  const entry = codeOf(program, shape)
  const text = `return (parts, unreadable) => {\n${program.lines.join('\n')}\nreturn ${entry}\n}`
  return generated(program.constants, text) as ReturnType<typeof entryReader>
}

/** The expression of a part of a row. */
function codeOf(program: Program, shape: Shape): string {
  if (shape.kind === 'object') return objectCode(program, shape)
  const known = program.variables.get(shape)
  if (known !== undefined) return known
  const variable = `v${program.variables.size}`
  program.variables.set(shape, variable)
  program.lines.push(`const ${variable} = ${readingCode(program, shape)}`)
  return variable
}

function readingCode(program: Program, shape: ValueShape | JsonShape | ListShape): string {
  const cell = program.cell(shape.at)
  switch (shape.kind) {
    case 'value': {
      const read = constant(program, shape.read)
      return `${cell} === null ? null : ${read}(${cell}) ?? addTo(unreadable, ${constant(program, shape)})`
    }
    case 'json':
      return `${constant(program, (value: unknown) => shape.form(parsed(shape, value)))}(${cell})`
    case 'list': {
      const readEntry = entryReader(shape.entry)
      const readList = (value: unknown, unreadable?: Set<ValueShape>) =>
        entriesIn(shape, parsed(shape, value), (parts) => readEntry(parts, unreadable))
      return `${constant(program, readList)}(${cell}, unreadable)`
    }
  }
}

function constant({ constants }: Program, value: unknown): string {
  const name = `k${Object.keys(constants).length}`
  constants[name] = value
  return name
}

function objectCode(program: Program, { members, exists }: ObjectShape, beside: Beside = []): string {
  const test = typeof exists === 'number' ? `${program.cell(exists)} !== null` : memberTest(program, exists)
  const properties = [
    ...members.map(([name, member]) => `${propertyName(name)}: ${codeOf(program, member)}`),
    ...beside.map(([name, at]) => `${propertyName(name)}: ${program.cell(at)}`),
  ]
  const object = `{ ${properties.join(', ')} }`
  return test === undefined ? `(${object})` : `(${test} ? ${object} : null)`
}

/** The name in brackets defines a property, also one called `__proto__`. */
const propertyName = (name: string): string =>
  name === '__proto__' ? `[${JSON.stringify(name)}]` : JSON.stringify(name)

const memberTest = (program: Program, exists: 'always' | readonly Member[]): string | undefined =>
  exists === 'always' ? undefined : anyCode(program, exists)

const anyCode = (program: Program, members: readonly Member[]): string =>
  `(${members.map(([, member]) => presenceCode(program, member)).join(' || ') || 'false'})`

/** The expression of whether a part of a row has a value. */
function presenceCode(program: Program, shape: Shape): string {
  if (shape.kind !== 'object') return `isPresent(${codeOf(program, shape)})`
  const { exists, members } = shape
  if (typeof exists === 'number') return `${program.cell(exists)} !== null`
  return anyCode(program, exists === 'always' ? members : exists)
}
