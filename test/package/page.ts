/** Pages of docs: the parts of them that are made. `UPDATE=1` writes them anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/** Without what a formatter adds. */
const squeeze = (text: string) => text.replace(/ +/g, ' ').replace(/-{2,}/g, '-').trim()

/** What stands behind a marker of a page: the lines of a table, or the rest of the page. */
export const sectionsOf =
  (name: string) =>
  (marker: string, lines: '\\|.*\\n' | '[^]', expected: string): void => {
    const page = join(import.meta.dirname, '../../docs', name)
    const pattern = new RegExp(`(<!-- ${marker} -->\\n\\n?)((?:${lines})*)`)
    const text = readFileSync(page, 'utf8')
    if (process.env.UPDATE)
      writeFileSync(
        page,
        text.replace(pattern, (_, head: string) => `${head}${expected}\n`),
      )
    expect(squeeze(pattern.exec(readFileSync(page, 'utf8'))![2]!)).toBe(squeeze(expected))
  }
export const tableRows = '\\|.*\\n'
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

/** The row of a table, behind a marker, that begins with the first cell: tables whose rows are not all made at once. */
export function expectRow(name: string, marker: string, cells: readonly string[]): void {
  const page = join(import.meta.dirname, '../../docs', name)
  const row = `| ${cells.join(' | ')} |`
  const pattern = new RegExp(`(<!-- ${marker} -->\\n(?:\\n?\\|.*\\n)*?)(\\| ${cells[0]} +\\|.*\\n)`)
  const text = readFileSync(page, 'utf8')
  const table = new RegExp(`<!-- ${marker} -->\\n(?:\\n?\\|.*\\n)*`)
  if (process.env.UPDATE) {
    const updated = pattern.test(text)
      ? text.replace(pattern, (_, before: string) => `${before}${row}\n`)
      : text.replace(table, (all) => `${all}${row}\n`)
    writeFileSync(page, updated)
  }
  expect(squeeze(pattern.exec(readFileSync(page, 'utf8'))?.[2] ?? '')).toBe(squeeze(row))
}
