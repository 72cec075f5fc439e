import type { GatewayClient, GatewayToken } from '../gateway/gateway-client.ts'
import type { GatewayService } from '../gateway/gateway-service.ts'
import type { Credential, GatewayAccount } from '../session/session.ts'
import type { FormStrategy, Identity } from './login-strategy.ts'

const usernameField = { name: 'username', label: 'Username', type: 'text', autocomplete: 'username' } as const
const passwordField = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
} as const
const keyField = { name: 'api_key', label: 'API key', type: 'password', autocomplete: 'off' } as const

/**
 * Logs in with the gateway's own accounts, by username and password: the web front's own account has them checked. Without
 * such an account the form asks for the API key as well, as the gateway's logon does; whoever sends one logs on by that.
 */
export function gatewayStrategy(gateway: GatewayClient, service: GatewayService | undefined): FormStrategy {
  return {
    kind: 'form',
    fields: service === undefined ? [usernameField, passwordField, keyField] : [usernameField, passwordField],
    alsoTaken: [keyField.name],
    async logIn({ username = '', password = '', api_key: apiKey = '' }, { address, browsers }) {
      if (service === undefined || apiKey !== '') {
        const mistake = 'Username, password or API key is wrong.'
        // A header cannot hold anything else, so that no key is like this.
        if (!/^[\x21-\x7e]+$/.test(apiKey)) return { mistake }
        const token = await gateway.logOn({ apiKey, username, password }, address)
        return token === undefined ? { mistake } : { identity: identityOf(token) }
      }
      const checked = await service.checkLogon({ username, password, address, browsers })
      if (checked === undefined) return { mistake: 'Username or password is wrong.' }
      return { identity: identityOf(checked.token), browser: checked.browser }
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
export function gatewayAccountOf({
  token,
  username,
  accountExpires,
  metadata,
}: GatewayToken): GatewayAccount {
  return {
    username,
    metadata,
    token,
    ...(accountExpires === undefined ? {} : { expires: accountExpires }),
  }
}

/** A token of the gateway as one for the backend. */
export function credentialOf({ token, expires }: GatewayToken): Credential {
  return { accessToken: token, expires }
}
