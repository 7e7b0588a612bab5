/**
 * Schemas that many people know, and of open-source programs, each with join tables: one list endpoint each, on PGlite and SQLite, without a
 * view. Statements by hand select the same rows. The tables are written here from the names and types in the sources; columns that no
 * query reads are left out.
 */
import { describe, expect, test } from 'vitest'
import { childTable, parentTable, sqlBackend, table, type Table } from '../../../src/backends/sql/index.ts'
import { and, defineCollection, defineSchema, field, type Collection } from '../../../src/index.ts'
import { createListService, sqlRows } from '../../../src/service/index.ts'
import { inspect, pull } from '../../../src/tools/inspect/index.ts'
import { openPglite, openSqlite } from './engines.ts'

interface RealSchema {
  readonly source: string
  readonly licence: string
  readonly create: string
  readonly collection: Collection
  readonly table: Table
  /** The lists behind join tables, as `pull` writes them. */
  readonly pulled?: readonly string[]
  /** Query strings, and statements by hand that select the keys in the order of the page. */
  readonly asked: Readonly<Record<string, string>>
  /** The first row of the first page. */
  readonly first: unknown
}

const name = field.string({ required: true })
const id = field.integer({ required: true })
const named = field.object({ name })

// --- Chinook: playlists and their tracks

const playlists = defineSchema({
  PlaylistId: id,
  Name: field.string(),
  tracks: field.list(
    field.object({
      Name: name,
      Milliseconds: field.integer({ required: true }),
      album: field.object({ Title: name, artist: field.object({ Name: field.string() }) }),
      genre: field.object({ Name: field.string() }),
    }),
  ),
})
const chinook: RealSchema = {
  source: 'https://github.com/lerocha/chinook-database, ChinookDatabase/DataSources/Chinook_Sqlite.sql',
  licence: 'MIT',
  pulled: [
    "childTable('Track', { key: 'TrackId', through: { table: 'PlaylistTrack', foreignKey: 'PlaylistId', otherKey: 'TrackId' }, columns: trackColumns",
    "childTable('Playlist', { key: 'PlaylistId', through: { table: 'PlaylistTrack', foreignKey: 'TrackId', otherKey: 'PlaylistId' }, columns: playlistColumns",
  ],
  create: `
    CREATE TABLE "Artist" ("ArtistId" INTEGER PRIMARY KEY, "Name" VARCHAR(120));
    CREATE TABLE "Album" ("AlbumId" INTEGER PRIMARY KEY, "Title" VARCHAR(160) NOT NULL, "ArtistId" INTEGER NOT NULL REFERENCES "Artist");
    CREATE TABLE "Genre" ("GenreId" INTEGER PRIMARY KEY, "Name" VARCHAR(120));
    CREATE TABLE "Track" ("TrackId" INTEGER PRIMARY KEY, "Name" VARCHAR(200) NOT NULL, "AlbumId" INTEGER REFERENCES "Album",
      "GenreId" INTEGER REFERENCES "Genre", "Milliseconds" INTEGER NOT NULL);
    CREATE TABLE "Playlist" ("PlaylistId" INTEGER PRIMARY KEY, "Name" VARCHAR(120));
    CREATE TABLE "PlaylistTrack" ("PlaylistId" INTEGER NOT NULL REFERENCES "Playlist", "TrackId" INTEGER NOT NULL REFERENCES "Track",
      PRIMARY KEY ("PlaylistId", "TrackId"));
    INSERT INTO "Artist" VALUES (1, 'AC/DC'), (2, 'Accept');
    INSERT INTO "Album" VALUES (1, 'For Those About To Rock', 1), (2, 'Balls to the Wall', 2);
    INSERT INTO "Genre" VALUES (1, 'Rock'), (2, 'Metal');
    INSERT INTO "Track" VALUES (1, 'Put The Finger On You', 1, 1, 205662), (2, 'Balls to the Wall', 2, 1, 342562), (3, 'Fast As a Shark', 2, 2, 230619), (4, 'Loose', NULL, NULL, 1000);
    INSERT INTO "Playlist" VALUES (1, 'Music'), (2, 'Heavy'), (3, NULL), (4, 'Short');
    INSERT INTO "PlaylistTrack" VALUES (1, 1), (1, 2), (1, 3), (2, 3), (4, 4), (4, 1);
  `,
  collection: defineCollection(playlists, { key: 'PlaylistId', sort: ['Name'] }),
  table: table('Playlist', {
    schema: playlists,
    key: 'PlaylistId',
    columns: {
      tracks: childTable('Track', {
        key: 'TrackId',
        through: { table: 'PlaylistTrack', foreignKey: 'PlaylistId', otherKey: 'TrackId' },
        columns: {
          album: parentTable('Album', {
            key: 'AlbumId',
            foreignKey: 'AlbumId',
            columns: { artist: parentTable('Artist', { key: 'ArtistId', foreignKey: 'ArtistId' }) },
          }),
          genre: parentTable('Genre', { key: 'GenreId', foreignKey: 'GenreId' }),
        },
      }),
    },
  }),
  asked: {
    'tracks.genre.Name=Metal': `SELECT DISTINCT p."PlaylistId" AS k FROM "PlaylistTrack" p JOIN "Track" t ON t."TrackId" = p."TrackId"
      JOIN "Genre" g ON g."GenreId" = t."GenreId" WHERE g."Name" = 'Metal' ORDER BY 1`,
    'tracks.album.artist.Name=AC/DC&tracks.Milliseconds[lt]=300000&sort=-Name': `SELECT "PlaylistId" AS k FROM "Playlist" o WHERE "PlaylistId" IN
      (SELECT p."PlaylistId" FROM "PlaylistTrack" p JOIN "Track" t ON t."TrackId" = p."TrackId" JOIN "Album" a ON a."AlbumId" = t."AlbumId"
        WHERE a."ArtistId" = 1 AND t."Milliseconds" < 300000) ORDER BY "Name" DESC`,
    'tracks[atLeast]=2': `SELECT "PlaylistId" AS k FROM "PlaylistTrack" GROUP BY 1 HAVING count(*) >= 2 ORDER BY 1`,
    'tracks[exists]=false': `SELECT "PlaylistId" AS k FROM "Playlist" WHERE "PlaylistId" NOT IN (SELECT "PlaylistId" FROM "PlaylistTrack")`,
  },
  first: {
    PlaylistId: 1,
    Name: 'Music',
    tracks: [
      {
        ...{ Name: 'Put The Finger On You', Milliseconds: 205_662, genre: { Name: 'Rock' } },
        album: { Title: 'For Those About To Rock', artist: { Name: 'AC/DC' } },
      },
      {
        ...{ Name: 'Balls to the Wall', Milliseconds: 342_562, genre: { Name: 'Rock' } },
        album: { Title: 'Balls to the Wall', artist: { Name: 'Accept' } },
      },
      {
        ...{ Name: 'Fast As a Shark', Milliseconds: 230_619, genre: { Name: 'Metal' } },
        album: { Title: 'Balls to the Wall', artist: { Name: 'Accept' } },
      },
    ],
  },
}

