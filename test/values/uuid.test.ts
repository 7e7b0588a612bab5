import { expect, test } from 'vitest'
import { canonicalUuid, uuidOfBytes } from '../../src/values/uuid.ts'

const uuid = 'ad2b1c4e-0f00-4000-8000-00000000000a'
test.each([
  [uuid, uuid],
  [uuid.toUpperCase(), uuid],
  ['AD2B1C4e-0f00-4000-8000-00000000000A', uuid],
  ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000000'],
  ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ...[
    '',
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    `urn:uuid:${uuid}`,
    `${uuid}\n`,
    ` ${uuid}`,
    uuid.slice(1),
    `${uuid}0`,
    uuid.replace('a', 'g'),
    uuid.replaceAll('-', '_'),
    'ad2b1c4e0-f00-4000-8000-00000000000a',
  ].map((text) => [text, undefined]),
])('%j', (text, canonical) => expect(canonicalUuid(text!)).toBe(canonical))

test('the text of its bytes', () => {
  const bytes = Uint8Array.from(uuid.replaceAll('-', '').match(/../g)!, (digits) => Number.parseInt(digits, 16))
  expect(uuidOfBytes(bytes)).toBe(uuid)
  expect(uuidOfBytes(Buffer.from(bytes))).toBe(uuid)
  expect(uuidOfBytes(bytes.slice(1))).toBeUndefined()
})
