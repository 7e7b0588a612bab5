/** Lists the options of all commands. The parser and the help texts read this table. */
import { parseArgs } from 'node:util'
import { Failure, messageOf } from './failure.ts'

interface Option {
  /** The placeholder of the value in the help text. A flag has none. */
  readonly value?: string
  readonly multiple?: boolean
  readonly summary: string
}

const options = {
  url: {
    value: 'URL|FILE',
    summary: 'The database: a URL of PostgreSQL, MySQL or MariaDB, or a file of SQLite or DuckDB.',
  },
  driver: { value: 'MODULE', summary: 'A module whose default export runs a statement. It needs --dialect.' },
  dialect: { value: 'NAME', summary: 'The dialect of the mapping. Default: that of the database.' },
  schema: { value: 'NAME', multiple: true, summary: 'A schema to describe. Repeat it for more.' },
  include: {
    value: 'GLOB',
    multiple: true,
    summary: 'The tables to write or serve, such as sales.*. Repeat it for more.',
  },
  with: { value: 'TABLE.LIST', multiple: true, summary: 'A list to write or serve in rows. Repeat it for more.' },
  out: { value: 'FILE', summary: 'The file to write. Default: stdout.' },
  force: { summary: 'Replace the file if it exists.' },
  sample: { value: 'N|all', summary: 'How many rows of a table to read. Default: 1000.' },
  against: { value: 'FILE', summary: 'A description that inspect wrote, in place of a database.' },
  format: { value: 'text|json|github', summary: 'The form of the findings. Default: text.' },
  'max-warnings': { value: 'N', summary: 'Exit with 1 if there are more warnings.' },
  restriction: {
    value: 'FIELD',
    multiple: true,
    summary: 'A field that each query compares by equality. Repeat it for more.',
  },
  all: { summary: 'Also for small tables, and for conditions that select many rows.' },
  strict: { summary: 'Exit with 1 if an index is missing.' },
  port: { value: 'N', summary: 'The port of the server. 0 takes a free one. Default: 4000.' },
  show: { value: 'TABLE.COLUMN', multiple: true, summary: 'A hidden column to show. Repeat it for more.' },
  table: { value: 'NAME', summary: 'The export that has the table or the collection.' },
} as const satisfies Record<string, Option>
export type OptionName = keyof typeof options
type ValueOf<N extends OptionName> = (typeof options)[N] extends { readonly multiple: true }
  ? readonly string[]
  : (typeof options)[N] extends { readonly value: string }
    ? string
    : boolean

/** The parsed arguments of a command. */
export interface Arguments {
  readonly values: { readonly [N in OptionName]?: ValueOf<N> }
  readonly positionals: readonly string[]
}

/** A command of the command line. */
export interface Command {
  /** The positional arguments in the usage line. */
  readonly takes: string
  readonly summary: string
  /** Sentences that the help of this command adds. */
  readonly about: readonly string[]
  readonly options: readonly OptionName[]
  /** @returns the exit code. */
  readonly run: (args: Arguments) => Promise<0 | 1>
}

/** @throws Failure for an option that the command does not have. */
export function readArguments(name: string, command: Command, args: readonly string[]): Arguments & { help: boolean } {
  const known = Object.fromEntries(
    command.options.map((option) => {
      const { value, multiple = false }: Option = options[option]
      return [option, { type: value === undefined ? ('boolean' as const) : ('string' as const), multiple }]
    }),
  )
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...known, help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    const { help, ...rest } = values
    return { values: rest as Arguments['values'], positionals, help: help === true }
  } catch (error) {
    throw new Failure(2, `${messageOf(error).replace(/\.\s.*/s, '')}. See: urlwhere help ${name}`)
  }
}

/** Parses a whole number from 0. @throws Failure for another text. */
export function numberOf(option: OptionName, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Failure(2, `--${option} takes a whole number, not ${text}`)
}

const lines = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}

/** Formats the help of one command. */
export const helpOf = (name: string, { takes, summary, about, options: names }: Command): string =>
  [
    `Usage: urlwhere ${name} ${takes} [options]\n\n${summary}\n`,
    about.map((sentence) => `${sentence}\n`).join(''),
    `Options:\n${lines([
      ...names.map((name) => {
        const { value, summary }: Option = options[name]
        return [`--${name}${value === undefined ? '' : ` ${value}`}`, summary] as const
      }),
      ['--help', 'Print this help.'],
    ])}`,
  ].join('\n')

/** Formats the help of all commands. */
export const overviewOf = (commands: Readonly<Record<string, Command>>): string =>
  [
    `Usage: urlwhere COMMAND [options]\n`,
    `Commands:\n${lines([
      ...Object.entries(commands).map(([name, { summary }]) => [name, summary] as const),
      ['help', 'Print the help of a command.'],
    ])}`,
    `Options:\n${lines([
      ['--help', 'Print this help.'],
      ['--version', 'Print the version.'],
    ])}`,
    `Exit codes:\n${lines([
      ['0', 'No finding is an error.'],
      [
        '1',
        'A finding is an error, there are too many warnings, an index is missing with --strict, or a query is invalid.',
      ],
      ['2', 'The arguments are wrong, or a module does not load.'],
      ['3', 'There is no driver, no connection or no right to read.'],
    ])}`,
    `Findings go to stdout. Everything else goes to stderr. No command writes to a database.\n`,
  ].join('\n')
