/** The state of the page, and its text in the fragment of the address: a link shows what its sender saw. */
import { dialectNames, notationNames, ownNotation } from './answer.ts'

export interface State {
  readonly query: string
  /** The name of the notation that parses the query. */
  readonly notation: string
  /** The `id` of the row that is traced. There may be no such row. */
  readonly row: number | undefined
  readonly dialect: string
  /** Whether the SQL is the statement that reads whole rows. */
  readonly isWhole: boolean
}

/**
 * The fragment, which no server sees. The form of URLSearchParams keeps every character, and has none at which chats and
 * mails end a link.
 */
export function fragmentOf({ query, notation, row, dialect, isWhole }: State): string {
  const parameters = new URLSearchParams({
    ...(query !== '' && { query }),
    ...(notation !== ownNotation && { notation }),
    ...(row !== undefined && { row: String(row) }),
    ...(dialect !== dialectNames[0] && { dialect }),
    ...(isWhole && { whole: 'true' }),
  })
  return parameters.size === 0 ? '' : `#${parameters.toString()}`
}

/** Reads a fragment; a wrong part of it counts as absent. */
export function stateOf(fragment: string): State {
  const parameters = new URLSearchParams(fragment.slice(1))
  const row = Number(parameters.get('row'))
  const dialect = parameters.get('dialect') ?? ''
  const notation = parameters.get('notation') ?? ''
  return {
    query: parameters.get('query') ?? '',
    notation: notationNames.includes(notation) ? notation : ownNotation,
    row: Number.isSafeInteger(row) && row >= 1 ? row : undefined,
    dialect: dialectNames.includes(dialect) ? dialect : dialectNames[0]!,
    isWhole: parameters.get('whole') === 'true',
  }
}
