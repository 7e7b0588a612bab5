/** Separates failures of stores and authenticators from faults of the program. */
import { FilterError } from '../issue/index.ts'
import { own } from '../own.ts'
import { after, type Awaitable } from './awaitable.ts'

/** Carries the error of a store: it tells a failure of the store from an error of the service. */
export class StoreFailure extends Error {}

/** Whether every such request fails. `fetch` rejects with a TypeError where it reaches no server, too: that one has a cause. */
const isOfProgram = (error: unknown): boolean =>
  (error instanceof TypeError || error instanceof ReferenceError) && own(error, 'cause') === undefined

/** Calls a function of the adopter. It throws, or its promise rejects. */
export function fromStore<T>(call: () => Awaitable<T>): Awaitable<T> {
  try {
    return after(call(), (result) => result, refuse)
  } catch (error) {
    return refuse(error)
  }
}

function refuse(error: unknown): never {
  throw error instanceof FilterError || isOfProgram(error) ? error : new StoreFailure(undefined, { cause: error })
}