// --- Pagila: films, their actors and categories

const films = defineSchema({
  id,
  title: name,
  length: field.integer(),
  actors: field.list(field.object({ first: name, last: name })),
  categories: field.list(field.string()),
})
const pagila: RealSchema = {
  source: 'https://github.com/devrimgunduz/pagila, pagila-schema.sql',
  licence: 'PostgreSQL',
  pulled: [
    "childTable('film', { key: 'film_id', through: { table: 'film_actor', foreignKey: 'actor_id', otherKey: 'film_id' }, columns: filmColumns",
    "childTable('film', { key: 'film_id', through: { table: 'film_category', foreignKey: 'category_id', otherKey: 'film_id' }, columns: filmColumns",
    "childTable('actor', { key: 'actor_id', through: { table: 'film_actor', foreignKey: 'film_id', otherKey: 'actor_id' }, columns: actorColumns",
    "childTable('category', { key: 'category_id', through: { table: 'film_category', foreignKey: 'film_id', otherKey: 'category_id' }, columns: categoryColumns",
  ],
  create: `
    CREATE TABLE film (film_id INTEGER PRIMARY KEY, title TEXT NOT NULL, length SMALLINT);
    CREATE TABLE actor (actor_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL);
    CREATE TABLE category (category_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE film_actor (actor_id INTEGER NOT NULL REFERENCES actor, film_id INTEGER NOT NULL REFERENCES film, PRIMARY KEY (actor_id, film_id));
    CREATE INDEX idx_fk_film_id ON film_actor (film_id);
    CREATE TABLE film_category (film_id INTEGER NOT NULL REFERENCES film, category_id INTEGER NOT NULL REFERENCES category, PRIMARY KEY (film_id, category_id));
    INSERT INTO film VALUES (1, 'ACADEMY DINOSAUR', 86), (2, 'ACE GOLDFINGER', 48), (3, 'ADAPTATION HOLES', NULL);
    INSERT INTO actor VALUES (1, 'PENELOPE', 'GUINESS'), (2, 'NICK', 'WAHLBERG'), (3, 'NICK', 'STALLONE');
    INSERT INTO category VALUES (6, 'Documentary'), (11, 'Horror');
    INSERT INTO film_actor VALUES (1, 1), (2, 1), (3, 2), (2, 3);
    INSERT INTO film_category VALUES (1, 6), (2, 11), (3, 6);
  `,
  collection: defineCollection(films, { key: 'id', sort: ['title', 'length'] }),
  table: table('film', {
    schema: films,
    key: 'film_id',
    columns: {
      id: 'film_id',
      actors: childTable('actor', {
        key: 'actor_id',
        through: { table: 'film_actor', foreignKey: 'film_id', otherKey: 'actor_id' },
        columns: { first: 'first_name', last: 'last_name' },
      }),
      categories: childTable('category', {
        key: 'category_id',
        through: { table: 'film_category', foreignKey: 'film_id', otherKey: 'category_id' },
        value: 'name',
      }),
    },
  }),
  asked: {
    'actors.first=NICK&sort=-title': `SELECT film_id AS k FROM film WHERE film_id IN
      (SELECT film_id FROM film_actor fa JOIN actor a ON a.actor_id = fa.actor_id WHERE first_name = 'NICK') ORDER BY title DESC`,
    'actors.first=NICK&actors.last[startsWith]=s': `SELECT film_id AS k FROM film_actor fa JOIN actor a ON a.actor_id = fa.actor_id
      WHERE first_name = 'NICK' AND lower(last_name) LIKE 's%'`,
    'categories=Documentary&actors[atMost]=1': `SELECT film_id AS k FROM film_category fc JOIN category c ON c.category_id = fc.category_id
      WHERE name = 'Documentary' AND (SELECT count(*) FROM film_actor fa WHERE fa.film_id = fc.film_id) <= 1`,
    'categories[notEqual]=Horror': `SELECT film_id AS k FROM film WHERE film_id NOT IN (SELECT film_id FROM film_category WHERE category_id = 11) ORDER BY 1`,
  },
  first: {
    ...{ id: 1, title: 'ACADEMY DINOSAUR', length: 86 },
    actors: [
      { first: 'PENELOPE', last: 'GUINESS' },
      { first: 'NICK', last: 'WAHLBERG' },
    ],
    categories: ['Documentary'],
  },
}

