/** Why a command ends without a result, and the exit code that says so. */

/** 2: wrong use, or a module that does not load. 3: no driver, no connection, or no right to read. */
export class Failure extends Error {
  readonly exitCode: 2 | 3
  constructor(exitCode: 2 | 3, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** What an error says. A refused connection to two addresses is an AggregateError without a message. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  const errors = error instanceof AggregateError ? error.errors.map(messageOf) : [error.name]
  return [...new Set(errors)].join('; ')
}

/** The result of a step, or a {@link Failure} that says which step it was. */
export async function attempt<T>(exitCode: 2 | 3, step: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof Failure ? error : new Failure(exitCode, `${step}: ${messageOf(error)}`)
  }
}
