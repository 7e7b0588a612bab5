/** The objects of OpenAPI that descriptions are made of: plain JSON. */

/** A Schema Object, with the keywords that descriptions use. */
export interface SchemaObject {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly nullable?: boolean
  readonly format?: string
  readonly description?: string
  readonly enum?: readonly (string | null)[]
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: SchemaObject
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: Readonly<Record<string, SchemaObject>>
  readonly patternProperties?: Readonly<Record<string, SchemaObject>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | SchemaObject
  readonly anyOf?: readonly SchemaObject[]
  readonly allOf?: readonly SchemaObject[]
  readonly not?: SchemaObject
}

/** A Parameter Object of a query. */
export interface Parameter {
  readonly name: string
  readonly in: 'query'
  readonly description: string
  readonly deprecated?: boolean
  readonly allowEmptyValue?: boolean
  readonly style?: 'form' | 'deepObject'
  readonly explode?: boolean
  readonly schema: SchemaObject
}

/** A Header Object of an answer. */
export interface HeaderObject {
  readonly description: string
  readonly required?: boolean
  readonly schema: SchemaObject
}
/** A Media Type Object. */
export interface MediaType {
  readonly schema: SchemaObject
}
/** A Response Object. */
export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, HeaderObject>>
  /** Without it, the answer has no body. */
  readonly content?: Readonly<Record<string, MediaType>>
}
/** The content of a `QUERY` request: the whole query, as a form or as a JSON object. */
export interface RequestBody {
  readonly description: string
  readonly required: boolean
  readonly content: Readonly<Record<string, FormType>>
}
/** The Media Type Object of a request's content. */
export interface FormType extends MediaType {
  /** The serialization of each member of a form. JSON has no encoding. */
  readonly encoding?: Readonly<Record<string, Pick<Parameter, 'style' | 'explode'>>>
}
/** An Operation Object. In a document, it refers to components. */
export interface Operation<Referred = never> {
  readonly description: string
  readonly parameters?: readonly (Parameter | Referred)[]
  readonly requestBody?: RequestBody
  readonly responses: Readonly<Record<string, ResponseObject | Referred>>
}

/** A Reference Object. */
export interface Reference {
  readonly $ref: string
}

/** The parts that may be components, by their kind. */
export interface Parts {
  schemas: SchemaObject
  parameters: Parameter
  responses: ResponseObject
}
/** The Components Object of a description. Security schemes are the document's own. */
export type Components = { readonly [K in keyof Parts]: Readonly<Record<string, Parts[K]>> }
