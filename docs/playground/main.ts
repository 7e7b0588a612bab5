/** The page: its state, what changes it, and what is shown of it. */
import { trace } from '../../src/tools/explain/index.ts'
import type { MongoQuery } from '../../src/backends/mongo/index.ts'
import type { RowCount } from '../../src/index.ts'
import { stateOf, fragmentOf, subjectIn, type State } from './address.ts'
import {
  answerTo,
  hasOutput,
  ownNotation,
  translated,
  type Answer,
  type Compiled,
  type Reasons,
  type Statement,
} from './answer.ts'
import { comboboxOf } from './combobox.ts'
import { copyButton } from './copy.ts'
import { byId, coloured, h } from './element.ts'
import { facetLists } from './facets.ts'
import { fieldTable } from './fields.ts'
import { inCode, inDocuments, inline, inSql, notation, statementLines } from './notation.ts'
import { parameterIn, queryOfUrl, visible, withParameter } from './pairs.ts'
import { issuesOf, markedText, meaningOf, numberOfIssues, spokenIssues } from './reading.ts'
import { tableOf } from './rows.ts'
import { curlOf, pathOfKey, type Example, type Codes, type StoreParts, type Row, type Subject } from './subject.ts'
import { tabsIn } from './tabs.ts'
import { traceTree, treeOf } from './tree.ts'

const input = byId<HTMLTextAreaElement>('query')
const marks = byId('marks')
const reader = byId<HTMLSelectElement>('notation')
/** The controls that write a parameter into the text: the search box and the time zone. */
const controls = [byId<HTMLInputElement>('search'), byId<HTMLSelectElement>('timeZone')]
const nameOf = ({ name }: HTMLInputElement | HTMLSelectElement) => name as 'search' | 'timeZone'

/** Where the page is narrow, the rows come before the statements, for the eye and for the keyboard. */
const narrow = matchMedia('(width < 40rem)')

/** How many characters a line of a pane has room for. Most fonts of one width need less than 0.61 em. */
function roomIn(pane: string): number {
  const em = 13
  return Math.max(40, Math.floor((byId(pane).clientWidth - 28) / (0.61 * em)))
}
const room = () => ({ sql: roomIn('sql'), document: roomIn('mongo') })
let widths = { sql: 40, document: 40 }
const number = new Intl.NumberFormat('en')

let subjects: readonly Subject[]
let state: State
/** The last query without issues: it stays in sight while another one is typed. */
let answer: Answer
/** The rows, the count and the facets that the store has read for the answer. */
let parts: StoreParts = {}
/** The list of the state. */
const subject = (): Subject => subjectIn(subjects, state.list)

/** Reads the schema of the address first, if it has one. */
function openAddress(show: () => void): void {
  const source = new URLSearchParams(location.hash.slice(1)).get('schema')
  if (source === null || subjects.some((one) => one.source === source)) return show()
  readOwn(source, show)
}

/** Reads the address. What it cannot show on one line is encoded. */
function readAddress(): void {
  const before = state as State | undefined
  const { query, ...rest } = stateOf(subjects, location.hash)
  state = { ...rest, query: visible(query) }
  if (state.list !== before?.list) showList()
}

function validAnswer(text: string): Answer {
  const result = answerTo(subject(), text)
  if (!result.ok) throw new Error('the empty query has no issues')
  return result.answer
}

// --- The address

const addressOf = (one: State): string => fragmentOf(subjects, one) || location.pathname + location.search

/** A state that the address does not have yet: browsers refuse hundreds of changes in a few seconds. */
let unwritten: { readonly state: State; readonly timer: ReturnType<typeof setTimeout> } | undefined
function writeNow(): void {
  if (unwritten === undefined) return
  clearTimeout(unwritten.timer)
  history.replaceState(null, '', addressOf(unwritten.state))
  unwritten = undefined
}
function writeSoon(): void {
  clearTimeout(unwritten?.timer)
  unwritten = { state, timer: setTimeout(writeNow, 200) }
}
/** Begins a place in the history. The one before keeps what was typed last. */
function push(): void {
  writeNow()
  history.pushState(null, '', addressOf(state))
}
/** Returns the last valid query in the library's language: the controls beside the text edit it. */
function ownText(): string {
  if (state.notation === ownNotation) return state.query
  const text = answer.texts[ownNotation]!
  return hasOutput(text) ? text.output : ''
}

