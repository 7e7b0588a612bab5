/** The facets beside the rows: values with the number of the orders that have them, to choose from. */
import type { Collection, FacetValues, Filter, Path, Query } from '../../src/index.ts'
import { h } from './element.ts'
import { withPair } from './pairs.ts'

type Value = string | number | boolean | null

const isAt = (path: Path, name: string): boolean => path.join('.') === name

/** The values that a condition on a field allows; none of another filter. */
function chosenBy(filter: Filter, name: string): readonly Value[] {
  switch (filter.kind) {
    case 'and':
      return filter.filters.flatMap((one) => chosenBy(one, name))
    case 'not': {
      const { filter: inner } = filter
      const list = inner.kind === 'some' && inner.filter.kind === 'presence' ? inner.path : undefined
      return isAt(list ?? (inner.kind === 'presence' ? inner.path : []), name) ? [null] : []
    }
    case 'some':
      return isAt(filter.path, name) ? chosenBy(filter.filter, '') : []
    case 'comparison':
      return isAt(filter.path, name) && filter.operator === 'eq' ? [filter.operand.value] : []
    case 'membership':
      return isAt(filter.path, name) ? filter.operands.map(({ value }) => value) : []
    default:
      return []
  }
}

const encode = (text: string): string => encodeURIComponent(text).replaceAll('%20', '+')
/** An item of a list: in quotes where a bare one would be cut, be read as a quoted one, or be empty. */
const itemOf = (text: string): string => encode(/^$|^"|,/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : text)

/** The text with a choice of values in place of all conditions on the field. */
function withChoice(collection: Collection, text: string, name: string, values: readonly Value[]): string {
  const texts = values.map(String)
  const condition = values.includes(null)
    ? '[exists]=false'
    : texts.length > 1
      ? `[in]=${texts.map(itemOf).join(',')}`
      : `=${encode(texts.join(''))}`
  const pair = texts.length === 0 ? '' : encodeURIComponent(name) + condition
  return withPair(collection, text, (key) => key === name || key.startsWith(`${name}[`), pair)
}

/** The choice after a click on a value: a value more, or one less. Rows without a value are chosen alone. */
function toggled(chosen: readonly Value[], value: Value): readonly Value[] {
  if (chosen.includes(value)) return chosen.filter((one) => one !== value)
  return value === null ? [null] : [...chosen.filter((one) => one !== null), value]
}

const number = new Intl.NumberFormat('en')

/**
 * @param text the one in the editor, which may have faults.
 * @param choose shows another query; it gets the name of the button that had the click.
 */
export function facetLists(
  collection: Collection,
  { filter }: Query,
  facets: FacetValues,
  text: () => string,
  choose: (query: string, button: string) => void,
): readonly HTMLElement[] {
  return Object.entries(facets).map(([name, values]) => {
    const chosen = chosenBy(filter, name)
    const choice = ({ value, label, count }: (typeof values)[number]): HTMLElement => {
      const rows = typeof count === 'number' ? number.format(count) : `${number.format(count.atLeast)}+`
      const key = `${name} ${String(value)}`
      const button = h(
        'button',
        { type: 'button', 'aria-pressed': String(chosen.includes(value)), 'data-choice': key },
        h('span', { class: value === null ? 'muted' : 'choice' }, label ?? String(value ?? 'no value')),
        ' ',
        h('span', { class: 'number' }, rows),
      )
      button.addEventListener('click', () => choose(withChoice(collection, text(), name, toggled(chosen, value)), key))
      return h('li', {}, button)
    }
    return h(
      'div',
      { class: 'facet', role: 'group', 'aria-label': name },
      h('h3', {}, name),
      h('ul', {}, ...values.map(choice)),
    )
  })
}
