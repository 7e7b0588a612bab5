/** The key of one row, as the last part of a path has it → the query that selects this row. */
import { namesOf, report, shownName, type Finding, type Issue, type Issues, type Span } from '../issue/index.ts'
import {
  checkCollection,
  defaultLimits,
  fieldNamesOf,
  lengthFinding,
  noWords,
  operatorNamed,
  readerOf,
  usesIn,
} from '../language/index.ts'
import type { Collection, Limits, Operand, ResolvedField } from '../language/index.ts'
import { decode, decodeClear, decodingFault, keyOf, mayHoldSecret, sourceOf, type Source } from '../asked/index.ts'
import { faultFinding, type TextRequest } from '../reading/index.ts'
import { combine, newCondition, totalOrder, trustQuery, type Query, type QueryOf } from '../query/index.ts'
import type { TextAdviser } from './doubt.ts'
import { queryFrom, type QueryResult } from './parse-query.ts'
import { bindAsked, readPairs } from './read-pairs.ts'
import { own } from '../own.ts'

/** The result of {@link keyQuery}: the query, or every issue of the key. */
export type KeyResult<Q extends Query = Query> =
  { readonly ok: true; readonly query: Q } | { readonly ok: false; readonly issues: Issues }

/**
 * Makes the query that selects one row by its key, for a route of your own. A backend reads it like every query: add the restriction
 * of the caller with `restrict`.
 *
 * @param collection made by `defineCollection`.
 * @param text the key as the path of a URL has it: each field percent-encoded, and several fields separated by commas. A framework that
 *   has decoded a key of one field gives `encodeURIComponent(key)`.
 * @returns the query, or every issue of the text.
 * @throws TypeError when an argument has the wrong type. The text never causes it.
 * @example
 * const result = keyQuery(orderCollection, '12')
 * if (result.ok) memoryBackend().compileQuery(restrict(result.query, where(orders).equals('seller', 's-1')))(rows).rows // at most one row
 */
export function keyQuery<C extends Collection>(collection: C, text: string): KeyResult<QueryOf<C>> {
  checkCollection(collection)
  if (typeof text !== 'string') throw new TypeError('text must be the key as the path of a URL has it')
  const findings: Finding[] = []
  const operands = readKey(collection, text, defaultLimits, false, findings)
  if (findings.length > 0) return { ok: false, issues: report(findings, defaultLimits.issues) }
  return { ok: true, query: queryOfRow(collection, operands) as QueryOf<C> }
}

/**
 * Binds the key of a row, and the parameters beside it: the fields and the time zone. An issue of the key has no span in their text.
 *
 * @param read a text that is not too long.
 */
export function bindRow(collection: Collection, key: string, read: TextRequest, adviser: TextAdviser): QueryResult {
  const { limits, reserved, notation } = read
  const ofKey: Finding[] = []
  const operands = readKey(collection, key, limits, notation?.key === 'beside', ofKey)
  const { query, findings, uses } = readBeside(collection, read, adviser)
  const deprecated = usesIn(uses)
  if (ofKey.length === 0 && query !== undefined)
    return { ok: true, query: queryOfRow(collection, operands, query), reserved, deprecated }
  const issues = [
    ...(ofKey.length === 0 ? [] : report(ofKey, limits.issues).map(({ span: _, ...issue }): Issue => issue as Issue)),
    ...(findings.length === 0 ? [] : report(findings, limits.issues, adviser)),
  ]
  return { ok: false, issues: issues as readonly Issue[] as Issues, reserved, deprecated }
}

/** Reads the parameters beside a key. Every other pair is an unknown field. */
function readBeside(collection: Collection, read: TextRequest, adviser: TextAdviser): ReturnType<typeof queryFrom> {
  const { notation, reservedNames } = read
  const source = read.source!
  const parameters = new Map(
    [...read.parameters].filter(([, parameter]) => parameter === 'fields' || parameter === 'timeZone'),
  )
  const isOffered = (name: string) =>
    reservedNames.includes(name) || (notation === undefined ? parameters.has(name) : notation.selects(name))
  const { rest = [], others = [] } = Object.groupBy(source.pairs, (pair) =>
    isOffered(decodeClear(source, keyOf(pair)) ?? '') ? 'rest' : 'others',
  )
  const choices = namesOf(notation === undefined ? [...parameters.keys()] : [])
  const unknown = others.map((pair): Finding => {
    const key = keyOf(pair)
    const text = mayHoldSecret(source, key, reservedNames) ? undefined : decodeClear(source, key)
    const name = text === undefined ? null : shownName(text)
    const advice = choices.names.length === 0 ? [] : [{ kind: 'choose', from: 'parameters', choices } as const]
    return {
      code: 'field_unknown',
      span: { start: key.start, end: key.end },
      parameters: { problem: 'name', name, advice },
    }
  })
  const beside = { ...read, parameters, words: noWords, source: { ...source, pairs: rest }, tooLong: undefined }
  const names = fieldNamesOf(collection)
  const bound =
    notation === undefined
      ? queryFrom(collection, beside, readPairs(names, beside, adviser, collection))
      : notation.bind(collection, beside, (collection, read, asked) =>
          queryFrom(collection, read, bindAsked(names, read, asked, adviser, collection)),
        )
  return unknown.length === 0 ? bound : { ...bound, query: undefined, findings: [...unknown, ...bound.findings] }
}

