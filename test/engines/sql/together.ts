/**
 * Statements that are sent as one, by UNION ALL: an engine and its driver spend more time around a short statement than on it.
 * Each is planned and run on its own there.
 */
import type { SqlPiece } from '../../../src/backends/sql/index.ts'
import type { Engine } from './engines.ts'

type Rows = Awaited<ReturnType<Engine['run']>>
/** The text around the parameters of a statement, which begins with SELECT, and these. */
type Piece = Pick<SqlPiece, 'strings' | 'parameters'>
interface Queued extends Piece {
  readonly resolve: (rows: Promise<Rows> | Rows) => void
}

type Sending = Pick<Engine, 'dialect' | 'mostInUnion'>

/** A piece between two texts. */
export const between = <P extends SqlPiece>(before: string, piece: P, after = ''): P => {
  const last = piece.strings.length - 1
  const strings = piece.strings.map((text, at) => (at === 0 ? before : '') + text + (at === last ? after : ''))
  return { ...piece, text: before + piece.text + after, strings: Object.assign(strings, { raw: strings }) }
}

/** Statements as one. Where the engine limits the length of a UNION ALL, its parts are subqueries. */
const union = (texts: readonly string[], most: number): string => {
  const joined = texts.length <= most ? [texts] : chunks(texts, most)
  const [first, ...others] = joined.map((part) => part.join(' UNION ALL '))
  return others.length === 0
    ? first!
    : union(
        [first!, ...others].map((text) => `SELECT * FROM (${text})`),
        most,
      )
}
const chunks = (texts: readonly string[], length: number): string[][] =>
  Array.from({ length: Math.ceil(texts.length / length) }, (_, at) => texts.slice(at * length, (at + 1) * length))

const parts = (queued: readonly Queued[], { dialect }: Sending): Queued[][] => {
  const most = { statements: 50, parameters: Math.min(2_000, dialect.maxParameters ?? Infinity) }
  const made: Queued[][] = []
  let room = 0
  for (const one of queued) {
    room -= one.parameters.length
    const part = made.at(-1)
    if (part !== undefined && part.length < most.statements && room >= 0) {
      part.push(one)
      continue
    }
    made.push([one])
    room = most.parameters - one.parameters.length
  }
  return made
}

/** Runs the statements of one turn together. Where that fails, it runs each alone, for an error of its own. */
export function together(engine: Sending, run: Engine['run']): (piece: Piece) => Promise<Rows> {
  const { placeholder } = engine.dialect
  let queue: Queued[] = []
  const textOf = ({ strings }: Piece, first = 1): string =>
    strings.reduce((text, next, at) => text + placeholder(first + at - 1) + next)
  const runPart = async (part: readonly Queued[]): Promise<void> => {
    let first = 1
    const texts = part.map((one, at) => {
      const text = textOf(one, first).replace(/^SELECT /, `SELECT ${at} AS asked, `)
      first += one.parameters.length
      return text
    })
    const rows =
      part.length === 1
        ? undefined
        : await run(
            union(texts, engine.mostInUnion ?? texts.length),
            part.flatMap(({ parameters }) => parameters as unknown[]),
          ).catch(() => undefined)
    if (rows === undefined) {
      for (const one of part) {
        const alone = run(textOf(one), one.parameters)
        one.resolve(alone)
        await alone.catch(() => undefined)
      }
      return
    }
    const byStatement = Map.groupBy(rows, ({ asked }) => Number(asked))
    for (const [at, { resolve }] of part.entries()) resolve(byStatement.get(at) ?? [])
  }
  let last: Promise<unknown> = Promise.resolve()
  return ({ strings, parameters }) =>
    new Promise((resolve) => {
      queue.push({ strings, parameters, resolve })
      if (queue.length > 1) return
      setImmediate(() => {
        const queued = queue
        queue = []
        last = last.then(async () => {
          for (const part of parts(queued, engine)) await runPart(part)
        })
      })
    })
}
