import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { prepareFolder, writeForOwner } from './data-files.ts'

/** The secret of sessions in a data folder. The first call makes it, later ones read it. */
export function keptSessionSecret(dataFolder: string): string {
  const file = join(dataFolder, 'session-secret')
  const kept = readIfThere(file)
  if (kept !== '') return kept
  prepareFolder(dataFolder)
  const secret = randomBytes(32).toString('base64')
  writeForOwner(file, `${secret}\n`)
  return secret
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  }
}
