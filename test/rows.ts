/**
 * Reads a file of cases: a row in a line, ` → ` between its cells, `[name]` above the rows of a section, `#` before a comment. A file has
 * no width, so that a case stays in its line.
 */
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** The cells of each row of a section, and the line that a failure names. */
export function rowsIn(file: URL, section: string) {
  const name = basename(file.pathname)
  const lines = readFileSync(file, 'utf8').split('\n')
  const start = lines.indexOf(`[${section}]`) + 1
  if (start === 0) throw new Error(`${name} has no section ${section}`)
  const length = lines.slice(start).findIndex((line) => /^\[[^=\]]+\]$/.test(line))
  return lines.slice(start, length < 0 ? undefined : start + length).flatMap((line, at) => {
    if (line === '' || line.startsWith('#')) return []
    const place = `${name}:${start + at + 1}`
    const cells = line.split(' → ')
    if (cells.length === 1) throw new Error(`${place} has one cell`)
    return [{ cells, place }]
  })
}

/** The same, where a row without its first cell is one more of the row above. */
export function casesIn(file: URL, section: string) {
  const cases: { readonly text: string; readonly expected: string[][]; readonly place: string }[] = []
  for (const { cells, place } of rowsIn(file, section)) {
    const [text, ...expected] = cells
    if (text === '') cases.at(-1)!.expected.push(expected)
    else cases.push({ text: text!, expected: [expected], place })
  }
  return cases
}
