/** The fields of an order with their types and operators, to choose from. */
import { orders } from '../demo/data.ts'
import { operatorsOf, typeOf } from './completion.ts'
import { h } from './element.ts'

/** @param choose adds a condition on the field to the query. */
export function fieldTable(choose: (name: string) => void): HTMLElement {
  const line = (field: Parameters<typeof typeOf>[0]): HTMLElement => {
    const button = h('button', { type: 'button' }, field.name)
    button.addEventListener('click', () => choose(field.name))
    const operators = operatorsOf(field).map(({ name }) => name)
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, button),
      h('td', {}, typeOf(field)),
      h('td', {}, h('code', {}, operators.join(', '))),
    )
  }
  const heading = (text: string) => h('th', { scope: 'col' }, text)
  return h(
    'table',
    {},
    h('caption', { class: 'visually-hidden' }, 'Fields of an order. A button adds a condition on the field.'),
    h('thead', {}, h('tr', {}, heading('field'), heading('type'), heading('operators'))),
    h('tbody', {}, ...Array.from(orders.paths.values(), line)),
  )
}
