/** What is done to an account. */
import type { Passkey } from '../account/proofs.ts'
import { dataOf, gateway } from '../api/gateway.ts'
import type { components, paths } from '../api/gateway-api.d.ts'
import type { Account } from '../api/records.ts'
import { matching, type Tagged, taggedOf } from '../api/tagged.ts'

export type ApiKey = components['schemas']['ApiKey']

/** What may be changed of an account: what is left out stays as it is. */
export type AccountChange =
  paths['/manage/accounts/{username}']['patch']['requestBody']['content']['application/json']

/** The path of an account in the management API. */
export function accountCallPath(username: string): string {
  return `/manage/accounts/${encodeURIComponent(username)}`
}

/** Changes an account; with a tag, only if it is as it was then. */
export function changeAccount(
  username: string,
  body: AccountChange,
  etag?: string,
): Promise<Tagged<Account>> {
  const params = { path: { username }, ...matching(etag) }
  return taggedOf(gateway.PATCH('/manage/accounts/{username}', { params, body }))
}

/** Deletes an account with its API keys and its tokens, if it is as it was with this tag. */
export async function deleteAccount(username: string, etag: string): Promise<void> {
  const params = { path: { username }, ...matching(etag) }
  await dataOf(gateway.DELETE('/manage/accounts/{username}', { params }))
}

/** The API keys of an account, without their secrets. */
export function listKeys(username: string): Promise<readonly ApiKey[]> {
  return dataOf(gateway.GET('/manage/accounts/{username}/api-keys', { params: { path: { username } } }))
}

/** Makes an API key and gives its secret, which is not shown again. */
export async function createKey(
  username: string,
  body: { readonly name: string; readonly expire_days?: number },
): Promise<string> {
  const params = { path: { username } }
  return (await dataOf(gateway.POST('/manage/accounts/{username}/api-keys', { params, body }))).api_key
}

/** Ends an API key. */
export async function removeKey(username: string, name: string): Promise<void> {
  const params = { path: { username, name } }
  await dataOf(gateway.DELETE('/manage/accounts/{username}/api-keys/{name}', { params }))
}

/** The passkeys of an account. */
export function listPasskeys(username: string): Promise<readonly Passkey[]> {
  return dataOf(gateway.GET('/manage/accounts/{username}/passkeys', { params: { path: { username } } }))
}

/** Removes a passkey that its owner has lost. */
export async function removePasskey(username: string, id: string): Promise<void> {
  const params = { path: { username, id } }
  await dataOf(gateway.DELETE('/manage/accounts/{username}/passkeys/{id}', { params }))
}

/** Removes a second factor that its owner has lost. */
export async function removeSecondFactor(username: string): Promise<void> {
  const params = { path: { username } }
  await dataOf(gateway.DELETE('/manage/accounts/{username}/second-factor', { params }))
}
