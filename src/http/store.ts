/** Tells what a store throws from the errors of the service. */
import { FilterError } from '../issue/index.ts'
import type { Awaitable } from './authenticator.ts'

/** Carries what a store threw. */
export class StoreFailure extends Error {}

export async function fromStore<T>(call: () => Awaitable<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw error instanceof FilterError ? error : new StoreFailure(undefined, { cause: error })
  }
}
