/** The rows of the page as a table, in which one row is chosen to be traced. */
import { orders, type Order } from '../demo/data.ts'
import type { Answer } from './answer.ts'
import { h } from './element.ts'
import { inline } from './notation.ts'

const columns = Object.keys(orders.fields).filter((name) => name !== 'id') as (keyof Order)[]

const isNumber = (name: string): boolean =>
  /^(?:integer|bigint|number|decimal)$/.test(orders.paths.get(name)?.type ?? '')

function cellText(value: unknown): string {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string' || entry === null))
    return value.map(String).join(', ')
  return inline(value)
}

function cellOf(name: string, value: unknown): HTMLElement {
  const alignment = isNumber(name) ? ' number' : ''
  if (value === null || value === undefined) return h('td', { class: `none${alignment}` }, 'null')
  if (Array.isArray(value) && value.length === 0) return h('td', { class: 'none' }, '[]')
  return h('td', { class: isNumber(name) && 'number' }, cellText(value))
}

const directions = { ascending: '↑', descending: '↓' } as const

/** @param row the `id` of the row that is chosen. */
export function tableOf({ page, cut, query }: Answer, row: number | undefined): HTMLElement {
  const asked = query.fields?.map(([name]) => name)
  const shown = columns.filter((name) => asked?.includes(name) !== false)
  const sorted = query.sort.find(({ path }) => path.length > 0)
  const heading = (name: string): HTMLElement => {
    const key = query.sort.find(({ path }) => path.join('.') === name)
    const isFirst = key !== undefined && key === sorted
    const arrow = key === undefined ? [] : [' ', h('span', { 'aria-hidden': 'true' }, directions[key.direction])]
    return h(
      'th',
      // The id follows a button, so it begins its column.
      { scope: 'col', 'aria-sort': isFirst && key.direction, class: name !== 'id' && isNumber(name) && 'number' },
      name,
      ...arrow,
    )
  }
  const line = (one: Order): HTMLElement => {
    const visible = cut(one)
    const radio = h('input', { type: 'radio', name: 'row', value: one.id, checked: one.id === row })
    const label = h('label', {}, radio, ' ', h('span', { class: 'visually-hidden' }, 'Trace order '), String(one.id))
    return h('tr', {}, h('th', { scope: 'row' }, label), ...shown.map((name) => cellOf(name, visible[name])))
  }
  if (page.rows.length === 0) return h('p', { class: 'empty' }, 'No order is selected.')
  return h(
    'table',
    {},
    h('caption', { class: 'visually-hidden' }, 'Orders of this page. Choose one to see why it is selected.'),
    h('thead', {}, h('tr', {}, heading('id'), ...shown.map(heading))),
    h('tbody', {}, ...page.rows.map(line)),
  )
}
