/** Reads statements.txt: a query, what a backend makes of its filter, and the parameters as JSON, if there are some. */
import { rowsIn } from '../rows.ts'

export const statements = (section: string) =>
  rowsIn(new URL('statements.txt', import.meta.url), section).map(
    ({ cells: [query, statement, parameters = '[]'], place }) => [query!, statement!, parameters, place] as const,
  )

/** A document of MongoDB or Prisma in JSON, where `{ "$date": "2024-01-31" }` is a `Date`. */
export const documentOf = (json: string) =>
  JSON.parse(json, (_, value: { readonly $date?: string } | null) =>
    typeof value?.$date === 'string' ? new Date(value.$date) : value,
  ) as object
