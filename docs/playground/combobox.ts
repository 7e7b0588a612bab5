/**
 * The completion of the query: a listbox of which nothing is chosen until somebody does. The text has several lines, and
 * ARIA has no combobox of several lines: the text is a textbox with an active descendant.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ (the keys: list autocomplete with manual selection)
 */
import type { Collection } from '../../src/index.ts'
import { completed, completionAt, type Choice, type Completion } from './completion.ts'
import { h } from './element.ts'

export interface Combobox {
  /** Shows the suggestions for the cursor. */
  readonly open: () => void
  readonly close: () => void
}

/** The editor of the text that is completed. */
export interface Editor {
  readonly input: HTMLTextAreaElement
  /** Measures the distance of a place in the text from the left edge of what the list is placed in. */
  readonly leftOf: (offset: number) => number
  /** Whether the cursor is in the last line: below it, the down key opens the list. */
  readonly isInLastLine: () => boolean
  /** Shows a text that has a choice in it. */
  readonly change: (text: string, caret: number) => void
  /** The collection of the query. */
  readonly collection: () => Collection
  /** Whether the combobox suggests: it knows the library's language only. */
  readonly isOn: () => boolean
  /** Announces the number of suggestions to screen readers. */
  readonly opened: (count: number) => void
}

export function comboboxOf({ input, ...editor }: Editor, list: HTMLElement): Combobox {
  let completion: Completion | undefined
  /** Which choice is active; -1 for none. */
  let active = -1

  const close = (): void => {
    completion = undefined
    active = -1
    list.hidden = true
    list.replaceChildren()
    input.removeAttribute('aria-activedescendant')
  }
  const offer = (isAsked: boolean): void => {
    const { value, selectionStart, selectionEnd } = input
    const found =
      editor.isOn() && selectionStart === selectionEnd
        ? completionAt(editor.collection(), value, selectionEnd ?? value.length, isAsked)
        : undefined
    if (found === undefined) return close()
    completion = found
    list.replaceChildren(...found.choices.map(optionOf))
    list.hidden = false
    const room = list.parentElement!.clientWidth - list.offsetWidth
    list.style.setProperty('left', `${Math.max(0, Math.min(editor.leftOf(found.start), room))}px`)
    list.scrollTop = 0
    activate(-1)
    editor.opened(found.choices.length)
  }
  const activate = (at: number): void => {
    active = at
    for (const [index, option] of Array.from(list.children).entries()) {
      option.setAttribute('aria-selected', String(index === at))
      if (index === at) option.scrollIntoView({ block: 'nearest' })
    }
    if (at < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', list.children[at]!.id)
  }
  const accept = (choice: Choice): void => {
    const { text, caret } = completed(input.value, completion!, choice)
    close()
    editor.change(text, caret)
    if (choice.continues) offer(true)
  }
  const step = (by: 1 | -1): void => {
    if (completion === undefined) offer(true)
    const { length } = completion?.choices ?? []
    if (length === 0) return
    // Beyond the ends is the text itself, with nothing active.
    activate(((active + 1 + by + length + 1) % (length + 1)) - 1)
  }

  const keys: Readonly<Record<string, () => boolean>> = {
    ArrowDown: () => {
      if (completion === undefined && !editor.isInLastLine()) return false
      step(1)
      return true
    },
    ArrowUp: () => {
      if (completion === undefined) return false
      step(-1)
      return true
    },
    Enter: () => {
      if (completion === undefined || active < 0) close()
      else accept(completion.choices[active]!)
      return true
    },
    // Escape closes the list, so that Tab can leave the text.
    Tab: () => {
      if (completion === undefined) return false
      accept(completion.choices[Math.max(active, 0)]!)
      return true
    },
    Escape: () => {
      const isOpen = completion !== undefined
      close()
      return isOpen
    },
  }
  input.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey || (event.key === 'Tab' && event.shiftKey)) return
    if (keys[event.key]?.() === true) event.preventDefault()
  })
  input.addEventListener('input', () => offer(false))
  input.addEventListener('blur', close)
  // A cursor that moves away leaves the list behind.
  input.addEventListener('keyup', ({ key }) => {
    if (/^(?:ArrowLeft|ArrowRight|Home|End)$/.test(key)) close()
  })
  input.addEventListener('pointerup', close)
  // The focus stays in the text.
  list.addEventListener('pointerdown', (event) => event.preventDefault())
  list.addEventListener('click', ({ target }) => {
    const at = Array.from(list.children).indexOf((target as Element).closest('[role=option]')!)
    if (completion !== undefined && at >= 0) accept(completion.choices[at]!)
  })
  return { open: () => offer(true), close }
}

const optionOf = ({ insert, detail }: Choice, at: number): HTMLElement =>
  h(
    'li',
    { id: `choice-${at}`, role: 'option', 'aria-selected': 'false' },
    h('span', { class: 'insert' }, insert),
    // Names are read one after the other: a space keeps them apart.
    ' ',
    h('span', { class: 'detail' }, detail),
  )
