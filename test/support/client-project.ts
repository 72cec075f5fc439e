import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './temporary-folder.ts'

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))

/** A project of a client's developer: a folder with our packages, and documents in `src`. */
export async function clientProject(documents: URL): ReturnType<typeof temporaryFolder> {
  const project = await temporaryFolder()
  await symlink(packages, join(project.path, 'node_modules'))
  await cp(documents, join(project.path, 'src'), { recursive: true })
  return project
}
