import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryFolder } from './temporary-folder.ts'

/** The page that tests serve. */
const indexHtml = '<!doctype html><title>App</title><script>start()</script><p>Hello</p>'

/** A folder with a single-page application, and other files where a test wants some. */
export async function applicationFolder(files: Readonly<Record<string, string | Buffer>> = {}) {
  const folder = await temporaryFolder()
  const root = join(folder.path, 'app')
  for (const [name, content] of Object.entries({ 'index.html': indexHtml, ...files })) {
    const path = join(root, name)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, content)
  }
  return { root, path: folder.path, remove: () => folder.remove() }
}
