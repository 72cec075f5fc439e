import type { GatewayClient, GatewayToken } from '../gateway/gateway-client.ts'
import type { Credential, GatewayAccount } from '../session/session.ts'
import type { FormStrategy, Identity } from './login-strategy.ts'

/** Logs in with the gateway's own accounts: API key, username and password, as its logon wants them. */
export function gatewayStrategy(gateway: GatewayClient): FormStrategy {
  return {
    kind: 'form',
    fields: [
      { name: 'username', label: 'Username', type: 'text', autocomplete: 'username' },
      { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
      { name: 'api_key', label: 'API key', type: 'password', autocomplete: 'off' },
    ],
    async logIn({ username = '', password = '', api_key: apiKey = '' }, address) {
      // A header cannot hold anything else, so that no key is like this.
      if (!/^[\x21-\x7e]+$/.test(apiKey)) return undefined
      const token = await gateway.logOn({ apiKey, username, password }, address)
      return token === undefined ? undefined : identityOf(token)
    },
    revoke: (accessToken) => gateway.logOff(accessToken),
  }
}

function identityOf(token: GatewayToken): Identity {
  return {
    account: {
      account_id: token.username,
      account_role: token.role,
      displayName: token.username,
      properties: {},
    },
    gateway: gatewayAccountOf(token),
    credential: credentialOf(token),
    groups: [],
  }
}

/** The account that a token of the gateway belongs to. */
export function gatewayAccountOf({ username, accountExpires, metadata }: GatewayToken): GatewayAccount {
  return { username, metadata, ...(accountExpires === undefined ? {} : { expires: accountExpires }) }
}

/** A token of the gateway as one for the backend. */
export function credentialOf({ token, expires }: GatewayToken): Credential {
  return { accessToken: token, expires }
}
