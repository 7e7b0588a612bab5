/** Elements of the page: made, and found by their id. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** Matches runs of text with letters from right to left, or with characters that change the direction of the text after them. */
const otherScripts = /[^\0-\x7f]+(?: +[^\0-\x7f]+)*/g

/** A text whose runs in other scripts cannot move the ASCII text around: keys, operators and punctuation. */
function isolated(text: string): (Node | string)[] {
  const parts: (Node | string)[] = []
  let done = 0
  for (const { index, 0: found } of text.matchAll(otherScripts)) {
    const run = document.createElement('bdi')
    run.append(found)
    parts.push(text.slice(done, index), run)
    done = index + found.length
  }
  return [...parts, text.slice(done)]
}

/** An element. Attributes that are false or undefined are left out; text is never read as markup. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.flatMap((child) => (typeof child === 'string' ? isolated(child) : [child])))
  return element
}

/** The element of index.html that has an id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`index.html has no #${id}`)
  return element as T
}

/** A text in which what a pattern finds is an element of a class: that of the group which found it. */
export function coloured(text: string, pattern: RegExp): (Node | string)[] {
  const parts: (Node | string)[] = []
  let done = 0
  for (const { index, groups, 0: found } of text.matchAll(pattern)) {
    const name = Object.keys(groups ?? {}).find((one) => groups![one] !== undefined)
    if (name === undefined) continue
    parts.push(text.slice(done, index), h('span', { class: name }, found))
    done = index + found.length
  }
  return [...parts, text.slice(done)]
}
