/**
 * What a text means, or what is wrong with it and where: read once more, plainly, from the definition of the language, so
 * that this and `src` are wrong alike only where that is.
 */
import { defaultLimits, issueCodes, type Filter, type IssueCode, type ParseOptions } from '../../src/index.ts'
import { filterSaid, operandOf, operatorNamed, type Operand, type Said } from './meaning.ts'
import { fields, type Type } from './schema.ts'

export type Fault = readonly [start: number, end: number, code: IssueCode]
interface Part {
  readonly text: string
  readonly start: number
  readonly end: number
}
/** A character, or the escapes of one or of some beyond ASCII. */
interface Cell extends Part {
  readonly fault?: IssueCode
}

function cellOf(raw: string, start: number): Cell {
  const place = { start, end: start + raw.length }
  try {
    const text = raw === '+' ? ' ' : decodeURIComponent(raw)
    return { ...place, text, ...((text === '\0' || !text.isWellFormed()) && { fault: 'syntax_character' }) }
  } catch {
    return { ...place, text: '\ufffd', fault: 'syntax_encoding' }
  }
}
const cellsOf = (raw: string, start: number): readonly Cell[] =>
  Array.from(raw.matchAll(/%[0-7][\da-f]|(?:%[89a-f][\da-f])+|%[\da-f]?|[^]/giu), ({ 0: found, index }) =>
    cellOf(found, start + index),
  )
const joined = (cells: readonly Cell[]) => cells.map(({ text }) => text).join('')
const faultIn = (cells: readonly Cell[]): Fault[] =>
  cells.flatMap(({ start, end, fault }): Fault[] => (fault === undefined ? [] : [[start, end, fault]])).slice(0, 1)

/** Goes from cell to cell. */
function walk(cells: readonly Cell[], end: number) {
  let at = 0
  const place = () => cells[at]?.start ?? end
  const next = () => cells[at]?.text
  const take = () => cells[at++]?.text
  const until = (...marks: readonly string[]): Part => {
    const start = place()
    const from = at
    while (at < cells.length && !marks.includes(cells[at]!.text)) at++
    return { text: joined(cells.slice(from, at)), start, end: place() }
  }
  return { place, next, take, until }
}

function keyOf(cells: readonly Cell[], end: number) {
  const { place, next, take, until } = walk(cells, end)
  const faults: Fault[] = []
  const names: Part[] = []
  do names.push(until('.', '[', ']'))
  while (next() === '.' && take())
  for (const { text, start } of names) if (text === '') faults.push([start, start, 'syntax_name'])
  const path: Part = { text: names.map(({ text }) => text).join('.'), start: names[0]!.start, end: place() }
  let operator: Part | undefined
  if (next() === '[') {
    const open = place()
    take()
    operator = until('[', ']')
    if (operator.text === '' || next() !== ']') faults.push([open, operator.start, 'syntax_bracket'])
    if (next() === ']') take()
  }
  const stray = place()
  if (stray < end) {
    if (until('[', ']').text === '') take()
    faults.push([stray, place(), 'syntax_bracket'])
  }
  return { path, operator, faults, depth: names.length }
}

interface Item extends Part {
  readonly fault: IssueCode | undefined
  /** Whether its quote is never closed. */
  readonly open: boolean
}
function itemsOf(cells: readonly Cell[], end: number): readonly Item[] {
  const { place, next, take, until } = walk(cells, end)
  const items: Item[] = []
  do {
    const start = place()
    const isQuoted = next() === '"'
    let text = ''
    let fault: IssueCode | undefined
    if (isQuoted) {
      take()
      while (next() !== undefined && next() !== '"') {
        if (next() !== '\\') text += take()
        else if ((take(), next() === '"' || next() === '\\')) text += take()
        else fault = 'operand_quote'
      }
    }
    const open = isQuoted && take() === undefined
    const bare = until(',')
    if (open || (isQuoted && bare.text !== '')) fault = 'operand_quote'
    if (place() === start) fault = 'operand_empty'
    items.push({ text: text + bare.text, start, end: place(), fault, open })
  } while (take() === ',')
  return items
}

const typeAt = new Map<string, readonly [marked: string, type: Type]>(
  Object.entries(fields).map(([marked, type]) => [marked.replaceAll('[]', ''), [marked, type]]),
)
/** Between these, one item is two operands that lack their comma: their number alone is wrong. */
const joints = ['..', '...', ';', '|', ':', '-', ' ', 'to', '~', '/']
const inOrder = (faults: readonly Fault[]) =>
  faults.toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || issueCodes.indexOf(a[2]) - issueCodes.indexOf(b[2]))

export interface Reading {
  readonly faults: readonly Fault[]
  readonly reserved: ReadonlyMap<string, readonly string[]>
  /** Its meaning, where nothing is at fault. */
  readonly filter?: Filter
}

