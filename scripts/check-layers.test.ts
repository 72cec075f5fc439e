import { spawnSync } from 'node:child_process'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../test/support/temporary-folder.ts'
import { findLayerViolations } from './check-layers.ts'

async function plant(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(root, 'src', path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, text)
  }
}

test('the web front uses only what a client of the gateway needs', async () => {
  const folder = await temporaryFolder()
  try {
    await plant(folder.path, {
      'web-front/a.ts': "import { b } from '../access/b.ts'\nimport { c } from '../http/c.ts'",
      'access/b.ts': '',
      'http/c.ts': '',
    })
    expect(findLayerViolations(folder.path)).toEqual([
      'src/web-front/a.ts imports access/b.ts: web-front uses only echo, proxy, http, documents, config, errors, observe, util. Move what both need to a lower layer, or pass it as an argument.',
    ])
  } finally {
    await folder.remove()
  }
})

test('the program imports nothing that is not shipped with it', async () => {
  const folder = await temporaryFolder()
  try {
    await plant(folder.path, { 'util/a.ts': "import { b } from '../../test/support/b.ts'" })
    expect(findLayerViolations(folder.path)).toEqual([
      'src/util/a.ts imports ../test/support/b.ts: it is not in src/. Move what both need to a lower layer, or pass it as an argument.',
    ])
  } finally {
    await folder.remove()
  }
})

test('the check finds its files in a folder with a space, and through a link', async () => {
  const folder = await temporaryFolder()
  try {
    const project = join(folder.path, 'my project')
    await plant(project, { 'util/a.ts': "import '../bin/b.ts'", 'bin/b.ts': '' })
    for (const name of ['check-layers.ts', 'source-files.ts']) {
      await cp(join(import.meta.dirname, name), join(project, 'scripts', name))
    }
    await symlink(project, join(folder.path, 'link'))
    for (const place of ['my project', 'link']) {
      const script = join(folder.path, place, 'scripts/check-layers.ts')
      const { status, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
      expect([status, stderr]).toEqual([1, expect.stringContaining('src/util/a.ts imports bin/b.ts')])
    }
  } finally {
    await folder.remove()
  }
})
