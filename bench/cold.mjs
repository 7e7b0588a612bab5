/** What one program takes to start: prints the milliseconds of an import and, where it reads text, of the first parse. */
const text = 'seller=s-1&items.arrival[gte]=2024-01-01&items.arrival[lte]=2024-01-10&status[in]=paid,"held"&total[gt]=1'

const programs = {
  async urlwhere() {
    const { defineSchema, field, parseFilter } = await import('../dist/index.js')
    const orders = defineSchema({
      seller: field.string(),
      status: field.enumeration(['paid', 'held', 'new']),
      total: field.number(),
      items: field.list(field.object({ arrival: field.date() })),
    })
    return parseFilter(orders, text).ok
  },
  async chevrotain() {
    const { parse } = await import('./chevrotain.mjs')
    return parse(text).length === 5
  },
  'urlwhere/filter': () => import('../dist/filter.js'),
  'urlwhere/memory': () => import('../dist/memory.js'),
  'urlwhere/sql': () => import('../dist/sql.js'),
  'urlwhere/mongo': () => import('../dist/mongo.js'),
}

const begun = performance.now()
const right = await programs[process.argv[2]]()
const spent = performance.now() - begun
if (!right) throw new Error('a wrong answer')
console.log(spent)