// --- AdventureWorks: products and their special offers

const products = defineSchema({
  id,
  name,
  offers: field.list(
    field.object({
      description: name,
      discount: field.number({ required: true }),
      since: field.date({ required: true }),
    }),
  ),
})
const adventureWorks: RealSchema = {
  source:
    'https://github.com/microsoft/sql-server-samples, samples/databases/adventure-works/oltp-install-script/instawdb.sql',
  licence: 'MIT',
  pulled: [
    "childTable('specialoffer', { key: 'specialofferid', through: { table: 'specialofferproduct', foreignKey: 'productid', otherKey: 'specialofferid' }, joinColumns: { modifieddate: 'modifieddate' }, columns: specialofferColumns",
    "childTable('product', { key: 'productid', through: { table: 'specialofferproduct', foreignKey: 'specialofferid', otherKey: 'productid' }, joinColumns: { modifieddate: 'modifieddate' }, columns: productColumns",
  ],
  create: `
    CREATE TABLE product (productid INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE specialoffer (specialofferid INTEGER PRIMARY KEY, description TEXT NOT NULL, discountpct DOUBLE PRECISION NOT NULL);
    CREATE TABLE specialofferproduct (specialofferid INTEGER NOT NULL REFERENCES specialoffer, productid INTEGER NOT NULL REFERENCES product,
      modifieddate DATE NOT NULL, PRIMARY KEY (specialofferid, productid));
    INSERT INTO product VALUES (680, 'HL Road Frame'), (707, 'Sport-100 Helmet'), (708, 'Mountain Bike Socks');
    INSERT INTO specialoffer VALUES (1, 'No Discount', 0), (2, 'Volume Discount 11 to 14', 0.02), (8, 'Sport Helmet Discount', 0.1);
    INSERT INTO specialofferproduct VALUES (1, 680, '2011-04-01'), (1, 707, '2011-04-01'), (2, 707, '2011-05-01'), (8, 707, '2012-05-30');
  `,
  collection: defineCollection(products, { key: 'id', sort: ['name'] }),
  table: table('product', {
    schema: products,
    key: 'productid',
    columns: {
      id: 'productid',
      offers: childTable('specialoffer', {
        key: 'specialofferid',
        through: { table: 'specialofferproduct', foreignKey: 'productid', otherKey: 'specialofferid' },
        columns: { discount: 'discountpct' },
        joinColumns: { since: 'modifieddate' },
      }),
    },
  }),
  asked: {
    'offers.since[gte]=2011-05-01&offers.discount[lt]=0.05': `SELECT productid AS k FROM specialofferproduct sp
      JOIN specialoffer s ON s.specialofferid = sp.specialofferid WHERE sp.modifieddate >= '2011-05-01' AND s.discountpct < 0.05`,
    'offers.discount[gt]=0': `SELECT DISTINCT productid AS k FROM specialofferproduct sp JOIN specialoffer s ON s.specialofferid = sp.specialofferid WHERE s.discountpct > 0`,
    'offers[exists]=false': `SELECT productid AS k FROM product p WHERE NOT EXISTS (SELECT 1 FROM specialofferproduct sp WHERE sp.productid = p.productid)`,
    'sort=name': `SELECT productid AS k FROM product ORDER BY name`,
  },
  first: {
    ...{ id: 680, name: 'HL Road Frame' },
    offers: [{ description: 'No Discount', discount: 0, since: '2011-04-01' }],
  },
}