const equals = /* @__PURE__ */ operatorNamed.get('equals')!

function queryOfRow(collection: Collection, operands: readonly Operand[], beside?: Query): Query {
  const { key, hidden } = collection
  const asked = key.map((field, at) => newCondition(field, equals, [operands[at]!]))
  const fields = beside && own(beside, 'fields')
  const query: Query = {
    filter: combine(asked),
    asked,
    sort: totalOrder(collection, []),
    limit: 1,
    count: false,
    ...(fields && { fields }),
    ...(hidden.length > 0 && { hidden }),
  }
  return trustQuery(Object.freeze(query))
}

// --- The fields of a key

/** A field of a key in the text, decoded. */
interface KeyPart extends Span {
  readonly text: string
}

/**
 * Reads the values of the key, in the order of its fields.
 *
 * @param isId whether the text may be an id that an answer has: its commas are encoded, too.
 */
function readKey(
  { key }: Collection,
  text: string,
  limits: Limits,
  isId: boolean,
  findings: Finding[],
): readonly Operand[] {
  const tooLong = lengthFinding(text.length, limits.length)
  if (tooLong !== undefined) {
    findings.push(tooLong)
    return []
  }
  // In a path, a plus sign is no space.
  const source = { ...sourceOf(text, 0), hasPluses: false }
  const fault = decodingFault(source, { start: 0, end: text.length })
  if (fault !== undefined) {
    findings.push(faultFinding(fault))
    return []
  }
  const parts = partsOf(source, key.length, isId)
  if (parts?.length === key.length) return key.flatMap((field, at) => readPart(field, parts[at]!, limits, findings))
  const subject = key.map(({ name }) => name).join(',')
  const description = 'a value for each of these fields, with commas between them'
  findInvalid(findings, subject, { start: 0, end: text.length }, 'text', description)
  return []
}

function partsOf(source: Source, count: number, isId: boolean): readonly KeyPart[] | undefined {
  const { text } = source
  if (isId && count > 1 && !text.includes(',')) return partsOfId(decode(source, { start: 0, end: text.length }))
  let start = 0
  return (count === 1 ? [text] : text.split(',')).map((raw) => {
    const span = { start, end: start + raw.length }
    start = span.end + 1
    return { ...span, text: decode(source, span) }
  })
}

/** Cuts the id that a JSON:API resource has: a backslash escapes commas and itself. */
function partsOfId(id: string): readonly KeyPart[] | undefined {
  const texts = ['']
  for (let at = 0; at < id.length; at++) {
    const isEscape = id[at] === '\\'
    if (isEscape && !/[\\,]/.test(id[++at] ?? '')) return undefined
    if (!isEscape && id[at] === ',') texts.push('')
    else texts[texts.length - 1] += id[at]!
  }
  return texts.map((text) => ({ text, start: 0, end: id.length }))
}

function readPart(field: ResolvedField, part: KeyPart, limits: Limits, findings: Finding[]): readonly Operand[] {
  const { name, type } = field
  const { text, start, end } = part
  const reader = readerOf('value', field)
  const operand = reader.fromText(text)
  const about = { span: { start, end }, path: name }
  if (text === '') {
    const parameters = { of: 'value', isWhole: true, allowsEmptyText: false, parameter: null } as const
    findings.push({ code: 'operand_empty', ...about, parameters })
  } else if (text.length > limits.operand) {
    const parameters = { found: text.length, limit: limits.operand }
    findings.push({ code: 'limit_operand', ...about, parameters })
  } else if (operand === undefined || operand.type === 'day') {
    // A day is no moment, and a key has no time that is relative to now.
    const expected = type === 'datetime' ? 'a datetime of RFC 3339 with Z or an offset' : reader.expected
    findInvalid(findings, name, part, type, expected, name)
  } else return [operand]
  return []
}

function findInvalid(
  findings: Finding[],
  subject: string,
  { start, end }: Span,
  type: string,
  description: string,
  path?: string,
): void {
  const expected = { kind: 'type', type, description } as const
  findings.push({ code: 'operand_invalid', span: { start, end }, path, parameters: { subject, expected, advice: [] } })
}
