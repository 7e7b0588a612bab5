/** The operations that list a collection, and read one row of it: their parameters, and its answers as `urlwhere/http` gives them. */
import { issueCodes } from '../../issue/index.ts'
import { checkCollection, operators, type Collection } from '../../language/index.ts'
import type { Notation } from '../../reading/index.ts'
import { ownOf } from '../../own.ts'
import { keepInPlace, type AddPart } from './components.ts'
import type { HeaderObject, Operation, Reference, RequestBody, ResponseObject, SchemaObject } from './objects.ts'
import { checkDescribed, type Described, type OpenApiOptions } from './options.ts'
import {
  allowingEmpty,
  bothDirections,
  describedParameters,
  reservedParameter,
  type DescribedParameter,
} from './parameters.ts'
import { notedContent, notedFaultContent, notedParameters, type NotedContent } from './noted.ts'
import { jsonPatterns } from './operands.ts'
import { facetValueSchema, shownRowSchema } from './schemas.ts'
import { complements, isThroughList, ofDefaults, parameterMembers } from './tool-schema.ts'

/** The options of {@link operation}. */
export interface OperationOptions extends OpenApiOptions {
  /** The method of the request. Default: `get`. `query` needs the version `3.2`: others lack the method. */
  readonly method?: 'get' | 'query'
}

/**
 * Describes the request that lists a collection, for an OpenAPI document: the parameters, and the answers of `urlwhere/http`. Add the
 * path, the name of the operation and the security schemes yourself.
 *
 * @param collection made by `defineCollection`.
 * @param options the method, the version of the document, the style, and the limits of the service.
 * @returns an Operation Object: plain JSON.
 * @throws TypeError when an argument has the wrong type, or the version lacks the method.
 * @example
 * const paths = { '/api/orders': { get: { operationId: 'listOrders', ...operation(orderCollection) } } }
 */
export function operation(collection: Collection, options: OperationOptions = {}): Operation {
  checkCollection(collection)
  const described = checkDescribed(options, ['method'])
  const { method = 'get' } = ownOf(options)
  if (!['get', 'query'].includes(method)) throw new TypeError('options.method must be get or query')
  if (method === 'query' && described.version !== '3.2') {
    throw new TypeError("options.method is query, which needs the version '3.2'")
  }
  return describedOperation(collection, described, method, shownRowSchema(collection, described)) as Operation
}

/** The notation of a service, and the name of the collection in the service. */
export interface ServiceNames {
  readonly notation: Notation | 'byRequest' | undefined
  readonly resource: string
  /** The JSON Schema of a page, where it has a form of its own. */
  readonly page: object | undefined
}

/** As {@link operation}, with checked options and the schema of a row. The method `row` is the GET of one row by its key. */
export function describedOperation(
  collection: Collection,
  described: Described,
  method: 'get' | 'query' | 'row',
  row: SchemaObject,
  reserved: readonly string[] = [],
  statuses: readonly (304 | 429)[] = [],
  noted?: ServiceNames,
): Operation<Reference> {
  // A QUERY is for no cache.
  const isTagged = method !== 'query' && statuses.includes(304)
  const { place } = described
  const notation = noted?.notation === 'byRequest' ? undefined : noted?.notation
  const isOne = method === 'row'
  const besideKey = [collection.parameters.get('fields'), collection.parameters.get('timeZone')]
  const isTaken = ({ parameter: { name } }: DescribedParameter) =>
    !isOne || (notation === undefined ? besideKey.includes(name) : notation.selects(name))
  const parameters = [
    ...(notation === undefined
      ? describedParameters(collection, described)
      : allowingEmpty(collection, notedParameters(notation, collection, noted!.resource))
    ).filter(isTaken),
    ...reserved.map(reservedParameter),
  ]
  const page = notation && notedContent(notation, isOne ? 'row' : 'answer', row)
  const fault = notation && notedFaultContent(notation)
  /** Describes the answers of a QUERY: an object in JSON has no notation, and its answer has the form of this library. */
  const both = (type: string, schema: () => SchemaObject, own: NotedContent | undefined) => {
    if (own === undefined) return { [type]: { schema: schema() } }
    if (method !== 'query') return own.content
    const { [type]: same, ...others } = own.content
    return { ...others, [type]: { schema: same === undefined ? schema() : { anyOf: [same.schema, schema()] } } }
  }
  const problem = (status: ProblemStatus, more: Partial<ResponseObject> = {}) => ({
    [status]: place('responses', `Problem${status}`, {
      description: problems[status],
      ...more,
      content: both('application/problem+json', () => problemSchema(place), fault),
    }),
  })
  return {
    // In a document, GET has the description.
    description: isOne
      ? 'Reads the row with this key.'
      : method === 'query' && place !== keepInPlace
        ? howToQuery
        : notation === undefined
          ? descriptionOf(collection) + (noted?.notation === 'byRequest' ? byRequest : '')
          : [
              `Lists the rows that meet every condition, in the convention ${notation.name}.`,
              ...ofAbsence(collection),
            ].join(' '),
    ...(method === 'query'
      ? { requestBody: contentOf(collection, parameters, reserved, described) }
      : {
          parameters: parameters.map(({ parameter, shared }) =>
            shared === undefined ? parameter : place('parameters', shared, parameter),
          ),
        }),
    responses: {
      200: {
        description: isOne ? 'The row.' : 'A page of the rows that meet every condition.',
        headers: {
          ...(method === 'get' &&
            page === undefined && { Link: header('The next and the previous page, as RFC 8288 writes links.') }),
          ...Object.fromEntries((page?.headers ?? []).map((name) => [name, header('Of the convention.')])),
          ...(isTagged && tag),
          ...(collection.deprecated.size > 0 && {
            Deprecation: header('Since when a name in the query is deprecated, as RFC 9745 writes it.'),
            Sunset: header('When that name may stop to work, as RFC 8594 writes it.'),
          }),
        },
        content: both(
          'application/json',
          () => (isOne ? oneSchema(row) : pageSchema(collection, row, described, noted?.page)),
          page,
        ),
      },
      ...(isTagged && { 304: { description: 'The answer is the one whose ETag is in If-None-Match.', headers: tag } }),
      ...problem(400),
      ...problem(401, { headers: { 'WWW-Authenticate': { ...header('How to authenticate.'), required: true } } }),
      ...(isOne && problem(404)),
      ...(method === 'query' && { ...problem(413), ...problem(415) }),
      ...(statuses.includes(429) &&
        problem(429, { headers: { 'Retry-After': header('The seconds after which to try again.') } })),
      ...problem(503),
    },
  }
}

