/** Pages of more and more rows, and many connections at once. */
import { count } from './databases.mjs'
import { bestOf, laneOf, now, once, statementsOf } from './sql-statements.mjs'
import { median } from './timing.mjs'

const sizes = [10_000, 100_000, count]

/**
 * The pages of each order that has an index, of more and more rows: the slope of the time on scales of logarithms, which is 1 where the
 * time grows as the rows do, then the times in milliseconds and the work.
 */
export async function growth(database, shapes) {
  const found = new Map()
  for (const size of sizes) {
    const opened = await database.open(size)
    for (const shape of shapes.filter(({ grows }) => grows)) {
      const { ours } = await statementsOf(shape, database, opened, size)
      const lane = laneOf(opened, ours)
      for (const until = now() + 3e8; lane.samples.length < 5 || (now() < until && lane.samples.length < 300);)
        await once(lane)
      const time = median(lane.samples) / 1e6
      const work = await opened.work?.(ours.text, ours.parameters)
      found.set(shape.name, [...(found.get(shape.name) ?? []), { time, work }])
    }
    await opened.close()
  }
  for (const [name, lines] of found) {
    const slope = Math.log(lines.at(-1).time / lines[0].time) / Math.log(sizes.at(-1) / sizes[0])
    const mark = slope > 0.2 ? '*' : ' '
    const [times, work] = ['time', 'work'].map((key) => lines.map((line) => line[key]))
    console.log(
      `${mark} ${name.padEnd(60)} ${slope.toFixed(2).padStart(5)}  ${times.map((one) => one.toPrecision(2)).join(', ')}  ${work.join(' / ')}`,
    )
  }
}

const connections = 20
/**
 * Pages, a few conditions and whole rows, as a grid sends them: orders that an index has, `in`, two directions, and keys with NULL. A sort
 * of many rows in each turn would hide the others.
 */
const mix =
  /^(by (?!.*enumeration|.*without)|of s-(?!.*parent’s)|in [125] |in 2 inactive|status|seller and|one of two sellers|text|bigint|uuid|moments in days,|JSON: rare|tag:|child, rare, newest|parent: name|whole rows of s-150, newest)/

/** Statements in a second of twenty connections that ask the whole mix, in turns with those by hand. */
export async function crowd(database, shapes) {
  const all = await Promise.all(Array.from({ length: connections }, () => database.open()))
  const asked = []
  for (const shape of shapes.filter(({ name }) => mix.test(name))) {
    const statements = await statementsOf(shape, database, all[0])
    if (statements === undefined) continue
    const own = laneOf(all[0], statements.ours)
    const ids = own.idsOf(await once(own)).join()
    const best = await bestOf(
      statements.hands.map((one) => laneOf(all[0], one)),
      ids,
    )
    asked.push({ name: shape.name, lanes: [statements.ours, best] })
  }
  const turn = async (at, seconds) => {
    const until = now() + seconds * 1e9
    const begun = now()
    let answers = 0
    await Promise.all(
      all.map(async (opened, of) => {
        const reads = asked.map(({ lanes }) => ({
          read: opened.prepare(lanes[at].text),
          parameters: lanes[at].parameters,
        }))
        // Each begins with another statement.
        for (let next = (of * reads.length) / connections; now() < until; next++, answers++) {
          const { read, parameters } = reads[Math.floor(next) % reads.length]
          await read(parameters)
        }
      }),
    )
    return answers / ((now() - begun) / 1e9)
  }
  const found = [[], []]
  for (let round = 0; round < 6; round++)
    for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
      const answers = await turn(at, 4)
      // The first turns fill caches.
      if (round > 0) found[at].push(answers)
    }
  const [ours, hand] = found.map(median)
  console.log(
    `${asked.length} shapes, ${connections} connections: ${ours.toFixed(0)} statements in a second, by hand ${hand.toFixed(0)}: ${(ours / hand).toFixed(2)}`,
  )
  await Promise.all(all.map((opened) => opened.close()))
}
