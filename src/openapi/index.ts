/** `urlwhere/openapi`: describes the queries of a collection for an OpenAPI document. Re-exports only. */
export type { Components, Reference } from './components.ts'
export {
  openapi,
  type DocumentedOperation,
  type OpenApiCollection,
  type OpenApiDocument,
  type OpenApiRow,
  type OpenApiService,
  type OpenApiServiceOptions,
  type PathItem,
  type PathParameter,
} from './document.ts'
export type { OpenApiOptions, OpenApiVersion, ParameterStyle } from './options.ts'
export {
  operation,
  type FormType,
  type HeaderObject,
  type MediaType,
  type Operation,
  type OperationOptions,
  type RequestBody,
  type ResponseObject,
} from './operation.ts'
export { parameters, type Parameter } from './parameters.ts'
export { rowSchema, type RowOptions, type SchemaObject } from './schemas.ts'
