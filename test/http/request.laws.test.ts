/** The target of a request as data is that of the `Request` with the same URL, so both forms answer with the same spans and links. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { targetOf } from '../../src/service/request.ts'

const text = fc.string({
  unit: fc.oneof(fc.string({ minLength: 1, maxLength: 1 }), fc.constantFrom(...Array.from('?#&=%[]\'"<>é\ud800'))),
})

test('the query is that of a Request', () => {
  fc.assert(
    fc.property(text, (query) => {
      const url = `/api/orders?${query}`
      const { search, hash, pathname } = new URL(`http://x${url}`)
      // The URL standard drops these characters, and spaces at the end.
      fc.pre(!/[\t\n\r]|[\0-\x20]$/.test(url))
      for (const one of [url, `http://x${url}`, new Request(`http://x${url}`).url])
        expect(targetOf(one)).toEqual({ path: pathname, search: search.slice(1), hasFragment: hash !== '' })
    }),
  )
})