/** Writes a query in the notation of the state; in the library's language where the notation cannot express the query. */
function inNotation(query: string): Pick<State, 'query' | 'notation'> {
  const text = translated(subject(), query, state.notation)
  if (hasOutput(text)) return { query: text.output, notation: state.notation }
  if (state.notation !== ownNotation) switched = `Read as ${ownNotation}: ${text.refusal[0].message}`
  return { query, notation: ownNotation }
}

/** The reason that the page shows after a control has switched to the library's language. */
let switched = ''

// --- What is shown

/** Shows the parts of the page that do not depend on the query. */
function showList(): void {
  const { name, words, collection, examples, alias, notations } = subject()
  answer = validAnswer('')
  for (const id of ['rows', 'facets']) byId(id).replaceChildren()
  const list = byId<HTMLSelectElement>('list')
  byId('lists').hidden = subjects.length === 1
  list.replaceChildren(...subjects.map((one) => h('option', {}, one.name)))
  list.value = name
  const prefix = `/api/${name}?`
  byId('prefix').textContent = prefix
  input.style.setProperty('--prefix', `${prefix.length}ch`)
  byId('key').textContent = collection.key.map((field) => field.name).join(',')
  traced.type = collection.key.length === 1 && collection.key[0]!.type === 'integer' ? 'number' : 'text'
  const made = examples()
  reader.replaceChildren(...notations.map((one) => h('option', {}, one)))
  showExamples(made instanceof Promise ? [] : made)
  if (made instanceof Promise)
    void made.then((all) => {
      if (state.list === name) showExamples(all)
    })
  whole.hidden = alias === undefined
  for (const control of controls) control.parentElement!.hidden = !collection.parameters.has(nameOf(control))
  if (isCodeOpen) loadCode()
  byId('fields').replaceChildren(
    fieldTable(collection, words[0], (field) => {
      const text = ownText()
      state = { ...state, notation: ownNotation }
      go(text === '' ? field : `${text}&${field}`)
      combobox.open()
    }),
  )
}

function showExamples(examples: readonly Example[]): void {
  byId('examples').replaceChildren(
    ...examples.map(([what, query]) => {
      const button = h('button', { type: 'button' }, what)
      button.addEventListener('click', () => goOwn(query))
      return h('li', {}, button)
    }),
  )
}

/** Says something to those who hear the page, once nothing changes any more. */
let speaking: ReturnType<typeof setTimeout> | undefined
let saying = ''
function announce(text: string): void {
  clearTimeout(speaking)
  saying = text
  speaking = setTimeout(() => {
    byId('announcement').replaceChildren(text)
    saying = ''
  }, 600)
}

/** @param isWhole whether more than the query may have changed. */
function showQuery(isWhole = false): void {
  const text = state.query
  if (input.value !== text) input.value = text
  const isOwn = state.notation === ownNotation
  const result = answerTo(subject(), text, state.notation)
  reader.value = state.notation
  const why = switched
  switched = ''
  if (isOwn) input.setAttribute('aria-describedby', 'keys')
  else input.removeAttribute('aria-describedby')
  byId('keys').hidden = !isOwn
  input.placeholder = isOwn ? 'field[operator]=value&…' : ''
  const issues = result.ok ? [] : result.issues
  marks.replaceChildren(...markedText(text, issues))
  followScroll()
  input.setAttribute('aria-invalid', String(!result.ok))
  byId('field').classList.toggle('invalid', !result.ok)
  byId('reading').replaceChildren(
    result.ok ? meaningOf(result.answer) : issuesOf(text, result.issues, { select: selectSpan, fix: applyFix, isOwn }),
  )
  if (result.ok) answer = result.answer
  else announce(spokenIssues(result.issues))
  for (const control of controls)
    if (control !== document.activeElement)
      control.value = parameterIn(subject().collection, ownText(), nameOf(control))
  byId('issues').textContent = numberOfIssues(issues)
  // The panes of the query before are out of sight. They keep their place, so that nothing moves but the issues.
  document.body.classList.toggle('is-stale', !result.ok)
  byId('stale').textContent = why
  if (result.ok || isWhole) {
    showAnswer()
    read(result.ok ? (count) => announce(`${count} selected. ${why}`.trim()) : () => undefined)
  }
  markScrollers()
}

