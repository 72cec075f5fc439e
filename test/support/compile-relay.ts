import { execFile } from 'node:child_process'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { clientProject } from './client-project.ts'

const clients = new URL('../long/clients/', import.meta.url)
const compiler = createRequire(import.meta.url).resolve('relay-compiler/cli.js')
const run = promisify(execFile)

/** A folder with the documents and what the Relay compiler made of them. */
export interface RelayProject {
  readonly folder: string
  /** The artifact of a query or fragment. */
  artifact(name: string): Promise<unknown>
  remove(): Promise<void>
}

/** Runs the Relay compiler on a folder of `test/long/clients/relay-documents` and the schema as text. */
export async function compileRelay(documents: string, schema: string): Promise<RelayProject> {
  const { path: folder, remove } = await clientProject(new URL(`relay-documents/${documents}/`, clients))
  const artifacts = join(folder, 'src/__generated__')
  await mkdir(artifacts)
  await cp(new URL('settings/relay.config.json', clients), join(folder, 'relay.config.json'))
  await writeFile(join(folder, 'schema.graphql'), schema)
  await run(process.execPath, [compiler], { cwd: folder })
  return {
    folder,
    remove,
    artifact: async (name) => {
      const module = (await import(join(artifacts, `${name}.graphql.ts`))) as { default: unknown }
      return module.default
    },
  }
}
