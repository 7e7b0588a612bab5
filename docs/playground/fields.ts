/** The fields of a row with their types and operators, to choose from. */
import type { Collection } from '../../src/index.ts'
import { operatorsOf, typeOf } from './completion.ts'
import { h } from './element.ts'

/** @param choose adds a condition on the field to the query. */
export function fieldTable(collection: Collection, word: string, choose: (name: string) => void): HTMLElement {
  const line = (field: Parameters<typeof typeOf>[0]): HTMLElement => {
    const button = h('button', { type: 'button' }, field.name)
    button.addEventListener('click', () => choose(field.name))
    const operators = operatorsOf(collection, field).map(({ name }) => name)
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
    h('caption', { class: 'visually-hidden' }, `Fields of the ${word}. A button adds a condition on the field.`),
    h('thead', {}, h('tr', {}, heading('field'), heading('type'), heading('operators'))),
    h('tbody', {}, ...Array.from(collection.visible.paths.values(), line)),
  )
}
