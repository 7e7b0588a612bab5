/** Cuts the text of a client into parameters and other pairs, and records its faults. */
import { namesOf, shownName } from '../../issue/index.ts'
import type { Advice, Facts, Finding, IssueCode, Span, WriteAdvice } from '../../issue/index.ts'
import { type Collection, fieldNamesOf } from '../../language/index.ts'
import { decode, decodeClear, decodingFault, mayHoldSecret, startOfPair, type Source } from '../../asked/index.ts'
import { faultFinding, faultOfNamed, reservedFinding } from '../../reading/index.ts'
import { nearest, newBudget } from '../../suggest.ts'
import { locate, type Token } from './located.ts'
import type { Client, ClientPair, ClientCondition, ClientMember, Role, Tables } from './tables.ts'

/** Cuts a text into parameters and other pairs, without the reserved pairs. */
export function clientOf(tables: Tables, collection: Collection, read: Client['read'], source: Source): Client {
  const { paths } = fieldNamesOf(collection).schema
  const others: ClientPair[] = []
  const client: Client = {
    tables,
    collection,
    paths,
    read,
    source,
    others,
    findings: [],
    budget: newBudget(),
    byRole: new Map(),
    reserved: 0,
  }
  const { reservedNames } = read
  for (const pair of source.pairs) {
    const { start, equals, end } = pair
    const keySpan = { start, end: equals }
    const name = reservedNames.length === 0 ? undefined : decodeClear(source, keySpan)
    const fault = decodingFault(source, pair)
    if (name !== undefined && reservedNames.includes(name)) {
      client.reserved++
      const named = faultOfNamed(source, pair)
      if (named !== undefined) client.findings.push(reservedFinding(named, keySpan))
    } else if (fault !== undefined) client.findings.push(faultFinding(fault))
    else if (equals === end) {
      const advice = [write(pairFor(tables, 'path', '', 'value'))]
      find(client, 'syntax_missing_equals', pair, { problem: 'missing_equals', isInGroup: false, advice })
    } else {
      const key = locate(source, keySpan)
      const place = { start: equals + 1, end }
      const one = { start, end, key, keySpan, value: { text: decode(source, place), ...place } }
      const role = roleOf(tables, key.text)
      if (role === undefined) others.push(one)
      else addParameter(client, role, one)
    }
  }
  return client
}

/** Adds a parameter, unless the collection ignores its empty value. Refuses a second one, unless the client repeats them. */
export function addParameter({ collection, tables, byRole, findings }: Client, role: Role, pair: ClientPair): void {
  if (pair.value.text === '' && collection.empty === 'ignore') return
  const all = byRole.get(role)
  if (all === undefined) byRole.set(role, [pair])
  else if (tables.repeats && (role === 'sort' || role === 'fields')) all.push(pair)
  else find({ findings }, 'parameter_duplicate', pair.keySpan, { parameter: pair.key.text, advice: [] })
}

export function roleOf({ parameters }: Tables, name: string): Role | undefined {
  if (Object.hasOwn(parameters, name)) return parameters[name]
  const any = name.replace(/\[[^[\]]*\]$/, '[*]')
  return Object.hasOwn(parameters, any) ? parameters[any] : undefined
}

/** Returns the client's name of the first parameter with one of these roles, for hints. */
export const nameOfRole = ({ parameters }: Tables, ...roles: readonly Role[]): string | undefined =>
  roles.flatMap((role) => Object.keys(parameters).find((name) => parameters[name] === role) ?? [])[0]

// --- Findings

export const write = (text: string): WriteAdvice => ({
  kind: 'write',
  text,
  reason: 'spelling',
  isExample: true,
  replaces: null,
  operands: [],
})

export function find<C extends IssueCode>(
  { findings }: Pick<Client, 'findings'>,
  code: C,
  { start, end }: Span,
  parameters: Facts<C>['parameters'],
  more: Omit<Facts<C>, 'parameters'> = {},
): void {
  findings.push({ code, span: { start, end }, ...more, parameters } as unknown as Finding)
}

/** Whether the names of a path are in brackets of their own, and the words of groups around them. */
export const isNested = ({ pair, groups }: Tables): boolean => groups !== undefined && pair.includes('[@path]')

/** Joins several conditions of one member by `and`. */
export const together = (word: Token, members: readonly ClientMember[]): ClientMember =>
  members.length === 1 ? members[0]! : { group: 'and', word, members }

/** Writes a condition in the form of a client. */
export function pairFor(tables: Tables, path: string, word: string, value: string): string {
  const { pair } = tables
  const written = isNested(tables) ? path.replaceAll('.', '][') : path
  return pair
    .replace(/@(path|word|value)/g, (_, name: string) => (name === 'path' ? written : name === 'word' ? word : value))
    .replace('[]=', '=')
    .replace('=:', '=')
}

