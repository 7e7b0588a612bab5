/** Reading the text of a Prisma schema: what a line can hold. */
import { expect, test } from 'vitest'
import { readDatamodel } from '../../../src/backends/prisma/datamodel.ts'

test('models, views and enums, with types, columns and arities', () => {
  const { provider, models, enums } = readDatamodel(`
    generator client {
      provider = "prisma-client"
    }
    datasource db {
      // provider = "mysql"
      provider = "postgresql" // "sqlite"
    }
    /* model Hidden {
      id Int @id
    } */
    model Order {
      id       Int      @id @default(autoincrement())
      note     String?  @default("a // b { } @ignore @db.Uuid ?") @map("no\\"te") // @ignore
      day      DateTime @db.Date
      name     String   @db.VarChar(191)
      tags     String[]
      items    Item[]   @relation("items") /// } documentation
      secret   String   @ignore
      place    Unsupported("point")?
      größe_1  Float?
      @@map("orders")
      @@index([day, name])
    }
    view Item {
      id Int? @db.Integer
    }
    enum Status {
      paid
      held @map("on hold")
      // lost
      // once "open"
      @@map("statuses")
    }
  `)
  expect(provider).toBe('postgresql')
  expect([...models.keys()]).toEqual(['Order', 'Item'])
  const field = (type: string, arity: string, native?: string, size?: number) => ({ type, arity, native, size })
  expect(Object.fromEntries(models.get('Order')!)).toEqual({
    id: field('Int', 'required'),
    note: field('String', 'optional'),
    day: field('DateTime', 'required', 'Date'),
    name: field('String', 'required', 'VarChar', 191),
    tags: field('String', 'list'),
    items: field('Item', 'list'),
    größe_1: field('Float', 'optional'),
  })
  expect(models.get('Item')!.get('id')).toEqual(field('Int', 'optional', 'Integer'))
  expect([...enums]).toEqual([['Status', ['paid', 'held']]])
})

test.each(['provider="mysql"', 'provider  =  "mysql"', 'url = "provider"\n\tprovider = "mysql"'])('%j', (line) => {
  expect(readDatamodel(`datasource db {\n  ${line}\n}\n`).provider).toBe('mysql')
})

test('lines without a field are left out', () => {
  expect([...readDatamodel('model A {\n  id Int @id\n  -\n}\n').models.get('A')!.keys()]).toEqual(['id'])
})

test('lines may end as on Windows, and the provider may be missing', () => {
  const { provider, models } = readDatamodel(
    'datasource db {\r\n  url = "provider"\r\n}\r\nmodel A {\r\n  id Int @id\r\n}\r\n',
  )
  expect(provider).toBeUndefined()
  expect([...models.get('A')!.keys()]).toEqual(['id'])
})

test('the fields that tell rows apart: the id, or unique fields that are required, or all', () => {
  const { keys } = readDatamodel(`
model Own {
  name String @unique
  id   Int    @default(1) @id(map: "pk") // last
}
model Both {
  a Int
  b String @db.VarChar(20)
  c Int @unique
  note String @default("x @id y")
  @@id([b, a(sort: Desc)], name: "x [a] y")
}
model Optional {
  a String? @unique
  b Int
  c Int
  @@unique([b, a])
  @@unique(name: "z", fields: [c(length: 3), b])
}
model Hidden {
  id Int @id @ignore
  größe Int @unique(map: "größe")
}
view All {
  a Int
  b Json
  c String?
  d String[]
  own Own? @relation(fields: [a], references: [id])
  e Int @default(5) /// @id
}
`)
  expect(Object.fromEntries(keys)).toEqual({
    Own: ['id'],
    Both: ['b', 'a'],
    Optional: ['c', 'b'],
    Hidden: ['größe'],
    All: ['a', 'c', 'e'],
  })
})
