import type { Answer, TestGateway } from './test-gateway.ts'

/** An account of a test's gateway, with what it logs on with. */
export interface TestAccount {
  readonly username: string
  readonly password: string
  readonly apiKey: string
}

/** Makes a role named after an account, and the account. */
export async function createAccount(
  gateway: TestGateway,
  username: string,
  authorities: readonly object[],
  fields: object = {},
): Promise<TestAccount> {
  const password = 'a long pass phrase'
  await gateway.request('PUT', `/manage/roles/of-${encodeURIComponent(username)}`, { body: { authorities } })
  const { status, body } = await gateway.request('POST', '/manage/accounts', {
    body: { username, password, role: `of-${username}`, ...fields },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return { username, password, apiKey: (body as { api_key: string }).api_key }
}

/** Tries a logon. */
export function tryLogon(
  gateway: TestGateway,
  { username, password, apiKey }: TestAccount,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return gateway.request('POST', '/logon', {
    body: { username, password },
    headers: { 'x-xaas-api-key': apiKey, ...headers },
    token: null,
  })
}

/** The token of an account, by a logon. */
export async function logonAs(gateway: TestGateway, account: TestAccount): Promise<string> {
  const { status, body } = await tryLogon(gateway, account)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return (body as Record<string, string>)['x-xaas-auth-token'] ?? ''
}
