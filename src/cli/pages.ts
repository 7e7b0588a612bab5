/** The files of the playground, which the package has beside the command line. */
import { readdir, readFile } from 'node:fs/promises'

/** The folder of the page, and that of the library, which the page imports. */
const folders = [
  { path: '/', url: new URL('./playground/', import.meta.url) },
  { path: '/lib/', url: new URL('./', import.meta.url) },
]

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The pages by path. No other path leads to a file. */
export async function readPages(): Promise<ReadonlyMap<string, () => Promise<Response>>> {
  const pages = folders.map(async ({ path, url }) =>
    (await readdir(url)).flatMap((name): [string, () => Promise<Response>][] => {
      const type = types[name.slice(name.lastIndexOf('.') + 1)]
      if (type === undefined) return []
      const respond = async () => {
        const headers = { 'content-type': type, 'cache-control': 'no-store' }
        return new Response(await readFile(new URL(name, url)), { headers })
      }
      return [[name === 'index.html' ? path : path + name, respond]]
    }),
  )
  return new Map((await Promise.all(pages)).flat())
}
