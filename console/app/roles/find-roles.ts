import { dataOf, gateway } from '../api/gateway.ts'
import type { FoundPage } from '../shell/areas.ts'
import { rolePath } from './role-path.ts'

/** The first roles with a text in their names. */
export async function findRoles(text: string, signal: AbortSignal): Promise<readonly FoundPage[]> {
  const params = { query: { q: text, limit: 8 } }
  const roles = await dataOf(gateway.GET('/manage/roles', { params, signal }))
  return roles.map(({ name }) => ({ path: rolePath(name), label: name }))
}
