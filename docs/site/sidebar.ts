/** The navigation of the site: the lists of docs/README.md, so that each page has one place. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pageOf } from './pages.ts'

const read = (docs: string, file: string): string => readFileSync(join(docs, file), 'utf8')

interface Section {
  readonly text: string
  readonly items: { readonly text: string; readonly link: string }[]
}

/** Sections by the headings and by the names above the lists of a heading. Answers to "How do I …" lead to the same pages again. */
export function sidebarOf(docs: string): Section[] {
  const sections: Section[] = []
  for (const line of read(docs, 'README.md').split('\n')) {
    const text = /^(?:## )?([A-Z][\w …]*):?$/.exec(line)?.[1]
    if (text !== undefined) sections.push({ text, items: [] })
    if (!/^(?:- | {2})/.test(line)) continue
    for (const [, name, file] of line.matchAll(/\[([^\]]*)\]\((?!\.)([^)#]*\.md)\)/g)) {
      // A link within a sentence begins with a small letter.
      const title = /^[a-z]/.test(name!) ? /^# (.*)/.exec(read(docs, file!))![1]! : name!
      sections.at(-1)!.items.push({ text: title.replaceAll('`', ''), link: `/${pageOf(file!).replace(/\.md$/, '')}` })
    }
  }
  return sections.filter(({ text, items }) => text !== 'How do I …' && items.length > 0)
}
