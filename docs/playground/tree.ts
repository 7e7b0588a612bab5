/** The filter as a tree, and whether each of its nodes is true of a row. */
import { describe, type Trace } from '../../src/tools/explain/index.ts'
import type { Filter, Path } from '../../src/index.ts'
import type { Literal } from '../../src/tree.ts'
import { h } from './element.ts'
import { inline } from './notation.ts'

const nameOf = (path: Path): string => path.join('.') || 'the entry'
const valueOf = ({ value }: Literal): string => inline(value)

/** A node in words of the tree: its kind, and what it has besides filters. */
function labelOf(filter: Filter): (Node | string)[] {
  const kind = h('b', {}, filter.kind)
  const operand = (text: string) => h('span', { class: 'operand' }, text)
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.length > 0
        ? [kind]
        : [kind, h('span', { class: 'muted' }, `(empty: ${filter.kind === 'and'})`)]
    case 'not':
      return [kind]
    case 'some':
      return [kind, nameOf(filter.path)]
    case 'comparison':
      return [kind, nameOf(filter.path), filter.operator, operand(valueOf(filter.operand))]
    case 'membership':
      return [kind, nameOf(filter.path), operand(`[${filter.operands.map(valueOf).join(', ')}]`)]
    case 'match':
      return [kind, nameOf(filter.path), filter.mode, operand(inline(filter.text))]
    case 'presence':
      return [kind, nameOf(filter.path), h('i', {}, filter.type)]
    case 'count':
      return [kind, nameOf(filter.path), filter.operator, operand(String(filter.operand)), h('i', {}, filter.type)]
  }
}

/** The type that a node's operands have. */
function typeOf(filter: Filter): string | undefined {
  if (filter.kind === 'comparison') return filter.operand.type
  return filter.kind === 'membership' ? filter.operands[0]?.type : undefined
}

const innerOf = (filter: Filter): readonly Filter[] =>
  'filters' in filter ? filter.filters : 'filter' in filter ? [filter.filter] : []

function spaced(parts: readonly (Node | string)[]): (Node | string)[] {
  return parts.flatMap((part, at) => (at === 0 ? [part] : [' ', part]))
}

/** A filter as nested lists. */
export function treeOf(filter: Filter): HTMLElement {
  const item = (one: Filter): HTMLElement => {
    const type = typeOf(one)
    const label = [...labelOf(one), ...(type === undefined ? [] : [h('i', {}, type)])]
    const inner = innerOf(one)
    return h(
      'li',
      {},
      h('span', { class: 'node' }, ...spaced(label)),
      ...(inner.length === 0 ? [] : [h('ul', {}, ...inner.map(item))]),
    )
  }
  return h('ul', { class: 'tree' }, item(filter))
}

const groupWords = { and: 'all of', or: 'one of', not: 'not' } as const

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (one, name) => (one as Readonly<Record<string, unknown>> | null | undefined)?.[name],
    value,
  )
}

/** A trace as nested lists: what is true of the row, what is not, and the values that decide. */
export function traceTree(root: Trace, row: unknown): HTMLElement {
  const item = (one: Trace, value: unknown, prefix: string): HTMLElement => {
    const { filter, holds, inner } = one
    const mark = h(
      'span',
      { class: holds ? 'holds' : 'fails' },
      h('span', { 'aria-hidden': 'true' }, holds ? '✓' : '✗'),
      h('span', { class: 'visually-hidden' }, holds ? 'true:' : 'false:'),
    )
    const words = [...(prefix === '' ? [] : [h('span', { class: 'muted' }, prefix)]), ...wordsOf(one, value)]
    const list = filter.kind === 'some' ? valueAt(value, filter.path) : undefined
    const children = inner.map((child, at) =>
      filter.kind === 'some'
        ? item(child, (list as readonly unknown[])[at], `entry ${at + 1}:`)
        : item(child, value, ''),
    )
    return h(
      'li',
      {},
      h('span', { class: 'node' }, ...spaced([mark, ...words])),
      ...(children.length === 0 ? [] : [h('ul', {}, ...children)]),
    )
  }
  return h('ul', { class: 'tree trace' }, item(root, row, ''))
}

function wordsOf({ filter, inner, entry }: Trace, value: unknown): (Node | string)[] {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return [inner.length === 0 ? describe(filter) : h('b', {}, groupWords[filter.kind])]
    case 'not':
      return [h('b', {}, groupWords.not)]
    case 'some': {
      const list = valueAt(value, filter.path)
      const length = Array.isArray(list) ? list.length : undefined
      const none = length === undefined ? 'no value' : length === 0 ? 'the list is empty' : `none of ${length}`
      const found = entry === undefined ? none : `entry ${entry + 1} of ${length}`
      return [h('b', {}, `one entry of ${nameOf(filter.path)}`), h('span', { class: 'muted' }, found)]
    }
    default: {
      const found = valueAt(value, filter.path) ?? undefined
      const muted = (text: string) => h('span', { class: 'muted' }, text)
      return found === undefined
        ? [describe(filter), muted('no value')]
        : [describe(filter), muted('found'), h('span', { class: 'value' }, inline(found))]
    }
  }
}