/** Shows the parts of the answer when the store has them, unless it is the answer to an older query. */
function read(announceCount: (count: string) => void): void {
  const { store } = subject()
  const asked = answer
  parts = {}
  store.read(asked, (part) => {
    if (asked !== answer) return
    parts = { ...parts, ...part }
    showParts(part)
    if (part.count !== undefined) announceCount(countText(part.count))
  })
  if (parts.count === undefined) byId('count').textContent = ''
  document.body.classList.toggle('is-waiting', parts.page === undefined)
}

/** `12 of 2,400 orders`, `more than 10,000 rows` */
function countText(count: RowCount): string {
  const { store, words } = subject()
  const selected = typeof count === 'number' ? number.format(count) : `more than ${number.format(count.atLeast)}`
  const all = store.total === undefined ? '' : ` of ${number.format(store.total)}`
  return `${selected}${all} ${words[count === 1 && all === '' ? 0 : 1]}`
}

const refusalOf = (issues: readonly { readonly message: string }[]): HTMLElement =>
  h('p', { class: 'refusal' }, issues.map(({ message }) => message).join('; '))

const shown = <Output>(compiled: Compiled<Output>, make: (output: Output) => readonly Node[]): readonly Node[] =>
  hasOutput(compiled) ? make(compiled.output) : [refusalOf(compiled.refusal)]

function showSql(): void {
  showDialects(Object.keys(subject().dialects), state.dialect)
  whole.setAttribute('aria-pressed', String(state.isWhole))
  const compiled = statement()
  byId('statement').replaceChildren(
    ...shown(compiled, ({ text }) => [
      h('pre', {}, h('code', {}, ...coloured(statementLines(text, widths.sql), inSql))),
    ]),
  )
  const { parameters } = hasOutput(compiled) ? compiled.output : { parameters: [] }
  byId('parameters').replaceChildren(
    h('h3', {}, parameters.length === 0 ? 'No parameters' : 'Parameters'),
    h('ol', { class: 'parameters' }, ...parameters.map((value) => h('li', {}, h('code', {}, inline(value))))),
    rowMore(),
  )
}

const statement = (): Compiled<Statement> =>
  state.isWhole || subject().alias === undefined ? answer.whole(state.dialect) : answer.sql(state.dialect)

/** Explains the limit of statements, which is one row more than the page has. */
function rowMore(): HTMLElement {
  const { limit } = answer.query
  return h('p', { class: 'note' }, `${limit + 1} is limit + 1: the row more tells whether there is another page.`)
}

const findText = ({ filter, count: _, ...options }: Omit<MongoQuery, 'read' | 'page'>): string =>
  `${subject().name}.find(\n  ${notation(filter, widths.document, '  ')},\n  ${notation(options, widths.document, '  ')},\n)`

function showMongo(): void {
  const document = shown(answer.mongo, (found) => [
    h('pre', {}, h('code', {}, ...coloured(findText(found), inDocuments))),
    rowMore(),
  ])
  byId('mongo').replaceChildren(...document)
}

/** Shows the query in each notation, with a button that switches to the notation. */
function showNotations(): void {
  const lines = subject().notations.map((name) => {
    const text = answer.texts[name]!
    if (!hasOutput(text)) return h('tr', {}, h('th', { scope: 'row' }, name), h('td', {}, saidOf(text.refusal)))
    const { output } = text
    const button = h('button', { type: 'button', 'aria-current': name === state.notation && 'true' }, name)
    button.addEventListener('click', () => {
      state = { ...state, notation: name }
      go(output)
    })
    const code = h('code', {}, output === '' ? h('span', { class: 'muted' }, '(empty)') : output)
    return h('tr', {}, h('th', { scope: 'row' }, button), h('td', {}, code))
  })
  byId('notations').replaceChildren(
    h(
      'table',
      {},
      h('caption', { class: 'visually-hidden' }, 'The query in each notation. A button reads it in that notation.'),
      h('tbody', {}, ...lines),
    ),
  )
}

/** Lists the reasons why a notation cannot express a query, without repetitions. */
const saidOf = (issues: Reasons): HTMLElement => {
  const reasons = issues.map(({ message, hint }) => (hint === undefined ? message : `${message}: ${hint}`))
  return h('span', { class: 'refusal' }, [...new Set(reasons)].join('; '))
}