export function readPlainly(text: string, options: ParseOptions): Reading {
  const limits = { ...defaultLimits, ...options.limits }
  const faults: Fault[] = []
  const reserved = new Map<string, string[]>()
  const said: Said[] = []
  const seen = new Set<string>()
  const reading = (faults: readonly Fault[]): Reading =>
    faults.length > 0 ? { faults, reserved } : { faults, reserved, filter: filterSaid(said) }
  if (text.length > limits.length) return reading([[limits.length, text.length, 'limit_length']])

  let pairs = 0
  const searches: Fault[] = []
  let tooMany: Fault | undefined
  let end = text.startsWith('?') ? 0 : -1
  for (const raw of text.slice(end + 1).split('&')) {
    const start = end + 1
    end = start + raw.length
    if (raw === '') continue
    if (++pairs > limits.pairs) tooMany ??= [start, text.length, 'limit_pairs']

    const [head] = raw.split('=', 1) as [string]
    const keyEnd = start + head.length
    const keyCells = cellsOf(head, start)
    const valueCells = cellsOf(raw.slice(head.length + 1), keyEnd + 1)
    const value: Part = { text: joined(valueCells), start: keyEnd + 1, end }
    const missing: Fault[] = keyEnd < end ? [] : [[start, end, 'syntax_missing_equals']]

    const name = joined(keyCells)
    if (faultIn(keyCells).length === 0 && options.reserved?.includes(name)) {
      const [fault] = [...missing, ...faultIn(valueCells)]
      if (fault !== undefined) faults.push([start, keyEnd, fault[2]])
      else reserved.set(name, [...(reserved.get(name) ?? []), value.text])
      continue
    }
    const key = keyOf(keyCells, keyEnd)
    const [leftmost] = inOrder([...key.faults, ...faultIn([...keyCells, ...valueCells]), ...missing])
    if (leftmost !== undefined) {
      faults.push(leftmost)
      continue
    }

    const { path, depth } = key
    const [marked, type] = (depth <= limits.depth && typeAt.get(path.text)) || []
    const operator = key.operator ?? { ...path, text: 'equals' }
    const [count, reads, takes, , placed = /^/] = operatorNamed.get(operator.text) ?? []
    const before = faults.length
    if (depth > limits.depth) faults.push([path.start, path.end, 'limit_depth'])
    else if (type === undefined) faults.push([path.start, path.end, 'field_unknown'])
    if (takes === undefined) faults.push([operator.start, operator.end, 'operator_unknown'])
    else if (type !== undefined && !(takes.includes(type) && placed.test(marked!)))
      faults.push([operator.start, operator.end, 'operator_not_applicable'])
    if (faults.length > before || marked === undefined || type === undefined) continue

    const condition = `${path.text} ${operator.text}`
    if (seen.has(condition)) faults.push([start, keyEnd, 'duplicate_condition'])
    seen.add(condition)
    const isInList = marked.includes('[]')
    if (/contain|endsWith|^at/i.test(operator.text) || (operator.text === 'startsWith' && isInList))
      searches.push([start, end, 'limit_searches'])

    const items = count === 'one' ? [{ ...value, fault: undefined, open: false }] : itemsOf(valueCells, end)
    const operands: Operand[] = []
    const isTooLong = count !== 'one' && items.length > limits.list
    const isJoined =
      count === 'two' &&
      items.length === 1 &&
      items[0]!.fault === undefined &&
      items[0]!.text.length <= limits.operand &&
      joints.some((joint) => {
        const parts = items[0]!.text.split(joint)
        return parts.length === 2 && parts.every((part) => operandOf[reads ?? type](part.trim(), path.text))
      })
    for (const { text, start, end, fault } of isTooLong || isJoined ? [] : items) {
      const operand = operandOf[reads ?? type](text, path.text)
      if (fault !== undefined) faults.push([start, end, fault])
      else if (text.length > limits.operand) faults.push([start, end, 'limit_operand'])
      else if (operand) operands.push(operand)
      else faults.push([start, end, 'operand_invalid'])
    }
    if (isTooLong) faults.push([items[limits.list]!.start, end, 'limit_list'])
    // What one open quote holds might have been two.
    if (count === 'two' && items.length !== 2 && !items.every(({ open }) => open))
      faults.push([value.start, end, 'operand_count'])
    if (faults.length === before) said.push({ marked, type, operator: operator.text, operands })
  }

  if (tooMany !== undefined) return reading([tooMany])
  if (searches.length > limits.searches) faults.push(searches[limits.searches]!)
  const sorted = inOrder(faults)
  if (sorted.length <= limits.issues) return reading(sorted)
  const [start, upTo] = sorted[limits.issues - 1]!
  return reading([...sorted.slice(0, limits.issues - 1), [start, upTo, 'limit_issues']])
}
