/** `urlwhere/openapi`: describes the queries of a collection for an OpenAPI document. Re-exports only. */
export type { OpenApiOptions, OpenApiVersion, ParameterStyle } from './options.ts'
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
export type {
  Components,
  FormType,
  HeaderObject,
  MediaType,
  Operation,
  Parameter,
  Reference,
  RequestBody,
  ResponseObject,
  SchemaObject,
} from './objects.ts'
export { operation, type OperationOptions } from './operation.ts'
export { parameters } from './parameters.ts'
export { rowSchema, type RowOptions } from './schemas.ts'
export { toolSchema, type ToolOptions, type ToolSchema } from './tool-schema.ts'
