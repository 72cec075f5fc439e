import type { IssuerConfig } from '../config/issuer-options.ts'
import { quote } from '../config/quote.ts'

/** What is wrong with token issuers although each option is right, one line each. */
export function issuerMistakes(issuers: readonly IssuerConfig[]): readonly string[] {
  return issuers.flatMap(({ name, issuer, role, roles }, index) => {
    const before = issuers.slice(0, index)
    return [
      ...(before.some((other) => other.name === name)
        ? [`token_issuers: two have the name ${quote(name)}. Each caller is named after one of them`]
        : []),
      ...(before.some((other) => other.issuer === issuer)
        ? [`token_issuers: two have the issuer ${quote(issuer)}. List its audiences in one entry`]
        : []),
      ...(role === undefined && roles === undefined
        ? [`token_issuers: ${quote(name)} gives no roles, so its tokens open nothing. Add “role” or “roles”`]
        : []),
    ]
  })
}
