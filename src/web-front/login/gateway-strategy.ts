import { AppError } from '../../errors/app-error.ts'
import type { GatewayClient, GatewayToken } from '../gateway/gateway-client.ts'
import type { GatewayService } from '../gateway/gateway-service.ts'
import type { Credential, GatewayAccount } from '../session/session.ts'
import type { ChoosePassword, FormOutcome, FormStrategy, Identity } from './login-strategy.ts'

const usernameField = { name: 'username', label: 'Username', type: 'text', autocomplete: 'username' } as const
const passwordField = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
} as const
const keyField = { name: 'api_key', label: 'API key', type: 'password', autocomplete: 'off' } as const

/**
 * Logs in with accounts of the gateway, by username and password, which the web front's own account lets the gateway
 * check. Without such an account the form asks for the API key as well, as the gateway's logon does. A key that is sent
 * is always checked.
 */
export function gatewayStrategy(gateway: GatewayClient, service: GatewayService | undefined): FormStrategy {
  async function logOn(
    { username = '', password = '', api_key: apiKey = '' }: Entered,
    address: string,
  ): Promise<FormOutcome> {
    // A header cannot hold anything else, so no valid key has other characters.
    const token = /^[\x21-\x7e]+$/.test(apiKey)
      ? await gateway.logOn({ apiKey, username, password }, address)
      : undefined
    return token === undefined ? wrongWithKey : { identity: identityOf(token) }
  }

  const choosePassword: ChoosePassword = async ({ username, password }, next, { address, browsers }) => {
    const checked = await service?.checkLogon({ username, password, address, browsers })
    if (checked === undefined) return { outcome: 'passwordChanged', isDone: true }
    const { token } = checked.token
    const mistake = await gateway.changePassword(token, password, next)
    await gateway.logOff(token)
    if (mistake !== undefined) return { outcome: { mistake }, isDone: false }
    return {
      outcome: await strategy.logIn({ username, password: next }, { address, browsers }),
      isDone: true,
    }
  }

  const strategy: FormStrategy = {
    kind: 'form',
    ...(service === undefined ? {} : { choosePassword }),
    fields: service === undefined ? [usernameField, passwordField, keyField] : [usernameField, passwordField],
    alsoTaken: [keyField.name],
    async logIn(entered, { address, browsers }) {
      if (service === undefined) return logOn(entered, address)
      const { username = '', password = '', api_key: apiKey = '' } = entered
      const hasKey = apiKey !== ''
      try {
        const key = hasKey ? { api_key: apiKey } : {}
        const checked = await service.checkLogon({ username, password, ...key, address, browsers })
        if (checked === undefined) return hasKey ? wrongWithKey : wrong
        const { token, browser } = checked
        const identity = { ...identityOf(token), gateway: { ...gatewayAccountOf(token), browser } }
        return hasKey ? { identity } : { identity, browser }
      } catch (error) {
        const isAway = error instanceof AppError && error.code === 'LOGIN_UNAVAILABLE'
        // With a key the gateway accepts a logon from anyone.
        if (isAway && hasKey) return logOn(entered, address)
        throw error
      }
    },
    revoke: (accessToken) => gateway.logOff(accessToken),
  }
  return strategy
}

type Entered = Readonly<Record<string, string>>

const wrong: FormOutcome = { mistake: 'Username or password is wrong.' }
const wrongWithKey: FormOutcome = { mistake: 'Username, password or API key is wrong.' }

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
  accountId: id,
  accountExpires,
  metadata,
  role,
  roles = [role],
}: GatewayToken): GatewayAccount {
  return {
    username,
    metadata,
    roles,
    token,
    ...(id === undefined ? {} : { id }),
    ...(accountExpires === undefined ? {} : { expires: accountExpires }),
  }
}

/** A token of the gateway as one for the backend. */
export function credentialOf({ token, expires }: GatewayToken): Credential {
  return { accessToken: token, expires }
}
