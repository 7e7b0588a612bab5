/** `npm run seed`: draws another seed for the random input of each push. */
import { writeFileSync } from 'node:fs'
import { drawSeed } from './seed.ts'

writeFileSync(new URL('seed.json', import.meta.url), `${JSON.stringify({ seed: drawSeed() })}\n`)
