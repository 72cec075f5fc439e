/** Roles and accounts, which several areas read. */
import { queryOptions } from '@tanstack/react-query'
import { dataOf, gateway } from './gateway.ts'
import type { components } from './gateway-api.d.ts'
import { pageOf } from './list-page.ts'

export type Role = components['schemas']['Role']
export type Account = components['schemas']['Account']

/** The key under which everything about roles is kept. */
export const rolesKey = ['roles'] as const
/** The key under which everything about accounts is kept. */
export const accountsKey = ['accounts'] as const

/** One role. */
export function roleQuery(name: string) {
  return queryOptions({
    queryKey: [...rolesKey, 'named', name],
    queryFn: (): Promise<Role> => dataOf(gateway.GET('/manage/roles/{name}', { params: { path: { name } } })),
  })
}

/** One account. */
export function accountQuery(username: string) {
  return queryOptions({
    queryKey: [...accountsKey, 'named', username],
    queryFn: (): Promise<Account> =>
      dataOf(gateway.GET('/manage/accounts/{username}', { params: { path: { username } } })),
  })
}

const mostSuggested = 20

/** The first names of roles that contain a text. */
export function roleNamesQuery(q: string) {
  return queryOptions({
    queryKey: [...rolesKey, 'names', q],
    queryFn: async () => {
      const query = { limit: mostSuggested, ...(q === '' ? {} : { q }) }
      const { items } = await pageOf(gateway.GET('/manage/roles', { params: { query } }))
      return items.map(({ name }) => name)
    },
  })
}

/** The first usernames that contain a text. */
export function usernamesQuery(q: string) {
  return queryOptions({
    queryKey: [...accountsKey, 'names', q],
    queryFn: async () => {
      const query = { limit: mostSuggested, ...(q === '' ? {} : { q }) }
      const { items } = await pageOf(gateway.GET('/manage/accounts', { params: { query } }))
      return items.map(({ username }) => username)
    },
  })
}
