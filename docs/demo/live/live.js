// EventSource sends no header, and shows no answer with a fault. fetch sends the key in a header, so that no URL contains it.
const [form, state, changes, head, body] = ['form', '#state', '#changes', 'thead', 'tbody'].map((selector) =>
  document.querySelector(selector),
)
const rows = new Map()
let connection = new AbortController()

/** Reads the events of a stream. */
async function* eventsIn(stream) {
  let text = ''
  for await (const part of stream.pipeThrough(new TextDecoderStream())) {
    const events = (text + part).split('\n\n')
    text = events.pop()
    for (const event of events) yield JSON.parse(event.replace(/^data: /, ''))
  }
}

function cells(tag, values) {
  const row = document.createElement('tr')
  for (const value of values) {
    const cell = document.createElement(tag)
    cell.textContent = typeof value === 'object' ? JSON.stringify(value) : value
    cell.title = cell.textContent
    row.append(cell)
  }
  return row
}

function show({ entered, left, changed, order }) {
  for (const { id } of left) rows.delete(id)
  for (const row of [...entered, ...changed]) rows.set(row.id, row)
  const names = Object.keys(rows.get(order[0]?.id) ?? {})
  if (names.length > 0) head.replaceChildren(cells('th', names))
  const classOf = new Map([...changed.map(({ id }) => [id, 'other']), ...entered.map(({ id }) => [id, 'new'])])
  body.replaceChildren(
    ...order.map(({ id }) => {
      const row = cells(
        'td',
        names.map((name) => rows.get(id)[name] ?? '–'),
      )
      row.className = classOf.get(id) ?? ''
      return row
    }),
  )
}

function tell({ entered, left, changed }) {
  const parts = Object.entries({ entered, left, changed }).filter(([, list]) => list.length > 0)
  const line = document.createElement('li')
  line.textContent = parts.map(([name, list]) => `${name}: ${list.map(({ id }) => id).join(', ')}`).join('; ')
  changes.prepend(line)
  while (changes.children.length > 4) changes.lastChild.remove()
}

async function follow() {
  connection.abort()
  const { signal } = (connection = new AbortController())
  const { account, query } = Object.fromEntries(new FormData(form))
  state.textContent = 'Connecting'
  rows.clear()
  for (const part of [changes, head, body]) part.replaceChildren()
  try {
    const answer = await fetch(`/live/orders?${query}`, { headers: { 'X-API-KEY': `${account}-key` }, signal })
    if (!answer.ok) {
      const { detail, issues = [] } = await answer.json()
      const sentences = issues.map(({ message, hint }) => (hint === undefined ? message : `${message}: ${hint}`))
      state.textContent = sentences.join('. ') || detail
      return
    }
    state.textContent = `Following as ${account}`
    let isFirst = true
    for await (const event of eventsIn(answer.body)) {
      show(event)
      if (!isFirst) tell(event)
      isFirst = false
    }
    throw new Error('the stream ended')
  } catch {
    if (signal.aborted) return
    state.textContent = 'The connection ended. The next attempt is in 2 seconds'
    setTimeout(() => signal.aborted || follow(), 2_000)
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void follow()
})
document.querySelector('#stop').addEventListener('click', () => {
  connection.abort()
  state.textContent = 'Stopped'
})
void follow()
