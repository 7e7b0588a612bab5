/** The order of files: what takes longest comes first, so that no core waits for it at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'differential/differential',
  'conformance/cases',
  'package/docs',
  'openapi/client',
  'openapi/generators',
  'service/load',
  'service/crowd',
  'demo/main',
  'engines/sql/plans',
  'conformance/inherited',
  'package/package',
  'demo/reader',
]
const placeOf = ({ moduleId }: TestSpecification) => {
  const place = longest.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return place < 0 ? longest.length : place
}

export default class extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((a, b) => placeOf(a) - placeOf(b))
  }
}
