/** The rows of the page as a table, in which one row is chosen to be traced. */
import type { Page } from '../../src/index.ts'
import type { Answer } from './answer.ts'
import { isNumber } from './completion.ts'
import { h } from './element.ts'
import { inline } from './notation.ts'
import { keyOf, type Row, type Subject } from './subject.ts'

function cellText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string' || entry === null))
    return value.map(String).join(', ')
  return inline(value)
}

function cellOf(isRight: boolean, value: unknown): HTMLElement {
  const alignment = isRight ? ' number' : ''
  if (value === null || value === undefined) return h('td', { class: `none${alignment}` }, 'null')
  if (Array.isArray(value) && value.length === 0) return h('td', { class: 'none' }, '[]')
  return h('td', { class: isRight && 'number' }, cellText(value))
}

const directions = { ascending: '↑', descending: '↓' } as const

/**
 * @param row the key of the row that is chosen.
 * @param sort shows the rows in another order, in the syntax of the parameter `sort`.
 */
export function tableOf(
  { collection, words: [one, many] }: Subject,
  { cut, query }: Answer,
  { rows }: Page<Row>,
  row: string | undefined,
  sort: (order: string) => void,
): HTMLElement {
  if (rows.length === 0) return h('p', { class: 'empty' }, `No ${one} is selected.`)
  const asked = query.fields?.map(([name]) => name)
  const keys = collection.key.map(({ name }) => name)
  const names = Object.keys(collection.visible.fields)
  const shown = names.filter((name) => !keys.includes(name) && asked?.includes(name) !== false)
  const sorted = query.sort.find(({ path }) => path.length > 0)
  const heading = (name: string, isKey = false): HTMLElement => {
    const key = query.sort.find(({ path }) => path.join('.') === name)
    const isFirst = key !== undefined && key === sorted
    const arrow = key === undefined ? [] : [' ', h('span', { 'aria-hidden': 'true' }, directions[key.direction])]
    const button = h('button', { type: 'button', id: `sort-${name}` }, name, ...arrow)
    button.addEventListener('click', () => sort(isFirst && key.direction === 'ascending' ? `-${name}` : name))
    return h(
      'th',
      // The key follows a button, so it begins its column.
      {
        scope: 'col',
        'aria-sort': isFirst && key.direction,
        class: !isKey && isNumber(collection.visible.paths.get(name)) && 'number',
      },
      ...(collection.sortable.has(name) ? [button] : [name, ...arrow]),
    )
  }
  const line = (whole: Row): HTMLElement => {
    const [visible, key] = [cut(whole), keyOf({ collection }, whole)]
    const radio = h('input', { type: 'radio', name: 'row', value: key, checked: key === row })
    const label = h('label', {}, radio, ' ', h('span', { class: 'visually-hidden' }, `Trace ${one} `), key)
    const cells = shown.map((name) => cellOf(isNumber(collection.visible.paths.get(name)), visible[name]))
    return h('tr', {}, h('th', { scope: 'row' }, label), ...cells)
  }
  const caption = `${many[0]!.toUpperCase()}${many.slice(1)} of this page. Choose one to see why it is selected.`
  return h(
    'table',
    {},
    h('caption', { class: 'visually-hidden' }, caption),
    h('thead', {}, h('tr', {}, heading(keys.join(','), true), ...shown.map((name) => heading(name)))),
    h('tbody', {}, ...rows.map(line)),
  )
}