/** Returns the query of the previous or the next page; `undefined` for the first or the last page. */
function neighbour(toward: 'previous' | 'next'): string | undefined {
  const { page: read } = parts
  if (read === undefined || !hasOutput(read)) return undefined
  const { query } = answer
  const { output: page } = read
  const { collection } = subject()
  const { offset = 0, limit, position } = query
  // Notations with page numbers have no cursors.
  if (state.notation !== ownNotation && position === undefined) {
    if (toward === 'next' ? page.next === undefined : offset === 0) return undefined
    const start = toward === 'next' ? offset + limit : Math.max(0, offset - limit)
    return withParameter(collection, ownText(), 'offset', start === 0 ? '' : String(start))
  }
  const cursor = page[toward]
  return cursor && withParameter(collection, state.notation === ownNotation ? answer.text : ownText(), 'cursor', cursor)
}

function showAnswer(): void {
  showSql()
  showMongo()
  showCode()
  showNotations()
  byId('tree').replaceChildren(treeOf(answer.query.filter))
}

function showParts({ page, count, facets }: StoreParts): void {
  if (page !== undefined) {
    document.body.classList.remove('is-waiting')
    byId('rows').replaceChildren(...shown(page, (rows) => [tableOf(subject(), answer, rows, state.row, sortBy)]))
    for (const toward of ['previous', 'next'] as const)
      byId(toward).setAttribute('aria-disabled', String(neighbour(toward) === undefined))
    showTrace()
  }
  if (count !== undefined) byId('count').textContent = countText(count)
  if (facets !== undefined) {
    const { collection } = subject()
    const none = h('p', { class: 'empty' }, 'This list has no facets.')
    byId('facets').replaceChildren(
      ...(collection.facets.size === 0
        ? [none]
        : shown(facets, (values) => facetLists(collection, answer.query, values, ownText, choose))),
    )
  }
  markScrollers()
}

/** The key of the row that the page looked up last. */
let sought: unknown
function showTrace(): void {
  for (const radio of document.querySelectorAll<HTMLInputElement>('input[name=row]')) {
    radio.checked = radio.value === String(state.row)
  }
  if (traced !== document.activeElement) traced.value = String(state.row ?? '')
  const { store, words, collection } = subject()
  const key = state.row
  sought = undefined
  if (key === undefined) {
    const names = collection.key.map(({ name }) => name).join(',')
    byId('traced').textContent = ''
    byId('trace').replaceChildren(
      h('p', { class: 'empty' }, `Choose a row to see why it is selected, or type the ${names} of any ${words[0]}.`),
    )
    return
  }
  const row = store.rowOf(key)
  if (!(row instanceof Promise)) return showTraceOf(key, row)
  sought = row
  void row.then((one) => {
    if (sought === row) showTraceOf(key, one)
  })
}

function showTraceOf(key: string, row: Row | undefined): void {
  const { store, words } = subject()
  const [one, many] = words
  if (row === undefined) {
    const all = store.total === undefined ? '' : `The ${many} are 1 to ${number.format(store.total)}.`
    byId('traced').textContent = `There is no ${one} ${key}`
    byId('trace').replaceChildren(h('p', { class: 'empty' }, all))
    return
  }
  const root = trace(answer.query.filter, row)
  const address = subject().urlOf('', pathOfKey(subject(), row))
  byId('traced').replaceChildren(
    `${one[0]!.toUpperCase()}${one.slice(1)} ${key} is `,
    h('span', { class: root.holds ? 'holds' : 'fails' }, `${root.holds ? '' : 'not '}selected`),
  )
  const whole = h(
    'details',
    { open: byId('trace').querySelector('details')?.open ?? false },
    h('summary', {}, 'The row'),
    h(
      'p',
      { class: 'actions' },
      h('code', {}, `GET ${address.pathname}`),
      ' ',
      copyButton('Copy curl', `curl for ${one} ${key}`, () => curlOf(subject(), address), announce),
    ),
    h('pre', {}, h('code', {}, ...coloured(notation(row, widths.document), inDocuments))),
  )
  byId('trace').replaceChildren(traceTree(root, row), whole)
}

// --- What changes it

/** Another query, as a place in the history of its own. */
function go(query: string, caret = query.length): void {
  state = { ...state, query }
  push()
  showQuery()
  input.focus()
  input.setSelectionRange(caret, caret)
  followScroll()
}

