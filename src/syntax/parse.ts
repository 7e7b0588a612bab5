/** Text → syntax: pairs, what is malformed, and the values of reserved pairs. */
import type { Finding, Span } from '../issue/index.ts'
import { faultFinding, leftmost, reservedFinding, type Fault } from './faults.ts'
import { parser, type PairNode } from './grammar.ts'
import { decode, decodingFault, isDoubtful, sourceOf, type Source } from './source.ts'
import type { Item, NamedPair, Pair, Syntax } from './syntax.ts'
import { scan, scanList } from './tokens.ts'

/**
 * Reads a query's text. Never throws: what is malformed becomes a finding, and the other pairs are still read.
 *
 * @param reserved names of pairs that are not conditions: they are taken out, and nothing of them is shown.
 * @param named names of parameters: their pairs are not conditions either.
 */
export function parseSyntax(text: string, reserved: readonly string[], named: readonly string[] = noNames): Syntax {
  const source = sourceOf(text)
  const doubtful = isDoubtful(source)
  const pairs: Pair[] = []
  const findings: Finding[] = []
  const hasNames = reserved.length > 0 || named.length > 0
  const parameters: NamedPair[] = []
  const values = new Map<string, string[]>()

  for (const node of parsePairs(text)) {
    const keyFault = doubtful ? decodingFault(source, node.key) : undefined
    const valueFault = doubtful ? decodingFault(source, node.value) : undefined
    // A key that cannot be decoded is nobody's name.
    const name = hasNames && keyFault === undefined ? decode(source, node.key) : undefined
    if (name !== undefined && reserved.includes(name)) {
      const fault = missingEquals(node) ?? valueFault
      if (fault !== undefined) findings.push(reservedFinding(fault, node.key))
      else if (values.has(name)) values.get(name)!.push(decode(source, node.value))
      else values.set(name, [decode(source, node.value)])
      continue
    }
    const isParameter = name !== undefined && named.includes(name)
    const fault = isParameter ? (missingEquals(node) ?? valueFault) : leftmost(node.faults, keyFault ?? valueFault)
    if (fault === undefined && isParameter) parameters.push({ name, key: node.key, value: node.value })
    else if (fault === undefined) pairs.push(node)
    else findings.push(faultFinding(fault, source, keyFault === undefined ? node.key : undefined, reserved))
  }
  return { source, pairs, findings, parameters, reserved: values }
}
const noNames: readonly string[] = []

function parsePairs(text: string): readonly PairNode[] {
  return parser(scan(text, text.startsWith('?') ? 1 : 0)).query()
}

/** A value as a list: at least one item. */
export function parseList({ text }: Source, { start, end }: Span): readonly Item[] {
  return parser(scanList(text, start, end)).list()
}

/** The text of an item of a list, decoded. */
export function decodeItem(source: Source, item: Item): string {
  return item.parts === undefined ? decode(source, item) : item.parts.map((part) => decode(source, part)).join('')
}

/** Brackets in a reserved name are no fault: `page[size]` is told by its whole key. */
function missingEquals({ faults }: PairNode): Fault | undefined {
  return faults?.find(({ kind }) => kind === 'missing equals')
}
