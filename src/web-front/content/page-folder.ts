import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { AppError } from '../../errors/app-error.ts'

/** The folder of an application, as an absolute path. Throws CONTENT_MISSING if it has no page. */
export async function requirePage(folder: string): Promise<string> {
  const root = resolve(folder)
  if (await isFile(join(root, 'index.html'))) return root
  throw new AppError('CONTENT_MISSING', {
    detail: `The folder ${JSON.stringify(folder)} has no index.html. Name the folder of the built application with --content_root.`,
  })
}

/** Whether a file can be served. */
export async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
