/** Aborts an answer when its client has gone or its time is over. */
import { after, type Awaitable } from './awaitable.ts'

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
export function withDeadline<T>(
  gone: AbortSignal | null | undefined,
  timeout: number | undefined,
  call: (signal: AbortSignal) => Awaitable<T>,
): Awaitable<T> {
  const controller = new AbortController()
  if (!gone && timeout === undefined) return call(controller.signal)
  return new Promise<T>((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer)
      gone?.removeEventListener('abort', onGone)
    }
    const end = (why: Ended) => {
      leave()
      const ended = new EndedEarly(why)
      controller.abort(ended)
      reject(ended)
    }
    const onGone = () => end('gone')
    const timer = timeout === undefined ? undefined : setTimeout(end, timeout, 'timeout' as const)
    if (gone?.aborted) return onGone()
    gone?.addEventListener('abort', onGone)
    const settling =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        leave()
        settle(value)
      }
    try {
      void after(call(controller.signal), settling(resolve), settling(reject))
    } catch (error) {
      settling(reject)(error)
    }
  })
}