// --- Gitea: issues, their labels and assignees

const issues = defineSchema({
  id,
  name,
  isClosed: field.boolean({ required: true }),
  labels: field.list(named),
  assignees: field.list(field.object({ name, isAdmin: field.boolean({ required: true }) })),
})
const gitea: RealSchema = {
  source: 'https://github.com/go-gitea/gitea, models/issues: issue.go, label.go, issue_label.go, assignees.go',
  licence: 'MIT',
  create: `
    CREATE TABLE issue (id INTEGER PRIMARY KEY, repo_id INTEGER NOT NULL, name TEXT NOT NULL, is_closed BOOLEAN NOT NULL, is_pull BOOLEAN NOT NULL);
    CREATE TABLE label (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE issue_label (id INTEGER PRIMARY KEY, issue_id INTEGER, label_id INTEGER, UNIQUE (issue_id, label_id));
    CREATE TABLE "user" (id INTEGER PRIMARY KEY, name TEXT NOT NULL, is_admin BOOLEAN NOT NULL);
    CREATE TABLE issue_assignees (id INTEGER PRIMARY KEY, assignee_id INTEGER, issue_id INTEGER);
    INSERT INTO issue VALUES (1, 1, 'Crash', (1 = 0), (1 = 0)), (2, 1, 'Typo', (1 = 1), (1 = 0)), (3, 1, 'Fix', (1 = 0), (1 = 1)), (4, 1, 'Slow', (1 = 0), (1 = 0));
    INSERT INTO label VALUES (1, 'bug'), (2, 'docs');
    INSERT INTO issue_label VALUES (1, 1, 1), (2, 2, 2), (3, 3, 1), (4, 4, 1), (5, 4, 9);
    INSERT INTO "user" VALUES (1, 'ada', (1 = 1)), (2, 'bo', (1 = 0));
    INSERT INTO issue_assignees VALUES (1, 1, 1), (2, 2, 1), (3, 2, 4);
  `,
  collection: defineCollection(issues, { key: 'id', sort: ['name'] }),
  table: table('issue', {
    schema: issues,
    key: 'id',
    naming: 'snake_case',
    where: { is_pull: false },
    columns: {
      labels: childTable('label', {
        key: 'id',
        through: { table: 'issue_label', foreignKey: 'issue_id', otherKey: 'label_id' },
      }),
      assignees: childTable('user', {
        key: 'id',
        through: { table: 'issue_assignees', foreignKey: 'issue_id', otherKey: 'assignee_id' },
      }),
    },
  }),
  asked: {
    'labels.name=bug': `SELECT i.id AS k FROM issue i JOIN issue_label l ON l.issue_id = i.id WHERE l.label_id = 1 AND i.is_pull = (1 = 0) ORDER BY 1`,
    'labels.name=bug&assignees.isAdmin=false&sort=-name': `SELECT id AS k FROM issue WHERE is_pull = (1 = 0) AND id IN (SELECT issue_id FROM issue_label WHERE label_id = 1)
      AND id IN (SELECT issue_id FROM issue_assignees WHERE assignee_id = 2) ORDER BY name DESC`,
    'assignees[exists]=false': `SELECT id AS k FROM issue WHERE is_pull = (1 = 0) AND id NOT IN (SELECT issue_id FROM issue_assignees)`,
    'labels[atLeast]=2': `SELECT id AS k FROM issue WHERE 1 = 0`,
  },
  first: {
    ...{ id: 1, name: 'Crash', isClosed: false, labels: [{ name: 'bug' }] },
    assignees: [
      { name: 'ada', isAdmin: true },
      { name: 'bo', isAdmin: false },
    ],
  },
}

