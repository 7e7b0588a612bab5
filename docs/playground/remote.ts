/** The store of a list that a server has: it reads rows, the count and facets, each by a request. */
import { queryString, type Collection, type FacetValues, type RowCount } from '../../src/index.ts'
import { hasOutput, withFacets, type Compiled, type Reasons } from './answer.ts'
import { nameIn, parameterIn, withParameter, type ParameterName } from './pairs.ts'
import { keyOf, type Row, type Store } from './subject.ts'

interface Body {
  readonly data: readonly Row[]
  readonly page: { readonly next?: string; readonly previous?: string; readonly count?: RowCount }
  readonly facets?: FacetValues
}
interface Problem {
  readonly detail: string
  readonly issues?: Reasons
}

/** The address of a list, or of one row of it. */
export function urlOf(name: string, text: string): URL {
  const url = new URL(`api/${name}`, document.baseURI)
  url.search = text
  return url
}

/** Waits for more keys before it reads. */
const patience = 120

async function request(name: string, text: string, signal?: AbortSignal): Promise<Compiled<Body>> {
  const response = await fetch(urlOf(name, text), signal === undefined ? {} : { signal })
  if (response.ok) return { output: (await response.json()) as Body }
  const { detail, issues = [{ message: detail }] } = (await response.json()) as Problem
  return { refusal: issues }
}

/** The text of the rows: whole rows, without a count and facets, at the same place. */
function textOfRows(collection: Collection, text: string): string {
  const others = (['fields', 'count', 'facets'] as const).reduce(
    (one, name) => withParameter(collection, one, name, ''),
    text,
  )
  return withParameter(collection, others, 'cursor', parameterIn(collection, text, 'cursor'))
}

export function remoteStore(name: string, collection: Collection): Store {
  const allows = (parameter: ParameterName) => collection.parameters.has(parameter)
  let reading = new AbortController()
  let rows: readonly Row[] = []

  const read = async (answer: Parameters<Store['read']>[0], show: Parameters<Store['read']>[1]): Promise<void> => {
    const { signal } = reading
    if (!hasOutput(answer.own)) return show({ page: answer.own, facets: answer.own })
    const text = answer.own.output
    const body = await request(name, textOfRows(collection, text), signal)
    rows = hasOutput(body) ? body.output.data : []
    show({ page: hasOutput(body) ? { output: { ...body.output.page, rows } } : body })

    const one = (others: string) => withParameter(collection, others, 'limit', '1')
    const counting = async () => {
      if (!allows('count')) return
      const counted = await request(name, one(withParameter(collection, text, 'count', 'true')), signal)
      if (hasOutput(counted)) show({ count: counted.output.page.count ?? 0 })
    }
    const facetting = async () => {
      if (!allows('facets')) return show({ facets: { output: {} } })
      const asked = withFacets(collection, answer)
      const values = hasOutput(asked) ? await request(name, one(asked.output.text), signal) : asked
      show({ facets: hasOutput(values) ? { output: values.output.facets ?? {} } : values })
    }
    await Promise.all([counting(), facetting()])
  }

  return {
    read: (answer, show) => {
      reading.abort()
      reading = new AbortController()
      const { signal } = reading
      setTimeout(() => {
        if (signal.aborted) return
        read(answer, show).catch(() => {
          if (!signal.aborted) show({ page: { refusal: [{ message: 'The server does not answer.' }] } })
        })
      }, patience)
    },
    rowOf: (key) => rows.find((row) => keyOf({ collection }, row) === key) ?? rowOfKey(name, collection, key),
  }
}

async function rowOfKey(name: string, collection: Collection, key: string): Promise<Row | undefined> {
  const values = collection.key.length === 1 ? [key] : key.split(',')
  if (values.length !== collection.key.length) return undefined
  const filter = Object.fromEntries(collection.key.map((field, at) => [`${field.name}[equals]`, values[at]]))
  const body = await request(name, queryString({ filter: filter as never })).catch(() => undefined)
  return body !== undefined && hasOutput(body) ? body.output.data[0] : undefined
}

/** Some rows of a list, for its examples. */
export async function someRows(name: string, collection: Collection): Promise<readonly Row[]> {
  const body = await request(name, `${nameIn(collection, 'limit')}=${Math.min(50, collection.limit.max)}`)
  return hasOutput(body) ? body.output.data : []
}
