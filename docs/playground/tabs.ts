/** Tabs: one stop of the Tab key, with arrows inside. @see https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
import { h } from './element.ts'

/** Shows the tabs of these names, with one of them selected. */
export type ShowTabs = (names: readonly string[], selected: string) => void

/** @param choose shows the panel of a tab. It calls the result of this function. */
export function tabsIn(list: HTMLElement, panel: HTMLElement, choose: (name: string) => void): ShowTabs {
  const tabs = () => Array.from(list.children) as HTMLElement[]
  list.addEventListener('click', ({ target }) => {
    const tab = (target as Element).closest('[role=tab]')
    if (tab !== null) choose(tab.textContent)
  })
  list.addEventListener('keydown', (event) => {
    const all = tabs()
    const at = all.findIndex((tab) => tab.ariaSelected === 'true')
    const { length } = all
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1 + length, Home: 0, End: length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    choose(all[next % length]!.textContent)
    all[next % length]!.focus()
  })
  return (names, selected) => {
    if (
      tabs()
        .map((tab) => tab.textContent)
        .join('\n') !== names.join('\n')
    )
      list.replaceChildren(
        ...names.map((name, at) =>
          h(
            'button',
            { type: 'button', role: 'tab', id: `${list.id.slice(0, -1)}-${at}`, 'aria-controls': panel.id },
            name,
          ),
        ),
      )
    for (const tab of tabs()) {
      const isSelected = tab.textContent === selected
      tab.ariaSelected = String(isSelected)
      tab.tabIndex = isSelected ? 0 : -1
      if (isSelected) panel.setAttribute('aria-labelledby', tab.id)
    }
  }
}
