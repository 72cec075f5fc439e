/** `npm test`. */
import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { commonOptions } from './vitest.common.ts'

/** What takes long for its size: at the end, the other processes would wait for it. */
const long =
  /(?:\/up|connections|graphiql-page|evaluator\.property|mutations\.property|lost-database|leaving|driver-waiting|live-schema|pages|src\/rest\/long-lists|taken-away|sweep|resources|cursor-walks|last-administrator|given-names)\.test\.ts$/

/** The long files first, then as usual: as long as they took last time, or as large as they are. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    ...commonOptions,
    include: ['src/**/*.test.ts', 'scripts/**/*.test.ts', 'console/**/*.test.ts', 'test/**/*.test.ts'],
    // `npm run test:long`
    exclude: [...configDefaults.exclude, 'test/long/**', 'test/console/**'],
    // Two more than can compute: some wait for limits of time, and all for servers.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongFirst },
  },
})
