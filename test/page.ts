/** Pages of docs: the parts of them that are made. `UPDATE=1` writes them anew. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'

/** What stands behind a marker of a page: the lines of a table, or the rest of the page. */
export const sectionsOf =
  (name: string) =>
  (marker: string, lines: '\\|.*\\n' | '[^]', expected: string): void => {
    const page = join(import.meta.dirname, '../docs', name)
    const pattern = new RegExp(`(<!-- ${marker} -->\\n\\n?)((?:${lines})*)`)
    const text = readFileSync(page, 'utf8')
    if (process.env.UPDATE)
      writeFileSync(
        page,
        text.replace(pattern, (_, head: string) => `${head}${expected}\n`),
      )
    const squeeze = (text: string) => text.replace(/ +/g, ' ').replace(/-{2,}/g, '-').trim()
    expect(squeeze(pattern.exec(readFileSync(page, 'utf8'))![2]!)).toBe(squeeze(expected))
  }
export const tableRows = '\\|.*\\n'
export const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
