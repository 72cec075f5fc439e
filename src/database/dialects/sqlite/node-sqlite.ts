import type * as sqlite from 'node:sqlite'
import { loadQuietly } from '../../../util/load-quietly.ts'

export const { DatabaseSync } = loadQuietly(() => process.getBuiltinModule('node:sqlite'))
export type DatabaseSync = sqlite.DatabaseSync