const header = (description: string): HeaderObject => ({ description, schema: { type: 'string' } })
const tag = { ETag: header('The tag of the answer: a later request may have it in If-None-Match.') }

const problems = {
  400: 'The query is invalid. The problem lists every issue, with its position in the query or its member of the object.',
  401: 'The credentials are missing or wrong.',
  404: 'No row that the caller may see has this key.',
  413: 'The query is too long.',
  415: 'The content is neither application/x-www-form-urlencoded nor application/json.',
  429: 'Too many requests of the caller run at once.',
  503: 'The data is unavailable at the moment.',
} as const
type ProblemStatus = keyof typeof problems

/**
 * The content of a QUERY. The parameters as members of a form, which has the syntax of a query (https://www.rfc-editor.org/rfc/rfc10008). In a document, GET has
 * their descriptions.
 */
const contentOf = (
  collection: Collection,
  all: readonly DescribedParameter[],
  reserved: readonly string[],
  described: Described,
): RequestBody => {
  const { place, row } = described
  const parameters = all.map(({ parameter }) => ownOf(parameter))
  const others = parameterMembers(collection, described.limits, (name, schema) => place('schemas', row + name, schema))
  const strings = reserved.map((name): [string, SchemaObject] => [name, { type: 'string' }])
  const sortable = [...collection.sortable.keys()]
  // Not in the schema of a tool: strict tools refuse `not`.
  const twice = () => bothDirections(sortable, (item) => item)
  const once = sortable.length > 1 && { not: place('schemas', `${row}SortTwice`, twice()) }
  // In a document, the parameters of GET contain the descriptions.
  const members = Object.entries(others).map(([name, { description, ...schema }]): [string, SchemaObject] => [
    name,
    {
      ...((place === keepInPlace || Object.hasOwn(schema, 'pattern')) && { description: description! }),
      ...schema,
      ...(name === collection.parameters.get('sort') && once),
    },
  ])
  return {
    description: 'The query, written as in a URL, or as an object of its conditions and parameters.',
    required: true, // Content without a type is refused.
    content: {
      'application/x-www-form-urlencoded': {
        schema: place('schemas', `${row}Query`, {
          type: 'object',
          properties: Object.fromEntries(
            parameters.map(({ name, description, schema }) => [
              name,
              place === keepInPlace ? { description, ...schema } : schema,
            ]),
          ),
          additionalProperties: false,
        }),
        encoding: Object.fromEntries(
          parameters.flatMap(({ name, style, explode }) =>
            style === undefined ? [] : [[name, { style, explode: explode! }]],
          ),
        ),
      },
      'application/json': {
        schema: place('schemas', `${row}Object`, {
          type: 'object',
          patternProperties: jsonPatterns(collection, described),
          properties: Object.fromEntries([...members, ...strings]),
          additionalProperties: false,
        }),
      },
    },
  }
}

const byRequest =
  ' A request may be in the convention of another client, which has other parameters and another form of the answer.'

const howToQuery =
  'Lists the rows as GET does. The content is what a URL has after the "?", or an object of the same conditions and parameters.'

/** Describes how a collection reads parameters without a value, and queries without a condition. */
const ofAbsence = (collection: Collection): readonly string[] => [
  ...(collection.empty === undefined ? [] : ['A parameter without a value has no effect.']),
  ...ofDefaults(collection),
]

