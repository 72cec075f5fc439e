/** `/echo` of the web front. */
import { queryOptions } from '@tanstack/react-query'
import { send } from '../api/send.ts'
import { fileNameIn } from './file-name.ts'

/** A template as the web front lists it. */
export interface Template {
  readonly name: string
  /** Of its files, without dots; the first is the default. */
  readonly extensions: readonly string[]
}

/** A file that was made. */
export interface MadeFile {
  readonly name: string
  readonly content: Blob
}

/** The templates, by name. */
export const templatesQuery = queryOptions({
  queryKey: ['templates'],
  queryFn: async ({ signal }): Promise<readonly Template[]> =>
    (await send('/echo/templates', { signal })).json(),
})

interface FileToMake {
  readonly template: string
  readonly params: object
  readonly filename: string
}

/** Makes a file. Throws a `Refusal`. */
export async function makeFile(file: FileToMake): Promise<MadeFile> {
  const response = await send('/echo', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(file),
  })
  const name = fileNameIn(response.headers.get('content-disposition') ?? '') ?? file.filename
  return { name, content: await response.blob() }
}
