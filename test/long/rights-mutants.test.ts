/**
 * The random tests of rights on rows and fields notice each way to break these that `rights-mutants.ts` lists: each is
 * made in a copy of the sources, on which they run.
 */
import { spawn } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type Mutant, mutants } from './rights-mutants.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const randomTest = 'test/security/record-rights.property.test.ts'
const copied = ['src', 'test', 'package.json', 'tsconfig.json', 'vitest.common.ts', 'vitest.config.ts']
const cases = 500
/** The seeds with which a mutant must be noticed: one of them suffices. */
const seeds = ['1', '2', '3', '4', '5', '6', '7', '8']

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
  for (const name of copied) await cp(join(root, name), join(folder.path, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(folder.path, 'node_modules'))
})
afterAll(() => folder?.remove())

/** What the random tests write with a seed; whether they found something. */
function runTests(seed: string): Promise<{ readonly hasFailed: boolean; readonly output: string }> {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_|NODE_OPTIONS)/.test(name))
  const environment = {
    ...Object.fromEntries(own),
    TEST_PRODUCTS: 'SQLite',
    TEST_SEED: seed,
    TEST_CASES: String(cases),
  }
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const child = spawn(process.execPath, [vitest, 'run', randomTest], { cwd: folder.path, env: environment })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => (output += piece.toString()))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ hasFailed: code !== 0, output }))
  })
}

/** Makes the changes, and gives back how to undo them. Fails if a text is not there once. */
async function apply({ replacements }: Mutant): Promise<() => Promise<void>> {
  const originals: { readonly path: string; readonly source: string }[] = []
  for (const { file, text, by } of replacements) {
    const path = join(folder.path, file)
    const source = await readFile(path, 'utf8')
    expect(source.split(text).length - 1, `${file} has the text once: ${text}`).toBe(1)
    originals.push({ path, source })
    await writeFile(
      path,
      source.replace(text, () => by),
    )
  }
  return async () => {
    for (const { path, source } of originals) await writeFile(path, source)
  }
}

describe('the random tests', () => {
  test('find nothing in the sources as they are', async () => {
    const [seed = ''] = seeds
    const { hasFailed, output } = await runTests(seed)
    expect(hasFailed, output).toBe(false)
  })

  test.each(mutants)('notice: $name', async (mutant) => {
    const undo = await apply(mutant)
    try {
      const outputs: string[] = []
      for (const seed of seeds) {
        const { hasFailed, output } = await runTests(seed)
        outputs.push(output)
        if (!hasFailed) continue
        // A difference, and not sources that do not load.
        expect(output).toMatch(/seed \d+, case \d+/)
        return
      }
      throw new Error(
        `${cases} cases did not notice it, with the seeds ${seeds.join(', ')}.\n${outputs.join('\n')}`,
      )
    } finally {
      await undo()
    }
  })
})
