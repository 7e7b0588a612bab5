/** The options of descriptions. */
import { checkOptions } from '../../options.ts'
import { checkLimits, type Limits } from '../../language/index.ts'
import { keepInPlace, type AddPart } from './components.ts'

const versions = ['3.1', '3.0', '3.2'] as const
const styles = ['compact', 'flat'] as const

/** The version of OpenAPI that the document has. */
export type OpenApiVersion = (typeof versions)[number]

/**
 * How conditions are described. `compact`: one parameter for each field, with `style: deepObject` and the operators as properties.
 * `flat`: one parameter for each field and operator; lists are arrays that are joined by commas.
 */
export type ParameterStyle = (typeof styles)[number]

/** The options of `parameters`. */
export interface OpenApiOptions {
  /** The version of the document. Default: `3.1`. */
  readonly version?: OpenApiVersion
  /** How conditions are described. Default: `compact`. */
  readonly style?: ParameterStyle
  /** The limits of the service, in the form of the option of `parseQuery`. */
  readonly limits?: Partial<Limits>
}

/** The options with their defaults, and where the parts of the description stand. */
export interface Described {
  readonly version: OpenApiVersion
  readonly style: ParameterStyle
  readonly limits: Limits
  readonly place: AddPart
  /** The name of a row, with which the names of its components begin. */
  readonly row: string
}

/**
 * @param others names of options that the caller has beside these.
 * @throws TypeError that names the option which is wrong.
 */
export function checkDescribed(options: OpenApiOptions, others: readonly string[] = []): Described {
  const {
    version,
    style = 'compact',
    limits,
  } = checkOptions(options, 'options', [...['version', 'style', 'limits'], ...others])
  if (!styles.includes(style)) throw new TypeError(`options.style must be ${styles.join(' or ')}`)
  return { version: checkVersion(version), style, limits: checkLimits(limits), place: keepInPlace, row: '' }
}

/** @throws TypeError when the version is unknown. */
export function checkVersion(version: OpenApiVersion = '3.1'): OpenApiVersion {
  if (versions.includes(version)) return version
  throw new TypeError('options.version must be 3.0, 3.1 or 3.2')
}