/** Shows another query in the library's language. */
function goOwn(query: string): void {
  state = { ...state, ...inNotation(query) }
  go(state.query)
}

/** Shows the query of a choice. The focus stays on the choice, for the next key. */
function choose(query: string, button: string): void {
  goOwn(query)
  byId('facets')
    .querySelector<HTMLElement>(`[data-choice="${CSS.escape(button)}"]`)
    ?.focus()
}

/** Shows the rows in another order. The focus stays on the head of the column. */
function sortBy(order: string): void {
  goOwn(withParameter(subject().collection, ownText(), 'sort', order))
  document.getElementById(`sort-${order.replace(/^-/, '')}`)?.focus()
}

function selectSpan({ start, end }: { readonly start: number; readonly end: number }): void {
  input.focus()
  input.setSelectionRange(start, end)
  followScroll()
}

function applyFix({ start, end, insert, isOpen = false }: Parameters<Parameters<typeof issuesOf>[2]['fix']>[0]): void {
  go(state.query.slice(0, start) + insert + state.query.slice(end), start + insert.length)
  if (isOpen) combobox.open()
}

/** The marks lie under the text, which moves when it has more lines than its field. */
function followScroll(): void {
  byId('lines').style.setProperty('transform', `translateY(${-input.scrollTop}px)`)
}

/** Where a place in the text is on the screen. */
function placeOf(offset: number): DOMRect {
  const measure = document.createRange()
  const walker = document.createTreeWalker(marks, NodeFilter.SHOW_TEXT)
  let left = offset
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const { length } = node as Text
    if (left > length) {
      left -= length
      continue
    }
    measure.setStart(node, left)
    return measure.getBoundingClientRect()
  }
  return marks.getBoundingClientRect()
}

const combobox = comboboxOf(
  {
    input,
    leftOf: (offset) => placeOf(offset).left - byId('field').getBoundingClientRect().left,
    isInLastLine: () => placeOf(input.selectionEnd).top === placeOf(input.value.length).top,
    change: (text, caret) => {
      input.value = text
      input.setSelectionRange(caret, caret)
      typed()
    },
    collection: () => subject().collection,
    isOn: () => state.notation === ownNotation,
    opened: (count) => announce(`${saying} ${count === 1 ? '1 suggestion' : `${count} suggestions`}.`.trim()),
  },
  byId('choices'),
)

function typed(): void {
  const { value, selectionEnd } = input
  const query = visible(value)
  if (query !== value) {
    input.value = query
    const caret = visible(value.slice(0, selectionEnd)).length
    input.setSelectionRange(caret, caret)
  }
  state = { ...state, query }
  writeSoon()
  showQuery()
}
const whole = h('button', { type: 'button', title: 'The statement that names every column' }, 'select()')

const showDialects = tabsIn(byId('dialects'), byId('sql'), (dialect) => {
  state = { ...state, dialect }
  writeSoon()
  showSql()
  showCode()
  markScrollers()
})

// --- The code

/** The tabs, which come in a script of their own when their pane comes into view. */
let codes: Codes = {}
let codeTab = 'where'
let isCodeOpen = false
/** The text of the selected tab. */
let code: Compiled<string> = { output: '' }

const showCodes = tabsIn(byId('codes'), byId('code'), (name) => {
  codeTab = name
  showCode()
  markScrollers()
})

function showCode(): void {
  const names = Object.keys(codes)
  const write = codes[codeTab] ?? codes[names[0]!]
  if (write === undefined) return
  showCodes(names, codeTab)
  code = write(subject(), answer, state.dialect)
  byId('code').replaceChildren(...shown(code, (text) => [h('pre', {}, h('code', {}, ...coloured(text, inCode)))]))
}

function loadCode(): void {
  const asked = subject()
  asked.codes().then(
    (all) => {
      if (asked !== subject()) return
      codes = all
      if (!Object.hasOwn(codes, codeTab)) codeTab = 'where'
      showCode()
      markScrollers()
    },
    () => byId('code').replaceChildren(refusalOf([{ message: 'The script of this pane does not load.' }])),
  )
}

const traced = byId<HTMLInputElement>('traced-id')
function chooseRow(row: string): void {
  state = { ...state, row: row === '' ? undefined : row }
  writeSoon()
  showTrace()
  markScrollers()
  announce(byId('traced').textContent)
}

