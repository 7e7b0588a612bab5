/** The order of files: what takes longest comes first, so that no core waits for it at the end. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const longest = [
  'package/docs',
  'conformance/cases',
  'differential/differential',
  'service/attack',
  'engines/sql/attacks',
  'package/package',
  'demo/main',
  'service/load',
  'service/crowd',
  'conformance/inherited',
  'package/types/messages',
  'engines/sql/plans',
  'conformance/caches',
  'engines/sql/size',
  'demo/stores',
  'package/reference',
  'client/client',
  'openapi/client',
  'openapi/generators',
  'demo/reader',
  'playground/page',
  'edge/select',
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
