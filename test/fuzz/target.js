/** What Jazzer.js calls, which takes a file of JavaScript. */
import { textOf } from './bytes.ts'
import { brokenLaw } from './laws.ts'
import { outcomesOf } from './outcomes.ts'

// Counted as branches are.
const outcomes = globalThis.Fuzzer.coverageTracker.createModuleCounters(1 << 13)
const placeOf = (outcome) => {
  let hash = 0
  for (let at = 0; at < outcome.length; at++) hash = (hash * 31 + outcome.charCodeAt(at)) % outcomes.length
  return hash
}

export function fuzz(bytes) {
  const text = textOf(bytes)
  const broken = brokenLaw(text)
  if (broken !== undefined) throw new Error(broken)
  for (const outcome of outcomesOf(text)) outcomes[placeOf(outcome)] = 1
}
