/** Reads statements.txt: a query in a line, what a backend makes of its filter, and the parameters, if there are some. */
import { readFileSync } from 'node:fs'

const lines = readFileSync(new URL('statements.txt', import.meta.url), 'utf8').split('\n')

type Row = [query: string, statement: string, parameters: string, place: string]

/** The rows below `[section]`, each with the line that a failure names. */
export function statements(section: string): Row[] {
  const start = lines.indexOf(`[${section}]`) + 1
  if (start === 0) throw new Error(`statements.txt has no section ${section}`)
  const length = lines.slice(start).findIndex((line) => line.startsWith('['))
  return lines.slice(start, length < 0 ? undefined : start + length).flatMap((line, at): Row[] => {
    if (line === '' || line.startsWith('#')) return []
    const place = `statements.txt:${start + at + 1}`
    const [query, statement, parameters = '[]', more] = line.split(' → ')
    if (statement === undefined || more !== undefined)
      throw new Error(`${place} must be: query → statement → parameters`)
    return [[query!, statement, parameters, place]]
  })
}

/** A document of MongoDB or Prisma in JSON, where `{ "$date": "2024-01-31" }` is a `Date`. */
export const documentOf = (json: string) =>
  JSON.parse(json, (_, value: { readonly $date?: string } | null) =>
    typeof value?.$date === 'string' ? new Date(value.$date) : value,
  ) as object
