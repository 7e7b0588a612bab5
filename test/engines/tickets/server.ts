/** The list endpoints of a ticket system: tenants, roles, a search box, facets with names, days of the caller. */
import { and, defineCollection, defineSchema, field, narrow, where } from '../../../src/index.ts'
import { createListService, keysAndBasic, sqlRows, type Accounts } from '../../../src/service/index.ts'
import { childTable, column, parentTable, postgres, sqlBackend, table } from '../../../src/backends/sql/index.ts'

export interface Principal {
  readonly tenant: number
  readonly role: 'agent' | 'reader'
  readonly zone?: string
}

const user = field.object({ name: field.string({ required: true }), email: field.string() })
const tickets = defineSchema({
  id: field.integer({ required: true }),
  title: field.string({ required: true }),
  description: field.string(),
  status: field.enumeration(['open', 'waiting', 'closed'], { required: true }),
  priority: field.integer({ required: true }),
  createdAt: field.datetime({ required: true }),
  closedAt: field.datetime(),
  tenantId: field.integer({ required: true }),
  deletedAt: field.datetime(),
  assigneeId: field.integer(),
  assignee: user,
  project: field.object({ name: field.string({ required: true }) }),
  labels: field.list(field.object({ label: field.object({ name: field.string({ required: true }) }) })),
  comments: field.list(field.object({ body: field.string(), author: user, createdAt: field.datetime() })),
})
const forAgents = defineCollection(tickets, {
  key: 'id',
  sort: ['createdAt', 'closedAt', 'priority', 'title', 'project.name'],
  defaultSort: '-createdAt',
  defaults: 'status[in]=open,waiting',
  fields: true,
  count: { max: 1000 },
  timeZone: true,
  search: ['title', 'description'],
  facets: { status: true, assigneeId: { label: 'assignee.name' }, 'labels.label.name': { max: 10_000 } },
  hidden: ['tenantId', 'deletedAt'],
  groups: true,
})
const forReaders = narrow(forAgents, { fields: { hide: ['description', 'assignee.email', 'comments'] } })

const users = (foreignKey: string) => parentTable('users', { key: 'id', foreignKey })
const backend = sqlBackend({
  dialect: postgres,
  table: table('tickets', {
    schema: tickets,
    key: 'id',
    naming: 'snake_case',
    columns: {
      status: column('status', { type: 'enum', name: 'ticket_status' }),
      assignee: users('assignee_id'),
      project: parentTable('projects', { key: 'id', foreignKey: 'project_id' }),
      labels: childTable('ticket_labels', {
        key: ['ticket_id', 'label_id'],
        foreignKey: 'ticket_id',
        columns: { label: parentTable('labels', { key: 'id', foreignKey: 'label_id' }) },
      }),
      comments: childTable('comments', { key: 'id', foreignKey: 'ticket_id', columns: { author: users('author_id') } }),
    },
  }),
})

/** A pool of `pg`, or PGlite. */
interface Database {
  readonly query: (text: string, parameters: unknown[]) => Promise<{ readonly rows: readonly unknown[] }>
}

export const serve = (accounts: Accounts<Principal>, database: Database) =>
  createListService<Principal>({
    basePath: '/api',
    authenticate: keysAndBasic(accounts),
    collections: {
      tickets: {
        collection: ({ role }) => (role === 'agent' ? forAgents : forReaders),
        rows: sqlRows(backend, async (text, parameters) => (await database.query(text, parameters)).rows),
        restriction: ({ tenant }) =>
          and(where(tickets).equals('tenantId', tenant), where(tickets).exists('deletedAt', false)),
        timeZone: ({ zone }) => zone,
      },
    },
  })
