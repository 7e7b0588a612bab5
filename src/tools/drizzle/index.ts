/** `urlwhere/drizzle`: schemas and mappings out of Drizzle's tables. Re-exports only. */
export { fromDrizzle } from './from-drizzle.ts'
export { toDrizzle } from './to-drizzle.ts'
export type { DrizzleFields, DrizzleOptions, DrizzleShape, DrizzleTable } from './infer.ts'
