/** The page without JavaScript: a query with its SQL and its rows. The build writes it into the page. */
import { hasOutput, answerTo } from './answer.ts'
import { inline, statementLines } from './notation.ts'
import { orderSubject } from './orders.ts'
import type { Row, StoreParts } from './subject.ts'

const query =
  'status=paid&total[gte]=500&items.product[contains]=surf&sort=-total&limit=5&fields=id,customerName,arrival,total'

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** @throws Error if the library refuses the query. */
export function staticExample(): string {
  const result = answerTo(orderSubject, query)
  if (!result.ok) throw new Error(result.issues[0].message)
  const { answer } = result
  let parts: StoreParts = {}
  orderSubject.store.read(answer, (part) => (parts = { ...parts, ...part }))
  const { page, count } = parts
  const sql = answer.sql('PostgreSQL')
  if (page === undefined || !hasOutput(page) || !hasOutput(sql))
    throw new Error('the example has no page or no statement')
  const rows = page.output.rows.map(answer.cut)
  const names = Object.keys(rows[0]!)
  const cells = (row: Row) => names.map((name) => `<td>${escaped(String(row[name] ?? 'null'))}</td>`)
  const code = (text: string) => `<pre><code>${escaped(text)}</code></pre>`
  return [
    `<h2>A query</h2>\n${code(`GET /api/orders?${query.replaceAll('&', '\n  &')}`)}\n<p>It selects each order of which ${escaped(answer.sentence)}.</p>`,
    `<h2>Its SQL</h2>\n${code(statementLines(sql.output.text, 72))}\n<p>Parameters: <code>${escaped(inline(sql.output.parameters))}</code></p>`,
    `<h2>Its rows: 5 of ${String(count)}</h2>\n<table>\n<tr>${names.map((name) => `<th scope="col">${name}</th>`).join('')}</tr>`,
    ...rows.map((row) => `<tr>${cells(row).join('')}</tr>`),
    '</table>',
  ].join('\n')
}