// Keys scroll only the pane that has the focus.
function markScrollers(): void {
  for (const box of document.querySelectorAll<HTMLElement>('.body, .reading')) {
    const isLonger = box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth
    // An element that stays in place keeps the focus.
    if (isLonger) box.tabIndex = 0
    else if (box !== document.activeElement) box.removeAttribute('tabindex')
  }
}

// --- What is copied

const outputOf = (compiled: Compiled<Statement>): string => {
  if (!hasOutput(compiled)) return ''
  const { text, parameters } = compiled.output
  return `${statementLines(text, widths.sql)}\n-- parameters: ${inline(parameters)}\n`
}

function addCopyButtons(): void {
  byId('sql-actions').append(
    whole,
    copyButton('Copy', 'SQL', () => outputOf(statement()), announce),
  )
  byId('mongo-actions').append(
    copyButton(
      'Copy',
      'MongoDB',
      () => (hasOutput(answer.mongo) ? `${findText(answer.mongo.output)}\n` : ''),
      announce,
    ),
  )
  byId('code-actions').append(copyButton('Copy', 'code', () => (hasOutput(code) ? code.output : ''), announce))
  byId('copies').append(
    copyButton('Copy curl', 'curl', () => curlOf(subject(), subject().urlOf(ownText())), announce),
    copyButton('Copy link', 'link', () => new URL(fragmentOf(subjects, state), location.href).href, announce),
  )
}

// --- Events

function listenToText(): void {
  // Before the list of completions reads where in the marked text to open.
  input.addEventListener('input', typed, { capture: true })
  input.addEventListener('paste', (event) => {
    const query = queryOfUrl(event.clipboardData?.getData('text') ?? '')
    if (query === undefined) return
    event.preventDefault()
    input.setRangeText(query, input.selectionStart, input.selectionEnd, 'end')
    typed()
  })
  for (const event of ['scroll', 'keyup', 'select', 'focus', 'blur']) input.addEventListener(event, followScroll)
  // Another page, too, may be the next place.
  document.addEventListener('focusout', writeNow)
  addEventListener('popstate', () => {
    clearTimeout(unwritten?.timer)
    unwritten = undefined
    combobox.close()
    openAddress(() => {
      readAddress()
      showQuery(true)
    })
  })
}

function addControls(): void {
  byId('timeZone').append(...Intl.supportedValuesOf('timeZone').map((name) => h('option', {}, name)))
  for (const control of controls) {
    control.addEventListener('input', () => {
      const text = withParameter(subject().collection, ownText(), nameOf(control), control.value)
      state = { ...state, ...inNotation(text) }
      writeSoon()
      showQuery()
    })
  }
  reader.addEventListener('change', () => {
    const { value: notation } = reader
    const text = answerTo(subject(), state.query, state.notation).ok ? answer.texts[notation]! : undefined
    // The text of a query that the notation cannot express stays: the page marks its faults.
    state = { ...state, notation, ...(text !== undefined && hasOutput(text) && { query: text.output }) }
    push()
    showQuery(true)
  })
  const list = byId<HTMLSelectElement>('list')
  list.addEventListener('change', () => {
    state = stateOf(subjects, `#${new URLSearchParams({ list: list.value }).toString()}`)
    showList()
    push()
    showQuery(true)
  })
}

function listenToStatements(): void {
  whole.addEventListener('click', () => {
    state = { ...state, isWhole: !state.isWhole }
    writeSoon()
    showSql()
    markScrollers()
  })
}

function listenToRows(): void {
  byId('rows').addEventListener('change', ({ target }) => chooseRow((target as HTMLInputElement).value))
  byId('rows').addEventListener('click', ({ target }) => {
    const radio = (target as Element).closest('tbody tr')?.querySelector('input')
    if (radio && (target as Element).closest('label') === null) radio.click()
  })
  traced.addEventListener('input', () => chooseRow(traced.value))
  byId('pages').append(
    ...(['previous', 'next'] as const).map((toward) => {
      const button = h('button', { type: 'button', id: toward }, toward === 'next' ? 'Next page' : 'Previous page')
      button.addEventListener('click', () => {
        const query = neighbour(toward)
        if (query === undefined) return
        goOwn(query)
        button.focus()
      })
      return button
    }),
  )
}

