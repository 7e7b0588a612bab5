/** Connections on which requests are written and answers read by hand, as no HTTP client would. */
import { connect, type Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}
/** What is to come: the answer to HEAD has no body. `undefined` when the connection ends before all of it is there. */
interface Awaited {
  readonly head: boolean
  readonly resolve: (answer: Answer | undefined) => void
}

const headersEnd = Buffer.from('\r\n\r\n')

export class Connection {
  readonly socket: Socket
  /** Whether nothing came for so long that we gave up. */
  late = false
  /** Settles when nothing more can come. */
  readonly closed: Promise<void>
  #chunks: Buffer[] = []
  #size = 0
  /** How much there must be for another look to be worth it. */
  #needed = 0
  readonly #awaited: Awaited[] = []

  constructor(port: number, patience: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    this.socket.setTimeout(patience, () => {
      this.late = this.#awaited.length > 0
      this.socket.destroy()
    })
    this.socket.on('data', (chunk) => {
      this.#chunks.push(chunk)
      this.#size += chunk.length
      if (this.#size >= this.#needed) this.#read(false)
    })
    this.socket.on('end', () => {
      this.#read(true)
      this.socket.destroy()
    })
    // Connections that are reset are part of it: what is missing then is missing from the answers.
    this.socket.on('error', () => {})
    this.closed = new Promise((resolve) => {
      this.socket.on('close', () => {
        this.#read(true)
        for (const { resolve } of this.#awaited.splice(0)) resolve(undefined)
        resolve()
      })
    })
  }

  get open(): boolean {
    return !this.socket.destroyed
  }

  /** What came and answers nothing. */
  get surplus(): number {
    return this.#size
  }

  /** The answers to requests that are about to be sent, in their order. */
  answers(methods: readonly string[]): Promise<(Answer | undefined)[]> {
    return Promise.all(
      methods.map((method) =>
        this.open
          ? new Promise<Answer | undefined>((resolve) => this.#awaited.push({ head: method === 'HEAD', resolve }))
          : Promise.resolve(undefined),
      ),
    )
  }

  #read(ended: boolean): void {
    while (this.#awaited.length > 0 && this.#size > 0) {
      const all = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks)
      this.#chunks = [all]
      const end = all.indexOf(headersEnd)
      if (end < 0) return
      const [start, ...lines] = all.toString('latin1', 0, end).split('\r\n') as [string, ...string[]]
      const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(start)?.[1])
      const headers = Object.fromEntries(
        lines.map((line): [string, string] => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
      )
      const { head } = this.#awaited[0]!
      const from = end + headersEnd.length
      // An answer without a length has no body, or one up to the end of the connection.
      const length =
        head || status === 204 || (status >= 100 && status < 200)
          ? 0
          : Number(headers['content-length'] ?? (ended ? all.length - from : NaN))
      this.#needed = Number.isNaN(length) ? 0 : from + length
      if (Number.isNaN(length) || all.length < this.#needed) return
      const body = all.subarray(from, this.#needed)
      this.#chunks = [all.subarray(this.#needed)]
      this.#size = all.length - this.#needed
      this.#needed = 0
      // "100 Continue" and the like are no answers.
      if (status >= 200 || Number.isNaN(status)) this.#awaited.shift()!.resolve({ status, headers, body })
    }
  }
}
