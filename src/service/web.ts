/** The Web form of a request: a `Request`, whose content a service reads once. */
import type { AskedRequest, CallerArgument, RequestContent } from './request.ts'

/** @throws TypeError for a request that is not a Web `Request`, such as that of `node:http`. */
export function askedOfWeb<Principal extends object>(
  request: Request,
  caller: Partial<CallerArgument<Principal>> | undefined,
): AskedRequest<Principal> {
  const { url, headers } = request as Partial<Request>
  if (typeof headers?.get !== 'function' || typeof url !== 'string' || !/^[a-z][a-z\d+.-]*:\/\//i.test(url))
    throw new TypeError(
      'request must be a Request of the Web standard: on Node, nodeListener(service) makes a listener',
    )
  return { head: request, content: () => contentOf(request), caller, argument: 'the second argument' }
}

/** @throws TypeError when somebody has read the content: it would look empty, which selects everything. */
function contentOf({ body, bodyUsed }: Request): RequestContent {
  if (bodyUsed) throw new TypeError('request has no content any more: pass it on before anything reads it')
  return body === null ? undefined : chunksOf(body)
}

/** The end of the iteration leaves the rest to the server: cancelling closes the connection on Node, before the answer is sent. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
}
