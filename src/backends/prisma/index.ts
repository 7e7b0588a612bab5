/** `urlwhere/prisma`: filters and queries as arguments of Prisma's client, and the schema of a model. Re-exports only. */
export { prismaBackend, type PrismaBackend } from './backend.ts'
export { fromPrisma, type PrismaModel, type PrismaShape } from './from-prisma.ts'
export type { PrismaField, PrismaOptions } from './mapping.ts'
export type { PrismaQuery } from './page.ts'
export type { PrismaWhere } from './provider.ts'
export { simpleLowerCase } from '../../values/case.ts'
