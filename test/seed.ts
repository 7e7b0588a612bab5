/**
 * The seed of all random input. A push has the one in seed.json, so that a red run has its cause in the change: `npm run seed` draws
 * another one, to commit. A full run draws its own. SEED repeats a run.
 */
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { isFull } from './effort.ts'

/** A new seed: 32 bits, as those of fast-check. */
export const drawSeed = (): number => Math.trunc(Math.random() * 0x7fffffff)

const path = new URL('seed.json', import.meta.url)
const { seed: pushed } = JSON.parse(readFileSync(path, 'utf8')) as { readonly seed: number }
// Vitest runs this file before each file of tests. A test that imports it reads the same seed.
process.env.SEED ??= String(isFull ? drawSeed() : pushed)
export const seed = Number(process.env.SEED)

fc.configureGlobal({ seed })
