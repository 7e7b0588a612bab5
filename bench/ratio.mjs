/** Times contenders in turn, in one process, and prints each as a ratio to the first: machines drift, ratios less. */

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
let sink = 0

function time(contender, inputs, calls) {
  const begun = process.hrtime.bigint()
  for (let call = 0; call < calls; call++) sink += contender(inputs[call % inputs.length]) ? 1 : 0
  return Number(process.hrtime.bigint() - begun) / calls
}

/**
 * @param contenders name → function; the first is what the others are measured against.
 * @param inputs what they are called with, in turn.
 */
export function compare(title, contenders, inputs, { rounds = 15, calls = 5_000, warmUp = 20_000 } = {}) {
  const times = Object.entries(contenders).map(([name, contender]) => ({ name, contender, samples: [] }))
  for (const { contender } of times) time(contender, inputs, warmUp)
  for (let round = 0; round < rounds; round++) {
    for (const { contender, samples } of times) samples.push(time(contender, inputs, calls))
  }
  const unit = median(times[0].samples)
  const cells = times.map(
    ({ name, samples }) => `${name} ${median(samples).toFixed(0)} ns (${(median(samples) / unit).toFixed(2)})`,
  )
  console.log(`${title.padEnd(12)} ${cells.join(' | ')}`)
}
