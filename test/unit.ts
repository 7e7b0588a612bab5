/**
 * A test of the project `unit` takes less than a tenth of a second on a free machine: what takes longer is a law. What counts is the
 * time that its thread computes: waiting for a core adds nothing to it. A busy machine doubles it at most.
 */
import { afterEach, beforeEach } from 'vitest'
import { defineSchema, parseFilter } from '../src/index.ts'

const limitMs = 100
const mostMs = 2 * limitMs

// What the first text takes, the parser, is no test's own.
parseFilter(defineSchema({}), 'or=(a=1)', { groups: true })

/** Node 22 counts the whole process. */
const threadCpuUsage = Object.hasOwn(process, 'threadCpuUsage') ? process.threadCpuUsage : process.cpuUsage
let before = threadCpuUsage()
beforeEach(() => void (before = threadCpuUsage()))
afterEach(({ task }) => {
  const { user } = threadCpuUsage(before)
  if (user > mostMs * 1_000) throw new Error(`${task.name} computes for ${Math.round(user / 1_000)} ms: it is a law`)
})