// --- Superset: dashboards, their charts and owners

const dashboards = defineSchema({
  id,
  title: field.string(),
  slices: field.list(field.object({ name: field.string(), type: field.string() })),
  owners: field.list(field.string()),
})
const superset: RealSchema = {
  source: 'https://github.com/apache/superset, superset/models: dashboard.py, slice.py',
  licence: 'Apache-2.0',
  create: `
    CREATE TABLE dashboards (id INTEGER PRIMARY KEY, dashboard_title VARCHAR(500));
    CREATE TABLE slices (id INTEGER PRIMARY KEY, slice_name VARCHAR(250), viz_type VARCHAR(250));
    CREATE TABLE dashboard_slices (id INTEGER PRIMARY KEY, dashboard_id INTEGER REFERENCES dashboards, slice_id INTEGER REFERENCES slices, UNIQUE (dashboard_id, slice_id));
    CREATE TABLE ab_user (id INTEGER PRIMARY KEY, username VARCHAR(64) NOT NULL);
    CREATE TABLE dashboard_user (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES ab_user, dashboard_id INTEGER REFERENCES dashboards);
    INSERT INTO dashboards VALUES (1, 'Sales'), (2, 'Births'), (3, NULL);
    INSERT INTO slices VALUES (1, 'Revenue', 'line'), (2, 'Top names', 'table'), (3, NULL, 'pie');
    INSERT INTO dashboard_slices VALUES (1, 1, 1), (2, 1, 3), (3, 2, 2), (4, NULL, 2), (5, 3, NULL);
    INSERT INTO ab_user VALUES (1, 'admin'), (2, 'ada');
    INSERT INTO dashboard_user VALUES (1, 1, 1), (2, 2, 1), (3, 1, 2);
  `,
  collection: defineCollection(dashboards, { key: 'id', sort: ['title'] }),
  table: table('dashboards', {
    schema: dashboards,
    key: 'id',
    columns: {
      title: 'dashboard_title',
      slices: childTable('slices', {
        key: 'id',
        through: { table: 'dashboard_slices', foreignKey: 'dashboard_id', otherKey: 'slice_id' },
        columns: { name: 'slice_name', type: 'viz_type' },
      }),
      owners: childTable('ab_user', {
        key: 'id',
        through: { table: 'dashboard_user', foreignKey: 'dashboard_id', otherKey: 'user_id' },
        value: 'username',
      }),
    },
  }),
  asked: {
    'slices.type[in]=line,table': `SELECT DISTINCT dashboard_id AS k FROM dashboard_slices d JOIN slices s ON s.id = d.slice_id WHERE viz_type IN ('line', 'table') AND dashboard_id IS NOT NULL ORDER BY 1`,
    'owners[all]=ada,admin': `SELECT dashboard_id AS k FROM dashboard_user GROUP BY 1 HAVING count(DISTINCT user_id) = 2`,
    'slices[exists]=false': `SELECT id AS k FROM dashboards d WHERE NOT EXISTS (SELECT 1 FROM dashboard_slices j JOIN slices s ON s.id = j.slice_id WHERE j.dashboard_id = d.id)`,
    'owners=admin&sort=title': `SELECT d.id AS k FROM dashboards d JOIN dashboard_user u ON u.dashboard_id = d.id WHERE u.user_id = 1 ORDER BY dashboard_title`,
  },
  first: {
    ...{ id: 1, title: 'Sales', owners: ['admin', 'ada'] },
    slices: [
      { name: 'Revenue', type: 'line' },
      { name: null, type: 'pie' },
    ],
  },
}

// --- Lobsters: stories and their tags