/** Writes a condition without its value, for messages. */
export function keyOfCondition(
  tables: Tables,
  { path, word, isNegated }: Pick<ClientCondition, 'path' | 'word' | 'isNegated'>,
): string {
  if (tables.prefix === undefined) return path.text + word.text
  const not = isNegated === true ? '$not' : ''
  const words = [not, word.text].filter((one) => one !== '').join(tables.pair.includes(':') ? ':' : '][')
  return pairFor(tables, path.text, words, '').replace(/=$|[=:]$/, '')
}

/** Writes an operator of a client in a message. */
export const wordText = (word: string): string => (word === '' ? '=' : word)

/** Whether messages list an operator. They list the empty operator only where no other operator has its meaning. */
export const isShown = ({ operators }: Tables, word: string): boolean =>
  word !== '' || Object.keys(operators).every((one) => one === '' || operators[one] !== operators[''])

/** Returns the text that a message shows; `null` where the text can contain a secret. */
export const shown = ({ source, read }: Client, { text, start, end }: Token): string | null =>
  mayHoldSecret(source, { start: startOfPair(source, start), end }, read.reservedNames) ? null : shownName(text)

/** Whether more pairs are refused than `limits.pairs` allows: `countOf` reports the limit alone, and no further hint is of use. */
export const isBeyond = ({ findings, read: { limits } }: Client): boolean =>
  limits !== undefined && findings.length > limits.pairs

/** Refuses an unknown field or parameter. */
export function findUnknown(
  client: Client,
  name: Token,
  names: Iterable<string>,
  otherwise: readonly Advice[] = [],
): void {
  if (isBeyond(client)) return
  const near = nearest(name.text, names, client.budget)
  const advice = near === undefined ? otherwise : [{ kind: 'did_you_mean', name: near } as const]
  const isCopy = client.source.text.slice(name.start, name.end) === name.text
  const isEdit = near !== undefined && isCopy && /^[\w.-]+$/.test(near)
  const suggestion = isEdit ? { span: { start: name.start, end: name.end }, insert: near } : undefined
  find(client, 'field_unknown', name, { problem: 'name', name: shown(client, name), advice }, { suggestion })
}

/** Refuses a group at the word that begins it. */
export const findWord = (client: Client, word: Token, advice: Advice): void =>
  find(client, 'field_unknown', word, { problem: 'name', name: shown(client, word), advice: [advice] })

/** Refuses an unknown operator. */
export function findUnknownWord(
  client: Client,
  word: Token,
  field: string,
  words: readonly string[],
  path?: string,
): void {
  if (isBeyond(client)) return
  const near = nearest(word.text, words, client.budget)
  const advice: Advice =
    near === undefined
      ? { kind: 'operators', field, operators: words, inside: namesOf([]) }
      : { kind: 'did_you_mean', name: near }
  const isCopy = client.source.text.slice(word.start, word.end) === word.text
  const suggestion =
    near !== undefined && isCopy ? { span: { start: word.start, end: word.end }, insert: near } : undefined
  find(client, 'operator_unknown', word, { name: shown(client, word), advice: [advice] }, { path, suggestion })
}

/** Refuses an unknown parameter, and a parameter that the collection does not allow. */
export function findNoParameter(client: Client, pair: ClientPair): void {
  if (isBeyond(client)) return
  const { tables } = client
  const all = parametersOf(client)
  const conditions = tables.prefix === undefined ? [] : [pairFor(tables, 'path', '', '').replace(/=$/, '')]
  const names = [...conditions, ...all]
  const name = { text: pair.key.text, ...pair.keySpan }
  findUnknown(client, name, names, [{ kind: 'choose', from: 'parameters', choices: namesOf(names) }])
}

/** Returns the client's names of the parameters that the collection allows. */
export function parametersOf({ collection, tables }: Pick<Client, 'collection' | 'tables'>): readonly string[] {
  const isAllowed = (role: Role): boolean =>
    role === 'fields'
      ? collection.selectable !== undefined
      : role === 'search'
        ? collection.search.length > 0
        : role === 'page' || role === 'start' || role === 'end'
          ? collection.maxOffset !== undefined
          : true
  const all = Object.entries(tables.parameters).flatMap(([name, role]) => (isAllowed(role) ? [name] : []))
  return all.filter((name) => !name.endsWith('[*]') || !all.includes(name.slice(0, -3)))
}

/** Refuses a value in the wrong form; `description` describes the right form. */
export const findForm = (client: Client, subject: string, span: Span, description: string, path?: string): void =>
  find(
    client,
    'operand_invalid',
    span,
    { subject, expected: { kind: 'type', type: 'text', description }, advice: [] },
    { path },
  )

/** Refuses a value outside a list of values. */
export const findValue = (client: Client, subject: string, span: Span, values: readonly string[]): void =>
  find(client, 'operand_invalid', span, {
    subject,
    expected: { kind: 'values', values: namesOf(values) },
    advice: [],
  })
