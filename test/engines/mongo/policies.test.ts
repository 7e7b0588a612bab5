/** Random documents of policies: mingo and each server select the rows that the filter of the document selects, or it is refused. */
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { fromMongoQuery } from '../../../src/policies/index.ts'
import { byEffort } from '../../effort.ts'
import { document, operatorsIn } from '../../policies/documents.ts'
import { order, orders, selects, unlessRefused } from '../../policies/orders.ts'
import { seed } from '../../seed.ts'
import { departures } from './departures.ts'
import { isServer, openEngines } from './engines.ts'

const engines = (await openEngines()).filter(({ name }) => name !== 'sift')
afterAll(async () => {
  for (const engine of engines) await engine.close()
})

describe.each(engines)('$name', (engine) => {
  const batches = isServer(engine) ? byEffort(25, 1) : byEffort(500, 8)
  const known = departures.filter((departure) => departure.engine === engine.name)
  /** Of a list of lists, mingo compares the lists, and MongoDB their entries. */
  const isMisread = (query: object) => !isServer(engine) && JSON.stringify(query).includes('"items.tags"')

  test(`${batches} times 200 documents`, async () => {
    const used = new Map<string, number>()
    let accepted = 0
    for (let batch = 0; batch < batches; batch++) {
      const samples = { seed: seed + batch }
      const rows = fc.sample(order, { numRuns: 12, ...samples }).map((row, at) => ({ ...row, id: at + 1 }))
      const { find, drop } = await engine.fill(rows)
      for (const query of fc.sample(document, { numRuns: 200, ...samples })) {
        const filter = unlessRefused(() => fromMongoQuery(orders, query))
        if (filter === undefined || isMisread(query) || known.some(({ applies }) => applies(query, rows))) continue
        accepted++
        for (const operator of operatorsIn(query)) used.set(operator, (used.get(operator) ?? 0) + 1)
        const found = await find(query)
        const expected = rows.flatMap((row) => (selects(filter, row) ? [row.id] : []))
        expect(
          found.map(({ id }) => Number(id)).toSorted((a, b) => a - b),
          JSON.stringify(query),
        ).toEqual(expected)
      }
      await drop()
    }
    expect(accepted).toBeGreaterThan(batches * 50)
    // Departures of a server exclude each `$elemMatch`.
    if (!isServer(engine)) expect(used.get('$elemMatch')).toBeGreaterThan(0)
    used.delete('$elemMatch')
    expect([...used.keys()].toSorted()).toEqual(
      '$all $and $eq $exists $gt $gte $in $lt $lte $ne $nin $not $or $size'.split(' '),
    )
  })
})
