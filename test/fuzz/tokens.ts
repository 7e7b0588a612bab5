import { operators } from '../../src/tree.ts'
import { enumerations, fields } from './schema.ts'

/** What texts are made of: names, operators, marks, escapes and operands. Each is one change to a text. */
const all = [
  ...Object.keys(fields).flatMap((marked) => {
    const path = marked.replaceAll('[]', '')
    return [path, ...path.split('.'), `&${path}=`, `&${path}[`]
  }),
  ...Object.keys(operators).flatMap((name) => [name, `[${name}]=`, `%5B${name}%5D=`]),
  ...Object.values(enumerations).flat(),
  ...['apiKey', 'page[size]', 'page%5Bsize%5D', '%C3%A9', '__proto__', 'constructor', '$ne', 'apikey', 'apiKey%3D'],
  ...['[', ']', '[]', ']=', '.', '=', '&', '&&', '?', ',', '"', '""', '\\', '\\"', '\\\\', '","', '+', '%', '%2', ' '],
  ...['%5B', '%5d', '%2E', '%2c', '%22', '%5C', '%2B', '%26', '%3D', '%25', '%255B', '%00', '%ff', '%41', '%3F', '%20'],
  ...['%C3', '%E2%82%AC', '%E0%80%80', '%ED%A0%80', '%F0%9F%98%80', '%F4%90%80%80', '%c0%ae', '%EF%BF%BD'],
  ...['\0', '\n', '\u202e', '\ud800', '\udc00', '\u{1f600}', 'é', 'ß', 'İ', 'Σ', '>', '<', '!', '~', '[ GTE ]='],
  ...['2024-01-01', '9999-12-31', '0001-01-01', '0000-12-31', '2024-02-30', '1900-02-29', '2000-02-29', '2024-13-01'],
  ...['[name]=', '[price]=', '2023-02-29', '2024-02-29'],
  ...['and', 'or', 'not', '&or=(', 'and(', 'not(', 'items(', '(', ')', '=(', ',', '%28', '%29', '[exists]=true'],
  ...['T00:00:00Z', 't23:59:59.999z', '.1234Z', '%2B02:00', '-00:00', '-23:59', '+02:00', 'T24:00:00Z', ':60Z'],
  ...['.123456Z', '.1000000Z', '.123000Z', '123e4567-E89B-12d3-a456-426614174000', '{', '-4000-8000-', '1.10', '-0.0'],
  ...['9223372036854775807', '-9223372036854775808', '9223372036854775808', '1234567890123456789012345678901234', '.5'],
  ...['0', '-0', '1', '-1.5', '01', '1e3', '1E-7', '1e400', '9007199254740991', '9007199254740993', 'true', 'false'],
].filter((token) => token !== '')

export const tokens: readonly string[] = [...new Set(all)]
