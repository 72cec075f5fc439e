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

/** Throws CONTENT_MISSING if the console was not built into its folder. */
export async function requireConsole(folder: string): Promise<void> {
  if (await isFile(join(folder, 'index.html'))) return
  throw new AppError('CONTENT_MISSING', {
    detail: `The console is not in ${JSON.stringify(folder)}. Build it with “npm run build”, or turn it off with --console_path=false.`,
  })
}

/** Whether a folder has a file for browsers at a decoded path; hidden files and source maps are not for them. */
export async function hasFile(root: string, path: string): Promise<boolean> {
  const isServable = !/\/\.|\.map$/.test(path) && !path.endsWith('/')
  return isServable && (await isFile(join(root, path)))
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}
