/** Aborts an answer when its client has gone or its time is over. Imports nothing. */

/** Why an answer ended early. */
export type Ended = 'timeout' | 'gone'

/** Carries why an answer ended early. */
export class EndedEarly extends Error {
  readonly why: Ended
  constructor(why: Ended) {
    super(why === 'timeout' ? 'the time for the answer is over' : 'the client is gone')
    this.name = why === 'timeout' ? 'TimeoutError' : 'AbortError'
    this.why = why
  }
}

/**
 * Runs a call with a signal that aborts when the request does, or after `timeout` milliseconds. Some runtimes give a request no signal.
 *
 * @returns the result of the call.
 * @throws {@link EndedEarly} as soon as the signal aborts. The call goes on: its result is dropped.
 */
export async function withDeadline<T>(
  gone: AbortSignal | null | undefined,
  timeout: number | undefined,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  const onGone = () => controller.abort(new EndedEarly('gone'))
  if (gone?.aborted) onGone()
  signal.throwIfAborted()
  gone?.addEventListener('abort', onGone)
  const timer =
    timeout === undefined ? undefined : setTimeout(() => controller.abort(new EndedEarly('timeout')), timeout)
  const ended = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as EndedEarly))
  })
  try {
    return await Promise.race([ended, call(signal)])
  } finally {
    clearTimeout(timer)
    gone?.removeEventListener('abort', onGone)
  }
}
