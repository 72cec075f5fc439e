import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const compiler = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url))

/** What the TypeScript compiler says of the modules in `src` of a project, line by line; nothing when all is well. */
export async function typeErrors(folder: string): Promise<readonly string[]> {
  const compilerOptions = { strict: true, noEmit: true, module: 'preserve', skipLibCheck: true, types: [] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], { cwd: folder }, (error, text) =>
      resolve(error === null || text !== '' ? text : error.message),
    )
  })
  return output.split('\n').filter((line) => line !== '')
}
