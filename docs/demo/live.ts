/** The page of a query and its changes, as server-sent events. */
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { parseQuery, pickFields, restrict, type Collection, type Filter, type Query } from '../../src/index.ts'
import { livePage, type PageChange } from '../../src/live/index.ts'
import type { Problem } from '../../src/service/index.ts'
import type { ChangingRows } from './changes.ts'

/** The answer ends for a client that is this many events behind. The client asks again. */
const mostUnread = 1_000

/**
 * Answers a request for the changes of a list.
 *
 * @param collection the collection of the caller: no event contains its hidden fields.
 * @param restriction the rows that the caller may see.
 * @param source rows without columns that the schema lacks.
 */
export function answerChanges(
  { url }: { readonly url: string },
  collection: Collection,
  restriction: Filter,
  source: ChangingRows<object>,
): Response | Problem {
  const parsed = parseQuery(collection, new URL(url).search.slice(1), { reserved: ['apiKey'] })
  if (!parsed.ok) return { status: 400, detail: parsed.issues[0].message, issues: parsed.issues }
  const events = eventsOf(restrict(parsed.query, restriction), collection, source)
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }
  return new Response(events.pipeThrough(new TextEncoderStream()), { headers })
}

function eventsOf(query: Query, { key }: Collection, { rows, follow }: ChangingRows<object>): ReadableStream<string> {
  const keyPaths = key.map(({ path }) => path)
  const asked: Query = { ...query, count: false, ...(query.fields && { fields: [...keyPaths, ...query.fields] }) }
  const select = memoryBackend().compileQuery(asked)
  const find = () => select([...rows.values()]).rows as readonly object[]
  const live = livePage<object, string | undefined, string>(asked, [])
  const keyOf = pickFields(keyPaths)
  let stop = () => {}
  const start = (controller: ReadableStreamDefaultController<string>) => {
    let sent = ''
    const send = ({ entered, left, changed }: PageChange<unknown>) => {
      const order = live.page.rows.map(keyOf)
      const text = JSON.stringify(order)
      if (text === sent && changed.length === 0) return
      sent = text
      controller.enqueue(`data: ${JSON.stringify({ entered, left, changed, order })}\n\n`)
    }
    stop = follow(asked.filter, (before, after) => {
      if (controller.desiredSize! <= 0) {
        stop()
        return controller.close()
      }
      const change = live.change(before, after)
      send(change)
      if (change.stale) send(live.read(find()))
    })
    send(live.read(find()))
  }
  return new ReadableStream({ start, cancel: () => stop() }, { highWaterMark: mostUnread })
}
