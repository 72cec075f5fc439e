/** Roles and accounts, which several areas read. */
import { queryOptions } from '@tanstack/react-query'
import { gateway } from './gateway.ts'
import type { components } from './gateway-api.d.ts'
import { pageOf } from './list-page.ts'
import { type Tagged, taggedOf } from './tagged.ts'

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
    queryFn: async (): Promise<Role> => (await readRole(name)).value,
  })
}

/** One role as it is stored now. */
export function readRole(name: string): Promise<Tagged<Role>> {
  return taggedOf(gateway.GET('/manage/roles/{name}', { params: { path: { name } } }))
}

/** One account. */
export function accountQuery(username: string) {
  return queryOptions({
    queryKey: [...accountsKey, 'named', username],
    queryFn: async (): Promise<Account> => (await readAccount(username)).value,
  })
}

/** One account as it is stored now. */
export function readAccount(username: string): Promise<Tagged<Account>> {
  return taggedOf(gateway.GET('/manage/accounts/{username}', { params: { path: { username } } }))
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
