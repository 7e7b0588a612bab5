/** Makes a notation from its tables: one function interprets every notation. */
import { weakCache } from '../../cache.ts'
import { freeze, type Advice, type Finding } from '../../issue/index.ts'
import type { Collection, ValueName } from '../../language/index.ts'
import { sourceOf, type Source } from '../../asked/index.ts'
import { type Bind, type Bound, type Notation, type NotedParameter, type TextRequest } from '../../reading/index.ts'
import type { Query } from '../../query/index.ts'
import { own } from '../../own.ts'
import { clientOf, find, keyOfCondition, nameOfRole, parametersOf, roleOf, wordText } from './client.ts'
import { conditionsOf, countOf, leavesOf, wordsFor } from './conditions.ts'
import type { Token } from './located.ts'
import { adviceFor, wordFor } from './hints.ts'
import { fieldsIn, orderIn, pageIn, searchIn, wantsCount } from './parameters.ts'
import type { Client, Role, Tables, ClientMember } from './tables.ts'
import { filled } from './template.ts'

/** For each parameter of this library: the roles whose client parameter replaces its name in messages. */
const roles: readonly (readonly [ValueName, ...Role[]])[] = [
  ['sort', 'sort'],
  ['limit', 'size', 'end', 'range'],
  ['offset', 'page', 'start', 'range'],
  ['cursor', 'cursor'],
  ['fields', 'fields'],
  ['search', 'search'],
]

/* @__NO_SIDE_EFFECTS__ */ export function notation(tables: Tables): Notation {
  // The requirements of a client never change, so a collection is checked once.
  const checked = weakCache<Collection, true>()
  return freeze({
    name: tables.name,
    tables,
    paging: Object.entries(tables.parameters).flatMap(([name, role]) =>
      ['page', 'start', 'end', 'cursor', 'range'].includes(role) ? [name] : [],
    ),
    links: tables.links,
    key: tables.answer.item === undefined ? 'inside' : 'beside',
    check(collection, reserved) {
      if (checked.get(collection) === undefined) {
        checkCollectionOf(tables, collection)
        checked.set(collection, true)
      }
      for (const name of reserved) {
        const { byRole, conditions } = pairNamed(tables, collection, name)
        if (byRole.size > 0) throw new TypeError(`reserved has ${name}, which is a parameter of ${tables.name}`)
        if (conditions.length > 0) throw new TypeError(`reserved has ${name}, which is a condition of ${tables.name}`)
      }
    },
    parameters: (collection, resource) => described(tables, collection, resource),
    bind: (collection, read, bind) => bound(tables, collection, read, bind),
    answer: (values) => filled(tables.answer, values),
    row: (values) =>
      filled({ ...tables.answer, unpaged: undefined, body: '@item', headers: {}, ...tables.one }, values),
    selects: (name) => roleOf(tables, name) === 'fields',
    fault(values) {
      const { body, headers } = filled(tables.fault, values)
      const whole = tables.fault.isWhole ? {} : (values['problem'] as object)
      return { body: { ...whole, ...(body as object) }, headers }
    },
  } satisfies Notation)
}

/** Refuses a collection that lacks an option which the client requires, or has a field with a name of the client. */
function checkCollectionOf(tables: Tables, { maxOffset, count, visible, key }: Collection): void {
  const needed = { offset: maxOffset !== undefined, count: count === true }
  const option = tables.needs.find((name) => !needed[name])
  if (option !== undefined)
    throw new TypeError(
      `the collection must have the option ${option === 'count' ? 'count: true' : 'offset'}, which clients of ${tables.name} need`,
    )
  const field = Object.keys(tables.parameters).find(
    (name) => tables.pair.startsWith('@path') && visible.paths.has(name),
  )
  if (field !== undefined) throw new TypeError(`${field} is a field of the schema, and a parameter of ${tables.name}`)
  const isKey = (name: string) => key.length === 1 && key[0]!.name === name && name === 'id'
  const place = tables.taken?.find((name) => visible.paths.has(name) && !isKey(name))
  if (place !== undefined)
    throw new TypeError(`${place} is a field of the schema, which ${tables.name} has another meaning for`)
}

/** Describes the conditions and parameters of a collection with the client's names. */
function described(tables: Tables, collection: Collection, resource: string): readonly NotedParameter[] {
  const client = { tables, collection }
  const isInKey = !tables.pair.includes('@word:')
  const fields = Array.from(collection.visible.paths).map(([text, field]) => {
    const meanings = wordsFor(client, field).map((shown) => {
      const word = shown === '=' ? '' : shown
      return [word, tables.operators[word]!] as const
    })
    return [{ text, start: 0, end: 0 }, meanings] as const
  })
  const nameOf = (path: Token, text: string) => keyOfCondition(tables, { path, word: { ...path, text } })
  const filter = Object.fromEntries(
    fields.flatMap(([path, meanings]) => meanings.map(([word, meaning]) => [nameOf(path, word), meaning])),
  )
  const conditions: readonly NotedParameter[] =
    tables.list === '[]'
      ? []
      : isInKey
        ? Object.entries(filter).map(([name, meaning]) => ({ name, role: undefined, meanings: { '': meaning } }))
        : fields.flatMap(([path, meanings]) =>
            meanings.length === 0
              ? []
              : [{ name: nameOf(path, ''), role: undefined, meanings: Object.fromEntries(meanings) }],
          )
  const others = parametersOf(client).map((name): NotedParameter => {
    const role = tables.parameters[name]!
    return {
      name: name.replace('[*]', `[${resource}]`),
      role,
      meanings: role === 'filter' && tables.list === '[]' ? filter : {},
    }
  })
  return [...conditions, ...others]
}

