import { createHash } from 'node:crypto'
import type { Caller } from '../../access/caller.ts'

/** A hash of what a caller may do, the same on all nodes: another one if its roles, or what their conditions name, have changed. */
export function rightsTagOf(caller: Caller | undefined): string {
  const roles = caller?.roles.map(({ name, authorities }) => [
    name,
    authorities.map(({ regex, methods, conditions }) => [regex, methods, conditions]),
  ])
  return createHash('sha256')
    .update(JSON.stringify([caller?.attributes, roles]))
    .digest('hex')
}