function descriptionOf(collection: Collection): string {
  const { parameters } = collection
  const sentences = [
    'Lists the rows that meet every condition.',
    `${complements.join(', ')} and exists=false select rows without a value, too.`,
  ]
  if (isThroughList(collection)) sentences.push('Conditions on one list apply to the same entry.')
  if (parameters.has('or')) {
    const [and, or, not] = (['and', 'or', 'not'] as const).map((word) => parameters.get(word))
    sentences.push(
      `The parameters ${and}, ${or} and ${not} take groups, as in ${or}=(a=1,b[gt]=2); OpenAPI cannot describe them.`,
    )
  }
  return [...sentences, ...ofAbsence(collection)].join(' ')
}

const numberOfRows = 'The number of rows on all pages, if it was asked for.'

/** The count of an answer: a number; up to a maximum, or that there are more. */
function countSchema({ count }: Collection): SchemaObject {
  if (typeof count === 'boolean') return { type: 'integer', minimum: 0, description: numberOfRows }
  const { max } = count
  return {
    description: `${numberOfRows} Where there are more than ${max}: at least so many.`,
    ...boundedCount(0, max, max),
  }
}

const boundedCount = (minimum: number, max: number, least: number): SchemaObject => ({
  anyOf: [
    { type: 'integer', minimum, maximum: max },
    {
      type: 'object',
      required: ['atLeast'],
      properties: { atLeast: { type: 'integer', minimum: least, maximum: max } },
    },
  ],
})

/** The values of facets, by the paths of their fields. */
const facetsSchema = ({ facets, facetLimit }: Collection, described: Described): SchemaObject => ({
  type: 'object',
  description: 'How many rows have each value, if it was asked for: first those of the most rows.',
  properties: Object.fromEntries(
    Array.from(facets, ([path, field]) => [
      path,
      {
        type: 'array',
        maxItems: facetLimit,
        items: {
          type: 'object',
          required: ['value', ...(field.label ? ['label'] : []), 'count'],
          properties: {
            value: facetValueSchema(field, described),
            ...(field.label && { label: facetValueSchema(field.label, described) }),
            count: field.max === undefined ? { type: 'integer', minimum: 1 } : boundedCount(1, field.max, 1),
          },
        },
      },
    ]),
  ),
  additionalProperties: false,
})

const pageSchema = (
  collection: Collection,
  row: SchemaObject,
  described: Described,
  own?: SchemaObject,
): SchemaObject =>
  described.place(
    'schemas',
    `${described.row}Page`,
    own ?? {
      type: 'object',
      required: ['data', 'page'],
      properties: {
        data: { type: 'array', items: row, maxItems: collection.limit.max },
        page: {
          type: 'object',
          properties: {
            next: { type: 'string', description: 'The cursor of the next page, if there is one.' },
            previous: { type: 'string', description: 'The cursor of the previous page, if there is one.' },
            ...(collection.count !== false && { count: countSchema(collection) }),
          },
        },
        ...(collection.facets.size > 0 && { facets: facetsSchema(collection, described) }),
      },
    },
  )

const oneSchema = (row: SchemaObject): SchemaObject => ({
  type: 'object',
  required: ['data'],
  properties: { data: row },
})

const spanSchema: SchemaObject = {
  type: 'object',
  description: 'The place in the query, in UTF-16 units after the "?"; with a member, in its text.',
  required: ['start', 'end'],
  properties: { start: { type: 'integer', minimum: 0 }, end: { type: 'integer', minimum: 0 } },
}

/** A problem (RFC 9457), as `urlwhere/http` answers it. */
const problemSchema = (place: AddPart): SchemaObject =>
  place('schemas', 'Problem', {
    type: 'object',
    required: ['type', 'title', 'status', 'detail'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      issues: { type: 'array', description: 'What is wrong with the query.', items: issueSchema(place) },
    },
  })

const issueSchema = (place: AddPart): SchemaObject =>
  place('schemas', 'ProblemIssue', {
    type: 'object',
    required: ['code', 'message'],
    properties: {
      code: { type: 'string', enum: issueCodes },
      message: { type: 'string' },
      member: { type: 'string', description: 'The member of the object that is at fault.' },
      item: { type: 'integer', minimum: 0, description: 'The index of the item at fault, in an array.' },
      span: place('schemas', 'ProblemSpan', spanSchema),
      hint: { type: 'string' },
      path: { type: 'string' },
      operator: { type: 'string', enum: Object.keys(operators) },
      parameters: { type: 'object', description: 'What the message and the hint are made of.' },
      suggestion: {
        type: 'object',
        description: 'The edit of the query that removes the problem.',
        required: ['span', 'insert'],
        properties: { span: place('schemas', 'ProblemSpan', spanSchema), insert: { type: 'string' } },
      },
    },
  })