/** Finds the meaning of a reserved name for the client: a parameter, a condition on a field, or neither. */
function pairNamed(
  tables: Tables,
  collection: Collection,
  name: string,
): { byRole: Client['byRole']; conditions: readonly ClientMember[] } {
  // With a value: a collection may leave out a parameter without one.
  const source = sourceOf(`${encodeURIComponent(name.toWellFormed())}=1`, 0)
  const client = clientOf(tables, collection, { reservedNames: [] }, source)
  const leaves = tables.read(client).flatMap(leavesOf)
  return { byRole: client.byRole, conditions: leaves.filter(({ path }) => client.paths.has(path.text)) }
}

function bound(
  tables: Tables,
  collection: Collection,
  read: TextRequest & { readonly source: Source },
  bind: Bind,
): Bound {
  const { source, limits } = read
  const client = clientOf(tables, collection, read, source)
  const members = tables.read(client)
  const tooMany = countOf(client, members)
  if (tooMany !== undefined) return { query: undefined, findings: [tooMany], uses: undefined }
  const [isPaged, page] = pageIn(client)
  const parameters = [...page, ...orderIn(client), ...fieldsIn(client), ...searchIn(client)]
  const isCounted = wantsCount(client) && collection.count
  const conditions = conditionsOf(client, members)
  const { findings } = client
  if (!isPaged && tables.unpaged === 'max') findManyKeys()

  const { query, ...others } = bind(
    collection,
    { ...read, isDayMoment: tables.day !== 'whole' },
    { conditions, parameters },
  )
  const { uses } = others
  // A condition about every entry is read as two conditions, with the same faults.
  const places = new Set<string>()
  for (const finding of others.findings) {
    const { code, span } = finding
    const isNew = places.size < places.add(`${code} ${span.start} ${span.end}`).size
    if (isNew) findings.push({ ...finding, translation: { finding, toClient } } as Finding)
  }
  if (query !== undefined) findOtherWay(query)
  if (query === undefined || findings.length > 0) return { query: undefined, findings, uses }
  return { query: Object.freeze({ ...query, count: isCounted }), findings, uses }

  /** Refuses a cursor of the other direction: `page[after]` requires a `next` cursor. Skips a cursor with an offset. */
  function findOtherWay({ position, offset }: Query): void {
    const pair = client.byRole.get('cursor')?.[0]
    const { next, previous } = tables.links ?? {}
    if (pair === undefined || next === previous || position === undefined || offset !== undefined) return
    if (position.values.length === 0 || position.toward === (pair.key.text === next ? 'next' : 'previous')) return
    const { text } = pair.key
    find(client, 'parameter_invalid', pair.value, {
      parameter: text,
      expected: { kind: 'cursor' },
      advice: [{ kind: 'drop_cursor' }],
    })
  }

  /** Refuses more keys than `limit.max`: the answer would leave out rows of a request for all of the keys. */
  function findManyKeys(): void {
    const { key, limit } = collection
    const only = key[0]!
    if (key.length > 1) return
    for (const one of members) {
      if (one.group !== undefined || client.paths.get(one.path.text) !== only) continue
      if (one.values.length <= limit.max || one.values.length > limits.list) continue
      const span = { start: one.values[limit.max]!.start, end: one.values.at(-1)!.end }
      find(
        client,
        'limit_list',
        span,
        { of: 'condition', found: one.values.length, limit: limit.max },
        { path: only.name },
      )
    }
  }

  /** Puts the facts of a finding in the words of the client. */
  function toClient(finding: Finding): Finding {
    const clientName = (name: string) => {
      const [, ...of] = roles.find(([parameter]) => collection.parameters.get(parameter) === name) ?? []
      return nameOfRole(tables, ...of) ?? tables.search ?? name
    }
    const { parameters } = finding
    const suggestion = own(finding, 'suggestion')
    const ours = parameters as {
      readonly advice?: readonly Advice[]
      readonly operator?: string
      readonly subject?: string
      readonly allowsEmptyText?: boolean
      readonly of?: string
      readonly parameter?: string
      readonly name?: string
    }
    const advice = own(ours, 'advice')?.flatMap((one) => adviceFor(client, one))
    const [one] = advice ?? []
    const { start } = finding.span
    const condition = members.flatMap(leavesOf).find(({ whole }) => whole.start <= start && start <= whole.end)
    const isOfCondition = own(ours, 'of') === 'condition'
    const key = (name: string) => (condition === undefined ? name : keyOfCondition(tables, condition))
    const isKept = suggestion !== undefined && one?.kind === 'did_you_mean' && one.name === suggestion.insert
    return {
      ...finding,
      parameters: {
        ...parameters,
        ...(advice !== undefined && { advice }),
        ...(own(ours, 'operator') && {
          operator: condition === undefined ? wordFor(tables, ours.operator!) : wordText(condition.word.text),
        }),
        ...(finding.code === 'duplicate_condition' && isOfCondition && { name: key(ours.name!) }),
        ...(own(ours, 'subject')?.endsWith(']') && { subject: key(ours.subject!) }),
        ...(own(ours, 'parameter') && { parameter: clientName(ours.parameter!) }),
        ...(own(ours, 'allowsEmptyText') && { allowsEmptyText: false }),
      },
      suggestion: isKept ? suggestion : undefined,
    } as Finding
  }
}
