/**
 * Streams of three roles beside random changes of rows, and the oracle of each: a page of the rows and the fields of the role alone. A stream
 * has an event exactly where this page changes, and its events lead to it. So neither an event nor its time reveals more than the right.
 */
import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { changingRows } from '../../docs/demo/changes.ts'
import { randomNumbers } from '../../docs/demo/data.ts'
import { answerChanges } from '../../docs/demo/live.ts'
import { memoryBackend } from '../../src/backends/memory/index.ts'
import { and, parseQuery, pickFields, toPage, where, type Collection, type Query } from '../../src/index.ts'
import { cut, offerOf, requestMaker, roles, schema, stored, whole, type Role, type Row } from './attack.ts'
import { Counts } from './tally.ts'

/** The deliberate fault of a stream. */
export type WrongStream = 'rows' | 'fields'
interface Event {
  readonly entered: readonly Row[]
  readonly left: readonly Row[]
  readonly changed: readonly Row[]
  readonly order: readonly Row[]
}

/** How many changes a stream lives, and how many streams each role has at once. */
const [life, streams] = [50, 4]
const { compileQuery } = memoryBackend()
const withoutOthers = ({ passwordHash: _, ...row }: Row): Row => row
/** JSON whose members are in the order of their names. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

export async function attackStream(changes: number, seed: number, wrong?: WrongStream) {
  const faults: string[] = []
  const blame = (text: string) => void (faults.length < 10 && faults.push(text))
  /** How often each role got a stream, a refusal and an event. */
  const counts = new Counts()
  const source = changingRows(stored.map((row) => [row['id'], withoutOthers(row)] as const))
  const random = randomNumbers(seed)
  const below = (limit: number) => Math.floor(random() * limit)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!
  const maker = requestMaker(seed, 'memory')
  const offers = new Map(roles.map((role) => [role, offerOf(role)]))
  const restrictionOf = ({ name }: Role) =>
    name === 'north' && wrong !== 'rows' ? where(schema).equals('seller', 's-north') : and()

  /** Connects a role. @returns the function that compares the stream with the oracle; `undefined` after a refusal. */
  async function connect(role: Role, query: string) {
    const line = `${role.name}: ${query}`
    const url = new URL(`http://x/live/orders?${query.replaceAll('#', '%23')}`)
    const open = () =>
      answerChanges(
        { url: url.href },
        wrong === 'fields' ? whole : (role.collection as Collection),
        restrictionOf(role),
        source,
      )
    const right = parseQuery(offers.get(role)!, url.search.slice(1))
    if (right.ok && right.query.offset) {
      try {
        blame(`${line} has an offset, and an answer: ${textOf(open())}`)
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
      }
      return
    }
    const answer = open()
    if (!(answer instanceof Response) || !right.ok) {
      counts.add(role.name, 'refused')
      const issues = answer instanceof Response ? 'a stream' : answer.issues
      if (right.ok || !isDeepStrictEqual(issues, right.issues)) blame(`${line}: ${textOf(issues)}`)
      return
    }
    counts.add(role.name, 'streams')
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    const texts: string[] = []
    const reading = (async () => {
      for (let part = await reader.read(); !part.done; part = await reader.read()) texts.push(part.value)
    })()
    const asked = right.query as Query
    const select = compileQuery({ ...asked, count: false })
    const show = pickFields(asked.fields && [['id'], ...asked.fields])
    const client = new Map<unknown, Row>()
    let before = ''
    const follow = ({ entered, left, changed, order }: Event): string => {
      for (const key of left) {
        if (!isDeepStrictEqual(Object.keys(key), ['id'])) blame(`${line} names a row that leaves by ${textOf(key)}`)
        if (!client.delete(key['id'])) blame(`${line} names a row that was not there: ${textOf(key)}`)
      }
      for (const row of [...entered, ...changed]) client.set(row['id'], row)
      return textOf(order.map(({ id }) => client.get(id)))
    }
    return {
      compare(rows: readonly Row[]) {
        const { rows: found, ...cursors } = toPage(asked, select(rows).rows as readonly Row[])
        maker.learn(textOf(cursors), new Headers())
        const page = textOf(found.map(show))
        const sent = texts.splice(0)
        if (before !== '' && sent.length > 0) counts.add(role.name, 'events')
        if (sent.length > 0 !== (page !== before)) blame(`${line} has ${sent.length} events, ${before} → ${page}`)
        let state = before
        for (const text of sent.join('').split('\n\n').slice(0, -1)) {
          if (role.canaries.test(text)) blame(`${line} tells ${role.canaries.exec(text)![0]}: ${text.slice(0, 300)}`)
          state = follow(JSON.parse(text.slice('data: '.length)) as Event)
        }
        if (state !== page) blame(`${line}\n  is   ${state.slice(0, 400)}\n  not  ${page.slice(0, 400)}`)
        before = page
      },
      async end() {
        await reader.cancel()
        await reading
      },
    }
  }

  /** The rows that each role may see, with its fields alone. */
  const views = roles.map((role) => ({ role, rows: new Map<unknown, Row>() }))
  const view = (id: unknown) => {
    const row = source.rows.get(id)
    for (const { role, rows } of views)
      if (row !== undefined && role.sees(row)) rows.set(id, cut(row, { type: 'object', fields: role.fields }) as Row)
      else rows.delete(id)
  }
  for (const id of source.rows.keys()) view(id)
  /** A row with other values in some of its fields. */
  function changed(id: number): Row {
    const before = source.rows.get(id) ?? withoutOthers(pick(stored))
    const seller = pick(['s-north', 's-north', 's-south', 's-east'])
    const mark = below(60)
    const parts: readonly Row[] = [
      { status: pick(['paid', 'held', 'new', null]) },
      { guests: pick([0, 1, 2, 3, null]) },
      { tags: pick([['sea'], ['vip', 'sea'], [], null]) },
      { total: pick([null, mark + 0.424242]) },
      { customer: { name: `name ${mark}`, email: `mail-canary-${mark}@example.org` } },
      { items: [{ product: 'Surf lesson', price: mark, margin: 535353 + mark }] },
      { purchasePrice: 515151 + mark },
      { internalNote: `note-canary-${mark}` },
      { seller },
    ]
    const row: Row = { ...before, ...pick(parts), ...(random() < 0.3 && pick(parts)), id }
    return { ...row, customerName: `row-${String(row['seller'])}-${id}` }
  }

  let open: NonNullable<Awaited<ReturnType<typeof connect>>>[][] = []
  for (let at = 0; at < changes; at++) {
    if (at % life === 0) {
      await Promise.all(open.flat().map((stream) => stream.end()))
      open = []
      for (const role of roles) {
        const own: (typeof open)[number] = []
        for (let tries = 0; own.length < streams && tries < 40; tries++) {
          const stream = await connect(role, maker.next().query)
          if (stream !== undefined) own.push(stream)
        }
        open.push(own)
      }
    } else {
      const id = 1 + below(70)
      source.change(id, random() < 0.1 ? undefined : changed(id))
      view(id)
    }
    // All events are read: their streams need no time.
    await setImmediate()
    for (const [number, { rows }] of views.entries())
      for (const stream of open[number]!) stream.compare([...rows.values()])
  }
  await Promise.all(open.flat().map((stream) => stream.end()))
  return { faults, counts }
}