const stories = defineSchema({
  id,
  title: name,
  upvotes: field.integer({ required: true }),
  user: field.object({ username: field.string() }),
  tags: field.list(field.string()),
})
const lobsters: RealSchema = {
  source: 'https://github.com/lobsters/lobsters, db/migrate/20120101000000_add_basic_tables.rb',
  licence: 'BSD-3-Clause',
  create: `
    CREATE TABLE users (id INTEGER PRIMARY KEY, username VARCHAR(50));
    CREATE TABLE stories (id INTEGER PRIMARY KEY, user_id INTEGER, title VARCHAR(150) NOT NULL, is_expired SMALLINT NOT NULL, upvotes INTEGER NOT NULL);
    CREATE TABLE tags (id INTEGER PRIMARY KEY, tag VARCHAR(25) NOT NULL UNIQUE);
    CREATE TABLE taggings (id INTEGER PRIMARY KEY, story_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, UNIQUE (story_id, tag_id));
    INSERT INTO users VALUES (1, 'jcs'), (2, NULL);
    INSERT INTO stories VALUES (1, 1, 'On databases', 0, 7), (2, 2, 'On parsers', 0, 9), (3, 1, 'Gone', 1, 1), (4, NULL, 'Untagged', 0, 3);
    INSERT INTO tags VALUES (1, 'databases'), (2, 'compsci'), (3, 'rust');
    INSERT INTO taggings VALUES (1, 1, 1), (2, 1, 2), (3, 2, 2), (4, 3, 1);
  `,
  collection: defineCollection(stories, { key: 'id', sort: ['upvotes'] }),
  table: table('stories', {
    schema: stories,
    key: 'id',
    where: { is_expired: 0 },
    columns: {
      user: parentTable('users', { key: 'id', foreignKey: 'user_id' }),
      tags: childTable('tags', {
        ...{ key: 'id', value: 'tag', orderBy: 'tag' },
        through: { table: 'taggings', foreignKey: 'story_id', otherKey: 'tag_id' },
      }),
    },
  }),
  asked: {
    'tags=databases': `SELECT s.id AS k FROM stories s JOIN taggings t ON t.story_id = s.id WHERE t.tag_id = 1 AND s.is_expired = 0`,
    'tags=compsci&sort=-upvotes': `SELECT s.id AS k FROM stories s JOIN taggings t ON t.story_id = s.id WHERE t.tag_id = 2 AND s.is_expired = 0 ORDER BY upvotes DESC`,
    'tags[notEqual]=rust&user.username=jcs': `SELECT id AS k FROM stories WHERE user_id = 1 AND is_expired = 0`,
    'tags[exists]=false': `SELECT id AS k FROM stories WHERE id NOT IN (SELECT story_id FROM taggings) AND is_expired = 0`,
  },
  first: { id: 1, title: 'On databases', upvotes: 7, user: { username: 'jcs' }, tags: ['compsci', 'databases'] },
}

const schemas: Readonly<Record<string, RealSchema>> = { chinook, pagila, adventureWorks, gitea, superset, lobsters }

describe.each(Object.entries(schemas))('%s', (_, { create, collection, table: mapped, pulled = [], asked, first }) => {
  test.each(Object.entries({ openPglite, openSqlite }))('%s', async (_, open) => {
    const { run, dialect, close } = await open()
    try {
      for (const statement of create.split(/;\s*$/m)) if (statement.trim() !== '') await run(statement)
      const rows = sqlRows(sqlBackend({ dialect, table: mapped }), (text, parameters) => run(text, parameters))
      const service = createListService({
        authenticate: () => ({}),
        collections: { rows: { collection, rows, restriction: () => and() } },
      })
      const get = async (query: string) => {
        const response = await service(new Request(`http://localhost/api/rows?${query}`))
        const { data } = (await response.json()) as { readonly data: readonly Record<string, unknown>[] }
        return data
      }
      const database = await inspect(run, { dialect })
      const lists = pull(database).lists.map(({ name }) => name)
      // SQLite enforces a foreign key only in connections that ask for it.
      const source = pull(database, { lists }).source.replace(/\{ columns: (\S+), enforced: true \}/g, '$1')
      expect(source.match(/childTable\(.* through: .*(?= \}\),)/g) ?? []).toEqual(pulled)
      expect((await get(''))[0]).toEqual(first)
      const [key] = collection.key.map((one) => one.name)
      for (const [query, byHand] of Object.entries(asked)) {
        const expected = (await run(byHand)).map(({ k }) => Number(k))
        expect([query, (await get(query)).map((row) => row[key!])]).toEqual([query, expected])
      }
    } finally {
      await close()
    }
  })
})
