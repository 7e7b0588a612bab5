/** Walks a list as a client does that knows nothing of cursors: it follows the `Link` header (RFC 8288). */

export interface Listed {
  readonly data: readonly { readonly id: number; readonly seller: string }[]
  readonly page: { readonly next?: string; readonly previous?: string; readonly count?: number }
}

/** The targets of a `Link` header by relation, as they stand in it. */
export function linksOf(header: string | null): Readonly<Record<string, string>> {
  const links = Array.from((header ?? '').matchAll(/<([^<>]*)>; rel="(\w+)"/g), ([, target, name]) => [name, target])
  return Object.fromEntries(links) as Record<string, string>
}

/** The pages from the first to the last, and those on the way back, in the order of the list. */
export async function walk<Page = Listed>(ask: (path: string) => Promise<Response>, path: string) {
  const follow = async (from: string, relation: string) => {
    const pages: Page[] = []
    let at = from
    for (;;) {
      const response = await ask(at)
      if (response.status !== 200) throw new Error(`${response.status} ${at}: ${await response.text()}`)
      pages.push((await response.json()) as Page)
      const target = linksOf(response.headers.get('link'))[relation]
      if (target === undefined) return { pages, last: at }
      const { pathname, search } = new URL(target, `http://x${at}`)
      at = pathname + search
    }
  }
  const there = await follow(path, 'next')
  const back = await follow(there.last, 'prev')
  return { forwards: there.pages, backwards: back.pages.toReversed() }
}
