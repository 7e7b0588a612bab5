/** The bytes that a fuzzer changes, as texts and back. */
import { isUtf8 } from 'node:buffer'

/** No bytes are a lone surrogate: each half has a stand-in, for private use. */
const halves = [
  ['\ue000', '\ud800'],
  ['\ue001', '\udc00'],
] as const

/** UTF-8, with every text and lone surrogates; bytes that are no UTF-8 are read one by one. */
export function textOf(bytes: Buffer): string {
  const text = bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1')
  return halves.reduce((made, [standIn, half]) => made.replaceAll(standIn, half), text)
}

/** Bytes of which {@link textOf} makes the text again. */
export function bytesOf(text: string): Buffer {
  // Without the flag u, halves of pairs would be found too.
  const made = halves.reduce((made, [standIn, half]) => made.replace(new RegExp(half, 'gu'), standIn), text)
  return Buffer.from(made)
}
