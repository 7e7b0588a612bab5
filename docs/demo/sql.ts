/** The store of the demo in SQL, whatever the engine: where the fields are, and what runs the statements. */
import { childTable, column, jsonColumn, sqlBackend, table, type Table } from '../../src/backends/sql/index.ts'
import { sqlRows } from '../../src/service/index.ts'
import { checkColumns } from '../../src/tools/inspect/index.ts'
import { experiences, orders } from './data.ts'
import type { Store } from './store.ts'
import { fillingStatements, type Engine } from './tables.ts'

/** A store in tables, which are made anew. */
export async function sqlStore(engine: Engine): Promise<Store> {
  try {
    await engine.fill(fillingStatements(engine))
    return await storeOf(engine)
  } catch (error) {
    await engine.close()
    throw error
  }
}

async function storeOf(engine: Engine): Promise<Store> {
  const nameOf = (table: string) => (engine.namespace + table).split('.')
  const id = column('id', { notNull: true })
  const mappedOrders = table(nameOf('orders'), {
    schema: orders,
    key: 'id',
    columns: {
      id,
      customerName: 'customer_name',
      paidAt: 'paid_at',
      tags: jsonColumn('tags'),
      customer: { name: 'contact_name', email: 'contact_email' },
      items: childTable(nameOf('order_items'), { foreignKey: 'order_id', orderBy: 'position' }),
    },
  })
  const mappedExperiences = table(nameOf('experiences'), { schema: experiences, columns: { id } })

  await warnOf(engine, mappedOrders)
  await warnOf(engine, mappedExperiences)

  const { transaction } = engine
  const rowsOf = (mapped: Table) =>
    sqlRows(
      sqlBackend({ dialect: engine.dialect, table: mapped }),
      transaction ? { transaction } : (text, parameters, asked) => engine.select({ text, parameters }, asked),
    )
  return { orders: rowsOf(mappedOrders), experiences: rowsOf(mappedExperiences), close: engine.close }
}

/** Prints a line for each column that the mapping reads wrongly in this database. */
async function warnOf(engine: Engine, table: Table): Promise<void> {
  const asked = {
    principal: { name: 'demo', sellers: 'all', seesTotal: true },
    signal: new AbortController().signal,
  } as const
  const run = async (text: string, parameters: readonly unknown[]) => engine.select({ text, parameters }, asked)
  for (const { level, message, fix } of await checkColumns(run, { dialect: engine.dialect, table })) {
    if (level === 'error') console.warn(`urlwhere demo: ${message}${fix === undefined ? '' : `. Write ${fix}`}`)
  }
}
