/** The order of files: what takes longest comes first, so that no core waits for it at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'conformance/cases',
  'package/docs',
  'differential/differential',
  'package/package',
  'demo/main',
  'playground/page',
  'service/crowd',
  'demo/reader',
  'engines/sql/attacks',
  'engines/sql/contains',
  'service/attack',
  'edge/select',
  'service/load',
  'openapi/client',
  'openapi/generators',
  'client/client',
  'engines/sql/size',
  'conformance/inherited',
  'engines/sql/exact',
  'engines/sql/plans',
  'conformance/caches',
  'demo/stores',
  'package/reference',
  'engines/sql/select',
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
