/** Times contenders in turn, round by round, in one process: machines drift, ratios less. */

/** How much is measured; times in nanoseconds. `longest` is what one case may take, once it has five rounds. */
export const settingsOf = (quick) =>
  quick
    ? { rounds: 5, processes: 2, sample: 1e6, warmUp: 30e6, longest: 5e9 }
    : { rounds: 21, processes: 31, sample: 10e6, warmUp: 300e6, longest: 60e9 }

export const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]

let loops = 0
/**
 * A loop of its own for each contender: what the engine learns about a loop belongs to its source, and one loop for
 * all would call each of them in the slow way. It tells how many results are truthy, and keeps the last, so that
 * none is optimised away.
 */
export const newLoop = () =>
  new Function(
    'contender',
    'inputs',
    'passes',
    `// ${loops++}
    let hits = 0
    let last
    for (let pass = 0; pass < passes; pass++) {
      for (let at = 0; at < inputs.length; at++) {
        last = contender(inputs[at])
        if (last) hits++
      }
    }
    return [hits, last]`,
  )

/** Nanoseconds of the processor that this process has used: other processes may use it too. */
function now() {
  const { user, system } = process.cpuUsage()
  return 1_000 * (user + system)
}
/** Where all results go. */
export const sink = { hits: 0, last: undefined }

function run(loop, contender, inputs, passes) {
  const begun = now()
  const [hits, last] = loop(contender, inputs, passes)
  const spent = now() - begun
  sink.hits += hits
  sink.last = last
  return spent
}

/**
 * @param contenders name → function of one input.
 * @param sets name → inputs; or a function that makes new ones for each sample, which go through once.
 * @param loopOf name → loop, where a contender is to have one that has seen other things.
 * @returns name of set → name of contender → nanoseconds per input, of each round.
 */
export function time(contenders, sets, { rounds, sample, warmUp, longest }, loopOf = {}) {
  const lanes = Object.entries(sets).flatMap(([set, given]) =>
    Object.entries(contenders).map(([name, contender]) => ({ set, given, name, contender, samples: [] })),
  )
  const loop = Object.fromEntries(Object.keys(contenders).map((name) => [name, loopOf[name] ?? newLoop()]))
  const once = (lane, passes) => {
    const made = typeof lane.given === 'function'
    const inputs = made ? lane.given() : lane.given
    return run(loop[lane.name], lane.contender, inputs, made ? 1 : passes) / inputs.length / (made ? 1 : passes)
  }
  // All sets in turn, more than once, so that none is measured by code that has only ever seen that one.
  for (const share of [0.3, 0.7]) {
    for (const lane of lanes) {
      const until = now() + share * warmUp
      do lane.perInput = once(lane, 1)
      while (now() < until)
    }
  }
  for (const lane of lanes) lane.passes = Math.ceil(sample / (lane.perInput * (lane.given.length || 1))) || 1

  const until = now() + longest
  for (let round = 0; round < rounds && (round < 5 || now() < until); round++) {
    // In turn forwards and backwards: nobody always runs in somebody's wake.
    for (const lane of round % 2 === 0 ? lanes : lanes.toReversed()) lane.samples.push(once(lane, lane.passes))
  }
  const times = {}
  for (const { set, name, samples } of lanes) (times[set] ??= {})[name] = samples
  return times
}

/**
 * A line of the table.
 *
 * @param samples of the contender and, round by round, of what it is measured against.
 * @param details the names: what, contender, base; the target and the moonshot of the ratio, or of the value where
 *   `judged` says so; unit and note.
 */
export function row(samples, baseSamples, details) {
  const ratio = baseSamples && median(samples.map((spent, round) => spent / baseSamples[round]))
  return {
    value: median(samples),
    unit: 'ns',
    ...(baseSamples && { baseValue: median(baseSamples), ratio }),
    ...details,
  }
}

/** A line for each set and comparison. */
export const rowsOf = (times, comparisons) =>
  Object.entries(times).flatMap(([set, samples]) =>
    comparisons.map((comparison) =>
      row(samples[comparison.contender], samples[comparison.base], { what: set, ...comparison }),
    ),
  )

/** Refuses to time what answers wrongly. */
export function check(right, what) {
  if (!right) throw new Error(`a wrong answer: ${what}`)
}
