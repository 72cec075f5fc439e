/** A process that makes garbage and does nothing from then on; it prints when the garbage is gone. */
import { shrinkWhenIdle } from '../../src/util/shrink-when-idle.ts'

shrinkWhenIdle()
const registry = new FinalizationRegistry(() => process.stdout.write('collected\n'))
registry.register(
  Array.from({ length: 200_000 }, (_, number) => ({ number, digits: `${number}` })),
  undefined,
)
// Keeps the process, and the registry with it.
setInterval(() => registry, 1000)
