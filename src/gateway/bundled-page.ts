import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { invariant } from '../errors/invariant.ts'

/** A built page of `console/`: a document without data, and the files that it loads. */
export interface BundledPage {
  /** HTML. `isPublic` tells the page that no logon is needed. */
  document(isPublic: boolean): string
  /** By name. Names contain a hash of the content. */
  readonly files: ReadonlyMap<string, PageFile>
}

/** One file that the page loads. */
interface PageFile {
  readonly mediaType: string
  readonly content: Buffer
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/**
 * Reads the page `name` from its build folder. Requests never read files. `asksKey`: the page asks for an API key when
 * someone logs on.
 */
export async function readBundledPage(name: string, folder: string, asksKey: boolean): Promise<BundledPage> {
  const built = await readFile(join(folder, 'index.html'), 'utf8')
  const keyless = built.replace('data-key="asked"', 'data-key="unasked"')
  const closed = asksKey ? built : keyless
  const open = closed.replace('data-public="no"', 'data-public="yes"')
  invariant(keyless !== built && open !== closed, `${folder} holds no page "${name}" of this version`)
  const names = await readdir(join(folder, name))
  const files = names.map(async (file) => [file, await readPageFile(join(folder, name, file))] as const)
  return { document: (isPublic) => (isPublic ? open : closed), files: new Map(await Promise.all(files)) }
}

async function readPageFile(path: string): Promise<PageFile> {
  const mediaType = mediaTypes[extname(path)]
  invariant(mediaType !== undefined, `no media type is known for ${path}`)
  return { mediaType, content: await readFile(path) }
}
