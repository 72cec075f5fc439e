import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../test/support/temporary-folder.ts'

interface Pinned {
  readonly name: string
  readonly version: string
  readonly integrity: string
}

type Npm = (npmArguments: readonly string[]) => Promise<void>

/** The modules are plain JavaScript, so that older versions of Node.js read them. */
const load = async <Module>(file: string) => (await import(new URL(file, import.meta.url).href)) as Module
const { installPinned, isInstalled } = await load<{
  installPinned(pinned: Pinned, folder: string, npm?: Npm): Promise<void>
  isInstalled(pinned: Pinned, folder: string): boolean
}>('./pinned-package.mjs')
const { npm } = await load<{ readonly npm: Npm }>('./run-command.mjs')
const { nodeBuilds } = await load<{ readonly nodeBuilds: Readonly<Record<string, Pinned>> }>(
  './node-builds.mjs',
)

const refusal =
  'The package small@1.2.3 that was fetched is not the one that is pinned here, and nothing of it was used: check the package registry that npm is set to, or install a newer Node.js yourself.'

/** A package as a registry has it, and an npm that fetches it from there; what is installed comes from the file alone. */
async function smallPackage() {
  const { path, remove } = await temporaryFolder()
  const source = join(path, 'source')
  await mkdir(source)
  await writeFile(
    join(source, 'package.json'),
    JSON.stringify({ name: 'small', version: '1.2.3', bin: 'run.js' }),
  )
  await writeFile(join(source, 'run.js'), 'console.log("small")\n')
  await npm(['pack', '--pack-destination', path, source])
  const packed = join(path, 'small-1.2.3.tgz')
  const asked: string[] = []
  const fetching: Npm = async (npmArguments) => {
    asked.push(npmArguments.join(' '))
    const to = npmArguments[npmArguments.indexOf('--pack-destination') + 1] ?? ''
    return npmArguments[0] === 'pack' ? copyFile(packed, join(to, 'small-1.2.3.tgz')) : npm(npmArguments)
  }
  const integrity = `sha512-${createHash('sha512')
    .update(await readFile(packed))
    .digest('base64')}`
  const pinned: Pinned = { name: 'small', version: '1.2.3', integrity }
  return { folder: join(path, 'place'), packed, pinned, asked, fetching, remove }
}

test('R16: what is fetched is used where it is what is pinned, and fetched once', async () => {
  const { folder, pinned, asked, fetching, remove } = await smallPackage()
  expect(isInstalled(pinned, folder)).toBe(false)
  await installPinned(pinned, folder, fetching)
  expect(asked[0]).toMatch(/ small@1\.2\.3$/)
  expect(isInstalled(pinned, folder)).toBe(true)
  expect(isInstalled({ ...pinned, integrity: 'sha512-another' }, folder)).toBe(false)
  expect(await readFile(join(folder, 'node_modules/small/run.js'), 'utf8')).toBe('console.log("small")\n')
  expect(existsSync(join(folder, 'fresh'))).toBe(false)
  await remove()
})

test('R16: a changed byte stops the start with a sentence, and what was there stays', async () => {
  const { folder, packed, pinned, asked, fetching, remove } = await smallPackage()
  await installPinned(pinned, folder, fetching)
  asked.length = 0
  const bytes = await readFile(packed)
  for (const place of [0, Math.floor(bytes.length / 2), bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[place] = (changed[place] ?? 0) ^ 1
    await writeFile(packed, changed)
    await expect(installPinned(pinned, folder, fetching)).rejects.toThrow(refusal)
  }
  expect(asked.map((text) => text.split(' ')[0])).toEqual(['pack', 'pack', 'pack'])
  expect(isInstalled(pinned, folder)).toBe(true)
  await remove()
})

test('R16: what npm itself finds changed is told in the same sentence', async () => {
  const { folder, pinned, remove } = await smallPackage()
  const failing: Npm = () => Promise.reject(new Error('npm error code EINTEGRITY\nnpm error sha512-…'))
  await expect(installPinned(pinned, folder, failing)).rejects.toThrow(refusal)
  await remove()
})

test('R16: each build is pinned by version and hash', () => {
  for (const { name, version, integrity } of Object.values(nodeBuilds)) {
    expect([name, version]).toEqual([
      expect.stringMatching(/^node-/),
      expect.stringMatching(/^(22|24)\.\d+\.\d+$/),
    ])
    expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
  }
})
