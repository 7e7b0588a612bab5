/** `urlwhere/json-schema`: schemas out of JSON Schema, and out of the libraries that write it. Re-exports only. */
export type { JsonSchemaOptions } from './fields.ts'
export { fromJsonSchema } from './from-json-schema.ts'
export type { FieldsOf, StandardJsonSchema } from './infer.ts'
