/** The playground of `urlwhere serve`: the server has the lists and their rows. */
import { byId, h } from './element.ts'
import { start } from './main.ts'
import { remoteStore, someRows, urlOf } from './remote.ts'
import { revive, type ListData } from './revive.ts'
import { examplesOf } from './some-examples.ts'
import { subjectOf, type Example, type Subject } from './subject.ts'

function subjectFor(data: ListData): Subject {
  const revived = revive(data)
  const { name, collection } = revived
  let examples: Promise<readonly Example[]> | undefined
  return subjectOf({
    ...revived,
    words: ['row', 'rows'],
    store: remoteStore(name, collection),
    examples: () =>
      (examples ??= someRows(name, collection).then(
        (rows) => examplesOf(collection, rows),
        () => [],
      )),
    codes: () => import('./code.ts').then(({ codes }) => codes),
    isKey: (text) => text !== '',
    urlOf: (text, key) => urlOf(key === undefined ? name : `${name}/${key}`, text),
  })
}

try {
  const response = await fetch('playground.json')
  start(((await response.json()) as readonly ListData[]).map(subjectFor))
} catch (error) {
  byId('reading').replaceChildren(h('p', { class: 'refusal' }, `The page does not start: ${String(error)}`))
}
