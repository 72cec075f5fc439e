import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('.', import.meta.url))
const page = new URL('../../../docs/how-to/graphql-clients.md', import.meta.url)

const withoutSpaces = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

test('the settings in the how-to page are the tested ones', async () => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const sources = await Promise.all(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')),
  )
  const tested = sources.map(withoutSpaces)
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/```(?:ts|json|graphql)\n(.*?)```/gs)]
  const shown = blocks.map(([, block = '']) => withoutSpaces(block))
  expect(shown.length).toBe(10)
  expect(shown.filter((block) => !tested.some((source) => source.includes(block)))).toEqual([])
})
