/**
 * The completion of the query: a combobox with a listbox, of which nothing is chosen until somebody does.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/combobox/ (list autocomplete with manual selection)
 */
import { completed, completionAt, type Choice, type Completion } from './completion.ts'
import { h } from './element.ts'

export interface Combobox {
  /** Shows the suggestions for the cursor. */
  readonly open: () => void
  readonly close: () => void
}

/**
 * @param leftOf the distance of a place in the text from the left edge of what the list is placed in.
 * @param change is called with a text that has a choice in it.
 * @param isOn returns whether the combobox suggests: it knows the library's language only.
 */
export function comboboxOf(
  input: HTMLInputElement,
  list: HTMLElement,
  leftOf: (offset: number) => number,
  change: (text: string, caret: number) => void,
  isOn: () => boolean,
): Combobox {
  let completion: Completion | undefined
  /** Which choice is active; -1 for none. */
  let active = -1

  const close = (): void => {
    completion = undefined
    active = -1
    list.hidden = true
    list.replaceChildren()
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const offer = (isAsked: boolean): void => {
    const { value, selectionStart, selectionEnd } = input
    const found =
      isOn() && selectionStart === selectionEnd ? completionAt(value, selectionEnd ?? value.length, isAsked) : undefined
    if (found === undefined) return close()
    completion = found
    list.replaceChildren(...found.choices.map(optionOf))
    list.hidden = false
    const room = list.parentElement!.clientWidth - list.offsetWidth
    list.style.setProperty('left', `${Math.max(0, Math.min(leftOf(found.start), room))}px`)
    list.scrollTop = 0
    input.setAttribute('aria-expanded', 'true')
    activate(-1)
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
    change(text, caret)
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
    ArrowDown: () => (step(1), true),
    ArrowUp: () => (step(-1), true),
    Enter: () => {
      if (completion === undefined || active < 0) close()
      else accept(completion.choices[active]!)
      return true
    },
    Escape: () => {
      const isOpen = completion !== undefined
      close()
      return isOpen
    },
  }
  input.addEventListener('keydown', (event) => {
    if (event.isComposing || event.ctrlKey || event.metaKey) return
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
