/** Texts in which a secret follows a reserved name that is misspelt, or in a wrong place. */
import fc from 'fast-check'

/** What no answer shows. No name, operator or value has it in it. */
export const secret = 'Qz7xSECRET'

const escaped = (letter: string) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`
const marks = fc.constantFrom('', '', '', '_', '-', '.', '+', ' ', '%20', '%5F', '%2d', '__', '%255f')
const letterOf = (letter: string) =>
  fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(letter.toLowerCase(), letter.toUpperCase()) },
    { weight: 1, arbitrary: fc.constantFrom(escaped(letter), escaped(letter).replace('%', '%25')) },
  )
/** `apiKey` in other cases, with marks between its letters, with letters escaped once or twice. */
const spelling = fc
  .tuple(...Array.from('apiKey', (letter, at) => fc.tuple(at === 0 ? fc.constant('') : marks, letterOf(letter))))
  .map((parts) => parts.flat().join(''))

/** What comes between a name and its value. */
const glue = fc.constantFrom(
  ...['=', '==', '%3D', '%253D', ':', '%3A', ': ', '[', '%5B', '-%5B', '_', '-', '.', ',', '%2C', ',a,', '(', '%28'],
  ...['"', '%22', '/', '%20', '+', ';', '#', '%26', '|', '~', '>', '><', '[equals]=', '[]=', '[0]=', ' eq ', '='],
)

/** Where it is in a query. */
const places: readonly ((pair: string) => string)[] = [
  (pair) => pair,
  (pair) => `?${pair}`,
  (pair) => `${pair}=1`,
  (pair) => `${pair}]=1`,
  (pair) => `${pair}[x]=1`,
  (pair) => `${pair}[]=1`,
  (pair) => `x.${pair}=1`,
  (pair) => `x.${pair}]=1`,
  (pair) => `my${pair}=1`,
  (pair) => `x[${pair}]=1`,
  (pair) => `x[y][${pair}]=1`,
  (pair) => `filter[${pair}]=1`,
  (pair) => `$filter=${pair}`,
  (pair) => `tags.${pair}[y]=1`,
  (pair) => `seller[${pair}]=1`,
  (pair) => `seller=${pair}`,
  (pair) => `seller[in]=a,${pair}`,
  (pair) => `seller[in]="${pair}`,
  (pair) => `total=${pair}`,
  (pair) => `total=1&total=${pair}`,
  (pair) => `status[in]=paid,${pair},new`,
  (pair) => `customer[name][${pair}]=1`,
  (pair) => `sort=${pair}`,
  (pair) => `sort=total,${pair},z`,
  (pair) => `sort=${pair}:desc`,
  (pair) => `_sort=${pair}`,
  (pair) => `fields=${pair}`,
  (pair) => `limit=${pair}`,
  (pair) => `cursor=${pair}`,
  (pair) => `page[${pair}]=1`,
  (pair) => `or=(${pair})`,
  (pair) => `or=(${pair}=1)`,
  (pair) => `or=(seller=${pair},total=1)`,
  (pair) => `or=(seller[${pair}]=1)`,
  (pair) => `or=(seller=a,${pair}(total=1))`,
  (pair) => `or=(gift=true,seller=${pair},nope=1)`,
  (pair) => `%zz${pair}`,
  (pair) => `/orders?${pair}`,
]

/** A text, with faults of its own before and after the secret, so that there is an issue whose picture has all of it. */
export const misplaced = fc
  .tuple(spelling, glue, fc.constantFrom(...places), fc.constantFrom('', 'nope=1&'), fc.constantFrom('', '&nope=2'))
  .map(([name, between, place, before, after]) => before + place(name + between + secret) + after)
