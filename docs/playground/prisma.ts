/** The orders of the demo in Prisma: the models, and a query for its client. */
import { prismaBackend } from '../../src/backends/prisma/index.ts'
import { orders } from '../demo/data.ts'
import { compiled, type Answer, type Compiled } from './answer.ts'
import { notation } from './notation.ts'
import type { Subject } from './subject.ts'

const datamodel = `
datasource db {
  provider = "postgresql"
}
enum Status {
  paid
  held
  new
}
model Order {
  id           Int       @id
  seller       String
  arrival      DateTime? @db.Date
  customerName String?   @map("customer_name")
  status       Status?
  total        Float?
  guests       Int?
  paidAt       DateTime? @map("paid_at") @db.Timestamptz(3)
  gift         Boolean?
  tags         String[]
  customer     Customer? @relation(fields: [customerId], references: [id])
  customerId   Int?      @map("customer_id")
  items        Item[]
}
model Customer {
  id     Int     @id
  name   String?
  email  String?
  orders Order[]
}
model Item {
  id      Int       @id
  arrival DateTime? @db.Date
  product String?
  price   Float?
  order   Order     @relation(fields: [orderId], references: [id])
  orderId Int       @map("order_id")
}
`
const backend = /* @__PURE__ */ prismaBackend({ schema: orders, datamodel, model: 'Order' })

/** The code that compiles the query, with its result in a comment. */
export function prismaCode(_: Subject, { query }: Answer): Compiled<string> {
  const made = compiled(() => backend.compileQuery(query).findMany)
  if ('refusal' in made) return made
  const result = notation(made.output, 80)
  return {
    output: `import { prismaBackend } from 'urlwhere/prisma'
import { query } from './query.ts'
import { schema } from './schema.ts'

// prisma.order.findMany(${result.replaceAll('\n', '\n// ')})
export const compile = (datamodel: string) =>
  prismaBackend({ schema, datamodel, model: 'Order' }).compileQuery(query).findMany

/** The text of prisma/schema.prisma. */
export const datamodel = \`${datamodel}\`
export const findMany = compile(datamodel)
`,
  }
}
