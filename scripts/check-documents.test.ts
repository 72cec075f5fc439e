import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../test/support/temporary-folder.ts'
import { findUntrueDocuments } from './check-documents.ts'
import { layers } from './check-layers.ts'

const layersText = layers.map((names, level) => `   ${level}  ${names.join('  ')}`).join('\n')

async function mistakesIn(documents: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const folder = await temporaryFolder()
  try {
    const files = { 'src/graphql/planning/plan.ts': '', 'ARCHITECTURE.md': layersText, ...documents }
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder.path, path)), { recursive: true })
      await writeFile(join(folder.path, path), text)
    }
    return findUntrueDocuments(folder.path)
  } finally {
    await folder.remove()
  }
}

test('documents may name files and folders by the end of their paths', async () => {
  const text =
    'See `src/graphql/planning/plan.ts`, `planning/plan.ts`, `graphql/` and [it](src/graphql/planning/plan.ts).'
  expect(await mistakesIn({ 'README.md': text })).toEqual([])
})

test('a file, a folder or a link that is not there is named', async () => {
  const text = 'See `planning/gone.ts`, `graphql/operation/` and [it](docs/gone.md#here).'
  expect(await mistakesIn({ 'README.md': text })).toEqual([
    'README.md links to docs/gone.md, which is not there.',
    'README.md names planning/gone.ts, which is not there.',
    'README.md names graphql/operation/, which is not there.',
  ])
})

test('layers that are told otherwise are named', async () => {
  const architecture = layersText.replace('0  util', '0  util  query')
  expect(await mistakesIn({ 'ARCHITECTURE.md': architecture })).toEqual([
    'ARCHITECTURE.md says that layer 0 is util, query; it is util.',
  ])
})
