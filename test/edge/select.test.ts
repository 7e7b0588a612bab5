/** Whole statements with every type in every place: row for row what memory has, in every form in which a driver returns numbers. */
import { expect, test } from 'vitest'
import type { Engine } from '../engines/sql/engines.ts'
import { differences, selectingIn, sqlitePlace } from '../engines/sql/selecting.ts'
import { isInstalled, openBun, openD1, openLibsql, openSqlJs, openTurso } from './engines.ts'

const opening: Readonly<Record<string, () => Promise<Engine>>> = {
  D1: () => openD1(),
  'libSQL, numbers': () => openLibsql('number'),
  'libSQL, bigints': () => openLibsql('bigint'),
  'libSQL, texts': () => openLibsql('string'),
  'sql.js': openSqlJs,
  Turso: openTurso,
  'bun:sqlite': openBun,
}

test.runIf(isInstalled).each(Object.entries(opening))('%s', async (_, open) => {
  const engine = await open()
  const selecting = selectingIn({ ...sqlitePlace, name: engine.name, dialect: engine.dialect })
  for (const statement of selecting.create) await engine.run(statement)
  expect(await differences(selecting, engine.run)).toEqual([])
  await engine.close()
})
