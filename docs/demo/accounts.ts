/** The accounts of the demo, in memory: an example of the interface, not of a store for passwords. */
import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { digestOf, type Accounts } from '../../src/service/index.ts'

/** A caller, the sellers whose rows they may see, and whether they may know the totals of orders. */
export interface Principal {
  readonly name: string
  readonly sellers: readonly string[] | 'all'
  readonly seesTotal: boolean
}

export const demoAccounts: readonly Principal[] = [
  { name: 'north', sellers: ['s-north'], seesTotal: true },
  { name: 'south', sellers: ['s-south'], seesTotal: true },
  { name: 'office', sellers: 'all', seesTotal: true },
  { name: 'desk', sellers: 'all', seesTotal: false },
]

const scryptOf = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

/**
 * Accounts whose password is their name and `-password`, and whose key is their name and `-key`.
 *
 * @param cost of hashing a password, a power of two. Tests of something else use a low one.
 */
export async function makeAccounts(cost = 16_384): Promise<Accounts<Principal>> {
  const hash = (password: string, salt: Buffer) => scryptOf(password, salt, 32, { cost })
  const accounts = await Promise.all(
    demoAccounts.map(async (principal) => {
      const salt = randomBytes(16)
      const apiKey = `${principal.name}-key`
      const passwordHash = await hash(`${principal.name}-password`, salt)
      return { principal, apiKey, keyDigest: await digestOf(apiKey), salt, passwordHash }
    }),
  )
  const byDigest = new Map(accounts.map((account) => [account.keyDigest, account]))
  const byName = new Map(accounts.map((account) => [account.principal.name, account]))
  // The hash for an unknown name, so that both cases do the same work.
  const nobody = { salt: randomBytes(16), passwordHash: randomBytes(32) }

  return {
    byKeyDigest: (digest) => byDigest.get(digest),
    async byPassword(name, password) {
      const account = byName.get(name)
      const { salt, passwordHash } = account ?? nobody
      const same = timingSafeEqual(await hash(password, salt), passwordHash)
      return same ? account : undefined
    },
  }
}
