/** docs/reference/findings.md has a row for each code of a finding. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FindingCode } from '../../../src/tools/inspect/index.ts'

// The compiler requires each code.
const codes: Readonly<Record<FindingCode, true>> = {
  table_missing: true,
  column_missing: true,
  column_type: true,
  stored_form: true,
  values: true,
  required_null: true,
  required_nullable: true,
  not_required: true,
  not_null: true,
  collation: true,
  enum_values: true,
  key_not_unique: true,
  key_type: true,
  foreign_key_missing: true,
  foreign_key_index: true,
  order_index: true,
  time_zone: true,
  encoding: true,
  locale: true,
  sql_mode: true,
  float_digits: true,
  default_order: true,
}

test('the page lists the codes', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reference/findings.md'), 'utf8')
  expect(Array.from(page.matchAll(/^\| `(\w+)`/gm), ([, code]) => code)).toEqual(Object.keys(codes))
})
