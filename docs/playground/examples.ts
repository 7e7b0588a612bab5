/** Queries to begin with. */
export const examples: readonly (readonly [what: string, query: string])[] = [
  ['Paid, 500 or more', 'status=paid&total[gte]=500&sort=-total'],
  ['An item of three days', 'items.arrival[range]=2024-06-01,2024-06-03'],
  ['Any alphabet, case ignored', 'customerName[startsWith]=jö&tags[nin]=sea,vip'],
  ['Or, and two items', 'or=(gift=true,total[gte]=800)&and=(items(price[lt]=20),items(price[gt]=250))'],
  ['Order, limit, fields', 'status[in]=paid,held&sort=-total,customerName&limit=5&fields=id,total,customer.name'],
  ['Three faults', 'arival=2024-06-01&total[contains]=5&status=piad'],
]
