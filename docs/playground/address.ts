/** The state of the page, and its text in the fragment of the address: a link shows what its sender saw. */
import { ownNotation } from './answer.ts'
import type { Subject } from './subject.ts'

export interface State {
  /** The name of the list. */
  readonly list: string
  readonly query: string
  /** The name of the notation that parses the query. */
  readonly notation: string
  /** The key of the row that is traced. There may be no such row. */
  readonly row: string | undefined
  readonly dialect: string
  /** Whether the SQL is the statement that reads whole rows. */
  readonly isWhole: boolean
}

type Named = Pick<Subject, 'name' | 'dialects' | 'isKey' | 'notations' | 'source'>

/** Finds the list of a name, or the first one. */
export const subjectIn = <S extends Named>(subjects: readonly S[], name: string | null): S =>
  subjects.find((one) => one.name === name) ?? subjects[0]!

/**
 * The fragment, which no server sees. The form of URLSearchParams keeps every character, and has none at which chats and
 * mails end a link.
 */
export function fragmentOf(
  subjects: readonly Named[],
  { list, query, notation, row, dialect, isWhole }: State,
): string {
  const { source } = subjectIn(subjects, list)
  const parameters = new URLSearchParams({
    ...(list !== subjects[0]!.name && (source === undefined ? { list } : { schema: source })),
    ...(query !== '' && { query }),
    ...(notation !== ownNotation && { notation }),
    ...(row !== undefined && { row }),
    ...(dialect !== Object.keys(subjectIn(subjects, list).dialects)[0] && { dialect }),
    ...(isWhole && { whole: 'true' }),
  })
  return parameters.size === 0 ? '' : `#${parameters.toString()}`
}

/** Reads a fragment; a wrong part of it counts as absent. */
export function stateOf(subjects: readonly Named[], fragment: string): State {
  const parameters = new URLSearchParams(fragment.slice(1))
  const source = parameters.get('schema') ?? undefined
  const named = source === undefined ? undefined : subjects.find((one) => one.source === source)
  const { name: list, dialects, isKey, notations } = named ?? subjectIn(subjects, parameters.get('list'))
  const row = parameters.get('row') ?? ''
  const dialect = parameters.get('dialect') ?? ''
  const notation = parameters.get('notation') ?? ''
  return {
    list,
    query: parameters.get('query') ?? '',
    notation: notations.includes(notation) ? notation : ownNotation,
    row: isKey(row) ? row : undefined,
    dialect: Object.hasOwn(dialects, dialect) ? dialect : Object.keys(dialects)[0]!,
    isWhole: parameters.get('whole') === 'true',
  }
}
