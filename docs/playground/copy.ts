/** Buttons that copy what the page shows. */
import { h } from './element.ts'

/**
 * @param what the name of the copied text, for those who hear the page.
 * @param say tells the outcome to those who hear the page.
 */
export function copyButton(
  label: string,
  what: string,
  textOf: () => string,
  say: (outcome: string) => void,
): HTMLButtonElement {
  const button = h('button', { type: 'button', class: 'copy', 'aria-label': `Copy ${what}` }, label)
  let resting: ReturnType<typeof setTimeout> | undefined
  const tell = (word: string, outcome: string): void => {
    button.textContent = word
    say(outcome)
    clearTimeout(resting)
    resting = setTimeout(() => (button.textContent = label), 1500)
  }
  button.addEventListener('click', () => {
    // A page of another host than this machine needs HTTPS to have a clipboard.
    const copied = (navigator.clipboard as Clipboard | undefined)?.writeText(textOf()) ?? Promise.reject(new Error())
    copied.then(
      () => tell('Copied', `Copied ${what}.`),
      () => tell('Blocked', 'The browser does not let the page copy.'),
    )
  })
  return button
}
