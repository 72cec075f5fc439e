import type { GatewayClient } from '../gateway/gateway-client.ts'
import type { GatewayService } from '../gateway/gateway-service.ts'
import { credentialOf, gatewayAccountOf } from '../login/gateway-strategy.ts'
import type { TokenGenerator } from './token-generator.ts'

/** Tokens of the gateway, for the account there of the person who logged in. */
export function gatewayGenerator(service: GatewayService, client: GatewayClient): TokenGenerator {
  return {
    forGatewayAccounts: true,
    async generate({ provider, account, gateway, credential, earlierTokens = [] }, grants) {
      const username = gateway?.username ?? `${provider}:${account.account_id}`
      const browser = gateway?.browser === undefined ? {} : { browser: gateway.browser }
      // A session continues only with the account that it began with, not with one that was created under its name since.
      const id = gateway?.id === undefined ? {} : { id: gateway.id }
      const tokens = [...(credential === undefined ? [] : [credential.accessToken]), ...earlierTokens]
      const token = await service.tokenFor({ username, ...browser, ...id, tokens }, grants)
      return {
        credential: credentialOf(token),
        gateway: {
          ...gatewayAccountOf(token),
          ...(token.browser === undefined ? {} : { browser: token.browser }),
        },
        accountRole: token.role,
      }
    },
    revoke: (accessToken) => client.logOff(accessToken),
  }
}
