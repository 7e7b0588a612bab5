/** The tables of a ticket system, and 1,500 tickets of two tenants, made by SQL. */
import { PGlite } from '@electric-sql/pglite'

export async function openDatabase(): Promise<PGlite> {
  const database = await PGlite.create()
  await database.exec(`
    CREATE TYPE ticket_status AS ENUM ('open', 'waiting', 'closed');
    CREATE TABLE users (id integer PRIMARY KEY, name text NOT NULL, email text);
    CREATE TABLE projects (id integer PRIMARY KEY, name text NOT NULL);
    CREATE TABLE labels (id integer PRIMARY KEY, name text NOT NULL);
    CREATE TABLE tickets (
      id integer PRIMARY KEY, tenant_id integer NOT NULL, project_id integer REFERENCES projects,
      assignee_id integer REFERENCES users, title text NOT NULL, description text, status ticket_status NOT NULL,
      priority integer NOT NULL, created_at timestamptz NOT NULL, closed_at timestamptz, deleted_at timestamptz
    );
    CREATE TABLE ticket_labels (
      ticket_id integer REFERENCES tickets, label_id integer REFERENCES labels, PRIMARY KEY (ticket_id, label_id)
    );
    CREATE TABLE comments (
      id integer PRIMARY KEY, ticket_id integer NOT NULL REFERENCES tickets, author_id integer REFERENCES users,
      body text NOT NULL, created_at timestamptz NOT NULL
    );
    INSERT INTO users SELECT n, (ARRAY['Ada', 'Bo', 'Cy', 'ada'])[n], 'u' || n || '@example.org' FROM generate_series(1, 4) n;
    INSERT INTO projects VALUES (1, 'Website'), (2, 'Shop');
    INSERT INTO labels VALUES (1, 'bug'), (2, 'urgent'), (3, 'Bug');
    INSERT INTO tickets SELECT
      n, 1 + n % 2 * (n / 600 % 2), CASE WHEN n % 7 > 0 THEN 1 + n % 2 END, nullif(n % 5, 0),
      (ARRAY['Login fails', 'Printer on fire', 'Payment is late', '100% slow'])[1 + n % 4] || ' #' || n,
      CASE WHEN n % 3 > 0 THEN 'It burns since ' || n END,
      (ARRAY['open', 'waiting', 'closed'])[1 + n / 4 % 3]::ticket_status, n % 4,
      timestamptz '2024-05-30 00:00Z' + n * interval '7 minutes',
      CASE WHEN n / 4 % 3 = 2 THEN timestamptz '2024-07-01 00:00Z' + n * interval '1 hour' END,
      CASE WHEN n % 11 = 0 THEN timestamptz '2024-08-01 00:00Z' END
    FROM generate_series(1, 1500) n;
    INSERT INTO ticket_labels SELECT t.id, l.id FROM tickets t, labels l WHERE t.id % (l.id + 2) = 0;
    INSERT INTO comments SELECT
      n, 1 + n * 7 % 1500, nullif(n % 5, 0), 'Comment ' || n, timestamptz '2024-06-01 00:00Z' + n * interval '1 hour'
    FROM generate_series(1, 2000) n;
  `)
  return database
}
