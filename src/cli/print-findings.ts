/** Formats findings as text, as JSON and as annotations of GitHub. */
import { styleText } from 'node:util'
import type { Finding } from '../tools/inspect/index.ts'
import type { Pair } from './modules.ts'

/** The findings of a pair, and its table in the description. */
export interface Checked extends Pick<Pair, 'file' | 'names'> {
  readonly place: string
  readonly findings: readonly Finding[]
}

const levels = ['error', 'warning', 'info'] as const
const styles = { error: 'red', warning: 'yellow', info: 'blue' } as const

const exportOf = ({ names: { table, collection } }: Checked): string => collection ?? table
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
export const countOf = (all: readonly Checked[], level: Finding['level']): number =>
  all.reduce((sum, { findings }) => sum + findings.filter((one) => one.level === level).length, 0)

function asText(all: readonly Checked[]): string {
  // `styleText` omits colours for a pipe and with NO_COLOR.
  const isColoured = process.stdout.isTTY && process.stdout.hasColors()
  const styled = (style: Parameters<typeof styleText>[0], text: string): string =>
    isColoured ? styleText(style, text) : text
  const blocks = all.map((checked) => {
    const { file, place, findings } = checked
    const width = Math.max(...findings.map(({ path }) => path.length), 0)
    const lines = findings.flatMap(({ level, path, message, fix, code }) => [
      `  ${styled(styles[level], level.padEnd(7))}  ${path.padEnd(width)}  ${message}  ${styled('dim', code)}`,
      ...(fix === undefined ? [] : [`${' '.repeat(width + 13)}write ${fix}`]),
    ])
    return [`${styled('bold', file)}  ${exportOf(checked)} → ${place}`, ...lines].join('\n')
  })
  const counts = levels.flatMap((level) => {
    const count = countOf(all, level)
    return count === 0 ? [] : [level === 'info' ? `${count} info` : plural(count, level)]
  })
  return `${blocks.join('\n\n')}\n\n${counts.join(', ') || 'no findings'} in ${plural(all.length, 'table')}\n`
}

const asJson = (all: readonly Checked[]): string => {
  const flat = all.flatMap(({ file, names, findings }) => findings.map((finding) => ({ file, ...names, ...finding })))
  return `${JSON.stringify(flat, null, 2)}\n`
}

const commands = { error: 'error', warning: 'warning', info: 'notice' } as const
const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapedProperty = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

/** @see https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands */
const asGithub = (all: readonly Checked[]): string =>
  all
    .flatMap(({ file, findings }) =>
      findings.map(({ level, code, message, fix }) => {
        const sentence = fix === undefined ? message : `${message}. Write ${fix}`
        return `::${commands[level]} file=${escapedProperty(file)},title=${code}::${escaped(sentence)}\n`
      }),
    )
    .join('')

/** The forms of `--format`. */
export const formats = { text: asText, json: asJson, github: asGithub } as const
export const isFormat = (name: string): name is keyof typeof formats => Object.hasOwn(formats, name)
