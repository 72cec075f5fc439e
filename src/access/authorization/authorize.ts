import type { CompiledRole } from './role.ts'

/** Whether one of the roles allows a method on a path. */
export function isAllowed(roles: readonly CompiledRole[], method: string, path: string): boolean {
  return roles.some((role) => role.allows(method, path))
}

/** The same for a path of records, on which authorities with conditions count, too. */
export function isAllowedOnRecords(roles: readonly CompiledRole[], method: string, path: string): boolean {
  return roles.some(({ onRecords }) => onRecords.allows(method, path))
}

/** The path of GraphQL. */
export const graphqlPath = '/graphql'

/** Whether the gateway's own API at a path, if there is one, is for records: a published API, or GraphQL. */
export function isRecordPath(path: string): boolean {
  return path.startsWith('/apis/') || path === graphqlPath || path.startsWith(`${graphqlPath}/`)
}
