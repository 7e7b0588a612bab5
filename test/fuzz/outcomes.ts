/** What comes of a text, in words: what fuzzing shall find all of, beside the branches of the code. */
import { parseFilter, type Filter } from '../../src/index.ts'
import { children } from '../../src/tree.ts'
import { settings } from './laws.ts'
import { schema } from './schema.ts'

const [options] = settings

export function outcomesOf(text: string): readonly string[] {
  const result = parseFilter(schema, text, options)
  if (result.ok) return nodesOf(result.filter, '')
  // All that may be wrong with each operator on each type, and with a reserved pair, of which only the name is shown.
  return result.issues.map(({ code, span, path = '', operator }) => {
    const isReserved = options!.reserved!.includes(text.slice(span!.start, span!.end))
    return [code, operator, schema.paths.get(path)?.type, isReserved].join(' ')
  })
}

function nodesOf(filter: Filter, around: string): string[] {
  const inside = children(filter)
  if (inside.length > 0) return inside.flatMap((inner) => nodesOf(inner, `${around} ${filter.kind}`))
  const { kind, operator, operand, operands, mode, type } = { ...nothing, ...filter }
  return [
    [
      around,
      kind,
      operator ?? mode,
      (typeof operand === 'number' ? 'count' : operand?.type) ?? operands?.[0]?.type ?? type,
    ].join(' '),
  ]
}
const nothing = { operator: undefined, operand: undefined, operands: undefined, mode: undefined, type: undefined }
