/** Runs random filters, or random queries, on a contender. */
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import type { Field, Fields, Schema } from '../../src/index.ts'
import { digitsOf, isPromised } from '../../src/language/index.ts'
import type { Contender, Row } from './contenders.ts'

/** Filters, or queries. */
export interface Subject<Situation> {
  /** The option of the command that selects it. */
  readonly option: string
  /** Rows of one schema, and filters or queries over them. */
  readonly situationsOf: (contender: Contender) => fc.Arbitrary<Situation>
  /** @throws Disagreed at the first difference. */
  readonly check: (contender: Contender, situation: Situation) => Promise<Counts>
}
export interface RunOptions {
  /** How many questions, each on one set of rows, are compared; those that exceptions leave out come on top. */
  readonly pairs: number
  readonly seed: number
  readonly signal?: AbortSignal
  /** Called after each set of rows. */
  readonly onProgress?: (report: Report) => void
}
export interface Counts {
  readonly pairs: number
  /** Pairs that were not compared, for a declared exception. */
  readonly leftOut: number
  /** Claims of laws that were checked. Their filters do not count as pairs. */
  readonly laws: number
}
export interface Report extends Counts {
  readonly disagreements: readonly Disagreement[]
  readonly milliseconds: number
}

/** Questions on one set of rows, and how an answer is not what it should be. */
export interface Difference {
  readonly schema: Schema
  readonly rows: readonly Row[]
  /** The question, as statements to paste. */
  readonly said: readonly string[]
  /** The law that is broken; otherwise memory has what is expected. */
  readonly law?: string
  readonly expected: readonly (number | string | null)[] | string
  readonly selected: readonly (number | string | null)[] | string
  readonly layout: string
  readonly output: unknown
}
export interface Disagreement extends Difference {
  readonly contender: string
  readonly option: string
  /** That of the chunk, in which all of this comes first again; and how many pairs came before it. */
  readonly seed: number
  readonly path: string
  readonly before: number
}
export class Disagreed extends Error {
  readonly difference: Difference
  constructor(difference: Difference) {
    super('selects other rows')
    this.difference = difference
  }
}

/** How many situations a seed is for; after a disagreement the next seed goes on. */
const runsEach = 100
const mostDisagreements = 5
/** One after the other, so that a run of any seed holds those of the seeds that come after it. */
const nextSeed = (seed: number) => (Math.imul(seed, 1664525) + 1013904223) >>> 0

export async function run<Situation>(
  contender: Contender,
  { situationsOf, check, option }: Subject<Situation>,
  { pairs, seed, signal, onProgress }: RunOptions,
): Promise<Report> {
  const started = performance.now()
  const situations = situationsOf(contender)
  const disagreements: Disagreement[] = []
  const counts = { pairs: 0, leftOut: 0, laws: 0 }
  const report = (): Report => ({
    ...counts,
    disagreements: [...disagreements],
    milliseconds: performance.now() - started,
  })
  const isDone = () => signal?.aborted === true || counts.pairs >= pairs

  for (let own = seed; !isDone() && disagreements.length < mostDisagreements; own = nextSeed(own)) {
    const before = counts.pairs
    // What is run to shrink a disagreement does not count.
    let failed = false
    const property = fc.asyncProperty(situations, async (situation) => {
      // Signals and timers need a turn of their own.
      await setImmediate()
      if (failed ? signal?.aborted === true : isDone()) return
      try {
        const more = await check(contender, situation)
        if (failed) return
        for (const key of ['pairs', 'leftOut', 'laws'] as const) counts[key] += more[key]
        onProgress?.(report())
      } catch (error) {
        failed = true
        throw error
      }
    })
    const details = await fc.check(property, { numRuns: runsEach, seed: own })
    if (!details.failed) continue
    const { errorInstance, counterexamplePath } = details
    if (!(errorInstance instanceof Disagreed)) throw errorInstance
    disagreements.push({
      ...errorInstance.difference,
      contender: contender.name,
      option,
      seed: own,
      path: counterexamplePath!,
      before: counts.pairs - before,
    })
    onProgress?.(report())
  }
  return report()
}

// --- A disagreement as a case to paste.

function fieldSource(definition: Field): string {
  const digits = digitsOf(definition)
  const options = [...(isPromised(definition) ? ['required: true'] : []), ...(digits ? [`digits: ${digits}`] : [])]
  const given = [
    ...(definition.type === 'enumeration' ? [JSON.stringify(definition.values)] : []),
    ...(definition.type === 'object' ? [fieldsSource(definition.fields)] : []),
    ...('entry' in definition ? [fieldSource(definition.entry)] : []),
    ...(options.length === 0 ? [] : [`{ ${options.join(', ')} }`]),
  ]
  return `field.${definition.type}(${given.join(', ')})`
}
const fieldsSource = (fields: Fields): string =>
  `{ ${Object.entries(fields)
    .map(([name, definition]) => `${JSON.stringify(name)}: ${fieldSource(definition)}`)
    .join(', ')} }`

export function caseOf(disagreement: Disagreement): string {
  const { contender, layout, law, schema, rows, said, expected, selected, output } = disagreement
  const { seed, path, before, option } = disagreement
  return [
    `// ${contender} (${layout}): ${law ?? 'memory selects what is expected'}`,
    `const schema = defineSchema(${fieldsSource(schema.fields)})`,
    `const rows = ${fc.stringify(rows)}`,
    ...said,
    `const expected = ${JSON.stringify(expected)}`,
    `const selected = ${JSON.stringify(selected)}`,
    `// output: ${fc.stringify(output)}`,
    `// seed ${seed}, path ${path}; again: npm run differential -- --engine '${contender}' --seed ${seed} --pairs ${before + 1}${option}`,
  ].join('\n')
}
