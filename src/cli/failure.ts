/** An error of the command line, with its exit code. */

/** 2: wrong use, or a module that does not load. 3: no driver, no connection, or no right to read. */
export class Failure extends Error {
  readonly exitCode: 2 | 3
  constructor(exitCode: 2 | 3, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Reads the message of an error. Node reports refused connections to two addresses by an AggregateError with an empty message. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  const errors = error instanceof AggregateError ? error.errors.map(messageOf) : [error.name]
  return [...new Set(errors)].join('; ')
}

/** Replaces control characters by escapes, because a name in a database can contain those of terminals. */
export const printable = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (found) => JSON.stringify(found).slice(1, -1))

/** Returns the result of a step. It converts an error to a {@link Failure} that names the step. */
export async function attempt<T>(exitCode: 2 | 3, step: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(exitCode, `${step}: ${messageOf(error)}`)
  }
}
