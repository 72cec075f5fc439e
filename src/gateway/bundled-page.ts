import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { invariant } from '../errors/invariant.ts'

/** A page of `console/`, as it was built: a document without any data, and the files that it loads. */
export interface BundledPage {
  /** HTML. `isPublic` tells the page that nobody has to log on. */
  document(isPublic: boolean): string
  /** By name. A name holds the hash of the content. */
  readonly files: ReadonlyMap<string, PageFile>
}

/** One file that the page loads. */
export interface PageFile {
  readonly mediaType: string
  readonly content: Buffer
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}

/** Reads the page `name` from the folder it was built into. Nothing is read later, whatever is asked for. */
export async function readBundledPage(name: string, folder: string): Promise<BundledPage> {
  const closed = await readFile(join(folder, 'index.html'), 'utf8')
  const open = closed.replace('data-public="no"', 'data-public="yes"')
  invariant(open !== closed, `${folder} holds no page "${name}" of this version`)
  const names = await readdir(join(folder, name))
  const files = names.map(async (file) => [file, await readPageFile(join(folder, name, file))] as const)
  return { document: (isPublic) => (isPublic ? open : closed), files: new Map(await Promise.all(files)) }
}

async function readPageFile(path: string): Promise<PageFile> {
  const mediaType = mediaTypes[extname(path)]
  invariant(mediaType !== undefined, `no media type is known for ${path}`)
  return { mediaType, content: await readFile(path) }
}
