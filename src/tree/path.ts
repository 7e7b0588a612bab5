/** The names that fields may have, and paths of them. */
import { isPlainText } from '../values/characters.ts'
import { maxPathLength, type Path } from './ast.ts'
import { isText } from './literal.ts'
import { listOf, refuse, type Read } from './read.ts'

/** Why a path cannot have a name; `undefined` when it can. */
export function keyDefect(name: unknown): string | undefined {
  if (!isText(name) || name === '') return 'must be a non-empty string'
  if (/[.[\]]/.test(name)) return "must not contain '.', '[' or ']', which have a meaning in queries"
  if (!isPlainText(name)) return 'must not contain U+0000 or a lone surrogate'
  if (name === '__proto__') return 'must not be __proto__'
  return undefined
}

/** Why a field cannot have a name; `undefined` when it can. A key of a record may begin with `$`. */
export const nameDefect = (name: unknown): string | undefined =>
  typeof name === 'string' && name.startsWith('$')
    ? "must not begin with '$', as MongoDB's operators do"
    : keyDefect(name)

const readNames: Read<Path> = /* @__PURE__ */ listOf((name, reading) => {
  // A key of a record is never the first name.
  const defect = reading.route.at(-1) === 0 ? nameDefect(name) : keyDefect(name)
  return defect === undefined ? (name as string) : refuse(reading, defect)
})

export const readPath: Read<Path> = (value, reading) => {
  if (Array.isArray(value) && reading.names + value.length > maxPathLength)
    refuse(reading, `must have at most ${maxPathLength} names, those of the lists around it included`)
  return readNames(value, reading)
}

export const readPathToList: Read<Path> = (value, reading) => {
  const path = readPath(value, reading)
  return path.length === 0 ? refuse(reading, 'must not be empty') : path
}

/** Reads the path of a list. The next reader reads an entry of the list. */
export const readPathAround: Read<Path> = (value, reading) => {
  const path = readPathToList(value, reading)
  reading.names += path.length
  return path
}