function arrange(): void {
  const rows = byId('rows').closest('.panel')!
  if (narrow.matches) byId('statements').before(rows)
  else byId('found').prepend(rows)
}

// --- The schema of a visitor

/** Loads the reader of schemas. The page of `urlwhere serve` has none. */
let ownSubject: (text: string) => Promise<Compiled<Subject> & { readonly note?: string }>
const examplesOfSchemas: readonly Example[] = [
  [
    'CREATE TABLE',
    'CREATE TABLE trips (\n  id bigint PRIMARY KEY,\n  title text NOT NULL,\n  status varchar(10),\n  price numeric(10, 2),\n  starts_at timestamptz(3),\n  tags text[]\n);',
  ],
  [
    'JSON Schema',
    '{\n  "type": "object",\n  "properties": {\n    "id": { "type": "integer" },\n    "status": { "enum": ["open", "done"] },\n    "due": { "type": "string", "format": "date" },\n    "tags": { "type": "array", "items": { "type": "string" } }\n  },\n  "required": ["id"]\n}',
  ],
]

/** Adds the list of a schema to the page. */
function readOwn(text: string, show: () => void): void {
  const note = byId('own-note')
  ownSubject(text).then(
    (made) => {
      note.replaceChildren(...shown(made, () => [h('span', {}, made.note ?? '')]))
      announce(note.textContent)
      if (hasOutput(made)) subjects = [subjects[0]!, made.output]
      show()
    },
    () => note.replaceChildren(refusalOf([{ message: 'The script that reads schemas does not load.' }])),
  )
}

/** Shows a list from its first example on. */
function goTo(fragment: string): void {
  state = stateOf(subjects, fragment)
  const made = subject().examples()
  if (!(made instanceof Promise)) state = { ...state, query: made[0]?.[1] ?? '' }
  showList()
  push()
  showQuery(true)
}

function addOwnSchema(): void {
  const text = byId<HTMLTextAreaElement>('schema')
  const fields = Object.entries(subjects[0]!.collection.visible.fields)
  const own = `{\n${fields.map(([name, one]) => `  "${name}": ${JSON.stringify(one)}`).join(',\n')}\n}`
  const button = (name: string, click: () => void) => {
    const made = h('button', { type: 'button' }, name)
    made.addEventListener('click', click)
    return made
  }
  const use = () =>
    readOwn(text.value, () => {
      const { source } = subjects.at(-1)!
      if (source === text.value) goTo(`#${new URLSearchParams({ schema: source }).toString()}`)
    })
  byId('own-actions').append(
    button('Use it', use),
    ...[['Fields of orders', own] as const, ...examplesOfSchemas].map(([name, example]) =>
      button(name, () => {
        text.value = example
        text.focus()
      }),
    ),
    button('Back to orders', () => goTo('')),
  )
  byId('copies').prepend(button('Your schema', () => text.focus()))
  text.value = new URLSearchParams(location.hash.slice(1)).get('schema') ?? own
}

/** Starts the page on the list that the address names. @param own reads the schema of a visitor. */
export function start(all: readonly Subject[], own?: typeof ownSubject): void {
  subjects = all
  if (own !== undefined) {
    ownSubject = own
    addOwnSchema()
  }
  widths = room()
  addControls()
  addCopyButtons()
  listenToText()
  listenToStatements()
  listenToRows()
  narrow.addEventListener('change', arrange)
  arrange()
  addEventListener('resize', () => {
    const { sql, document } = widths
    widths = room()
    if (widths.sql !== sql) showSql()
    if (widths.document !== document) showMongo()
    markScrollers()
  })
  readAddress()
  const made = subject().examples()
  // Those of `urlwhere serve` come with its rows.
  if (location.hash === '' && !(made instanceof Promise)) state = { ...state, query: made[0]![1] }
  showQuery(true)
  // The script of the code loads when its pane comes into view.
  new IntersectionObserver(([entry], observer) => {
    if (entry?.isIntersecting !== true) return
    observer.disconnect()
    isCodeOpen = true
    loadCode()
  }).observe(byId('code'))
  // On a phone, the focus would open the keyboard over the page.
  if (!narrow.matches) selectSpan({ start: state.query.length, end: state.query.length })
  if (own !== undefined)
    openAddress(() => {
      if (new URLSearchParams(location.hash.slice(1)).get('schema') === null) return
      readAddress()
      showQuery(true)
    })
}
