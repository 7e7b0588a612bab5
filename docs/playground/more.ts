/** The script that the page loads for its code and for schemas of visitors. */
import { codes } from './code.ts'
import { prismaCode } from './prisma.ts'

export const codesWithPrisma = { ...codes, Prisma: prismaCode }
export { ownSubject } from './own.ts'
