/** Where a long job is: a line that renews itself on a terminal, and one line a minute elsewhere. */

/** What progress needs of a stream: `process.stderr` has it, so that results on stdout stay whole. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  readonly write: (text: string) => unknown
}
export interface Progress {
  /** Shows a state. @param share the part of the job that is done, from 0 to 1; absent where nobody knows the whole. */
  readonly tell: (state: string, share?: number) => void
  /** Clears the line, before other output or at the end. */
  readonly clear: () => void
}

const eachOnTerminals = 200
const eachElsewhere = 60_000

function timeOf(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000)
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}

/** @param now the time in milliseconds. */
export function openProgress(screen: Screen = process.stderr, now: () => number = () => performance.now()): Progress {
  const isTerminal = screen.isTTY === true
  const began = now()
  let told = isTerminal ? -Infinity : began
  let isShown = false
  return {
    tell: (state, share) => {
      if (now() - told < (isTerminal ? eachOnTerminals : eachElsewhere)) return
      told = now()
      const spent = told - began
      const left =
        share === undefined || share <= 0 ? '' : `, about ${timeOf((spent / share) * Math.max(0, 1 - share))} left`
      const line = `${state}: ${timeOf(spent)}${left}`
      isShown = isTerminal
      screen.write(isTerminal ? `\r\u001b[K${line.slice(0, (screen.columns || 80) - 1)}` : `${line}\n`)
    },
    clear: () => {
      if (isShown) screen.write('\r\u001b[K')
      isShown = false
    },
  }
}

/** Shows a job that lasts a known time, until the returned function is called. */
export function progressOfTime(state: () => string, milliseconds: number): () => void {
  const progress = openProgress()
  const began = performance.now()
  const ticking = setInterval(
    () => progress.tell(state(), Math.min(1, (performance.now() - began) / milliseconds)),
    1_000,
  )
  return () => {
    clearInterval(ticking)
    progress.clear()
  }
}
