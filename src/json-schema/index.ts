/** `urlwhere/json-schema`: schemas out of JSON Schema, and out of the libraries that write it. Re-exports only. */
export { fromJsonSchema, type JsonSchemaOptions } from './from-json-schema.ts'
export type { FieldsOf, StandardJsonSchema } from './infer.ts'
