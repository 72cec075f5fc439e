import type { ProblemPage } from './problem-page.ts'

/** Problems of callers: who they are, and what they may do. */
export const callersProblems = {
  TOKEN_MISSING: {
    why: 'The path is protected, and the request has no token.',
    fix: 'Log on with `POST /logon`, and send the token in the header `X-Xaas-Auth-Token` ([tokens](../reference/access.md#tokens)).',
    detail:
      'Send a token in the header X-Xaas-Auth-Token. POST /logon gives one for an API key, a username and a password.',
  },
  TOKEN_INVALID: {
    why: 'The token is unknown: it has expired or was ended, its account was changed, or what was sent is something else, such as an API key. Of a token of [another issuer](../reference/access.md#tokens-of-other-issuers), `detail` says what is wrong.',
    fix: 'Log on again, and use the new token. An API key is sent to `POST /logon` only.',
    detail:
      'This token was never given, or has ended. POST /logon gives a new one; an API key is not a token.',
  },
  ISSUER_UNAVAILABLE: {
    why: 'The request has a token of another issuer (`token_issuers`), and the public keys of that issuer cannot be read: it does not respond, or it responds with something else. A token that cannot be checked is never accepted.',
    fix: 'Try again after `Retry-After`. If it stays so, run `gatehouse check-config gateway --connect`, which says what the issuer responds; the log has it, too.',
    detail:
      'The keys of the token issuer "staff" cannot be read, so its tokens cannot be checked. Try again in a few seconds.',
  },
  ROLE_NOT_ALLOWED: {
    why: 'The token is right, and no role of its account has an authority whose expression matches the whole path and whose methods hold this one. The body of the response is `{}`.',
    fix: 'Ask an administrator to run `gatehouse explain-access ACCOUNT METHOD PATH`: it names the authority that comes nearest. A frequent reason is an expression such as `/apis/tasks`, which matches the list and not its records; `/apis/tasks(/.*)?` matches both.',
  },
  LOGIN_REQUIRED: {
    why: 'No one is logged in with this browser at the web front, or the session has ended.',
    fix: 'Let the person log in: `login` in the response has the addresses.',
    detail: 'No one is logged in.',
  },
  CROSS_SITE_REFUSED: {
    why: 'A page of another site sent the request, and browsers send cookies with such requests, too.',
    fix: 'Call from a page of the web front itself. Programs without a browser send the header `X-Requested-With`. At a gateway, only its own pages log on at `/logon/browser`: programs use `POST /logon`. Set `base_url` to the address that browsers use.',
    detail:
      'By its headers Sec-Fetch-Site and Origin another site sent it. Call from a page of the web front itself.',
  },
  ROLE_MISSING: {
    why: 'A reverse proxy asked the web front about a request of a browser that is logged in, and named roles in `role`: the account has none of them.',
    fix: 'Log in with another account, or ask an administrator for the role. A change of roles takes effect with the next login, or when the token of the session is renewed.',
    detail: 'This needs the role editor.',
  },
  LOGIN_FAILED: {
    why: 'The login was abandoned, took too long, or the provider sent a response that does not belong to it.',
    fix: 'Begin again. If it always fails, the log of the web front says what the provider sent.',
    detail: 'The login was not completed.',
  },
  LOGIN_REFUSED: {
    why: 'The provider knows the person, and the web front or the gateway does not let them in: no account, an expired or disabled one, or a role that may not be given.',
    fix: 'Ask an administrator for an account. `detail` has the name that it would have.',
    detail: 'The gateway does not accept this account.',
  },
  LOGOUT_TOKEN_REFUSED: {
    why: 'A login provider sent a logout token that is not signed by it, is too old, or is for another client.',
    fix: 'Compare the issuer and the client in the configuration with those at the provider.',
    detail: 'The logout token is not valid.',
  },
  TOO_MANY_REQUESTS: {
    why: 'The account has made more requests in a time window than `limits` of its roles or its own allow.',
    fix: 'Wait as many seconds as `Retry-After` says. An administrator can change [limits](../reference/access.md#limits).',
    detail: 'This account may make 100 requests in 1 minute. Try again in 42 seconds.',
  },
  LOGON_THROTTLED: {
    why: 'Too many logons of this account, or from this network address, failed.',
    fix: 'Wait as many seconds as `Retry-After` says, and check the credentials. Right logons do not count.',
    detail: 'Too many logons failed.',
  },
  LOGON_REFUSED: {
    why: 'The API key, the username or the password is wrong, or the account is disabled or has expired. The response does not say which, so that no one can find out which accounts exist.',
    fix: 'Send the header `X-Xaas-Api-Key`, and `{"username": …, "password": …}` as JSON. An administrator can set a new password and make a new key: `gatehouse account reset`.',
    detail: 'The API key, username or password is wrong.',
  },
  SECOND_FACTOR_NEEDED: {
    why: 'A service asked the gateway to check a username and password, and both are right; the account has a second factor, and the call had no `code`.',
    fix: 'Ask the person for the code of the authenticator app, or for a recovery code, and send it within ten minutes as `code`, with `challenge` in place of `password`.',
    detail:
      'Send the code of the authenticator app, or a recovery code, as "code", and "challenge" in place of the password.',
  },
  SECOND_FACTOR_REQUIRED: {
    why: 'A service asked the gateway to check a username and password, and both are right; this gateway requires a second factor (`second_factor: required`), and the account has none.',
    fix: 'Let the person enter `secret`, or the QR code of `uri`, into an authenticator app, and send the code within ten minutes as `code`, with `challenge` in place of `password`. Show the person `recovery_codes` of the response.',
    detail:
      'Enter "secret" into an authenticator app, and send its code as "code", with "challenge" in place of the password.',
  },
  PASSKEY_NEEDED: {
    why: 'The password is right, but this gateway requires a second factor (`second_factor: required`), and that of the account is a [passkey](../reference/access.md#passkeys). No other one can be set up with the password alone.',
    fix: 'Log on with the passkey. If the device is lost, an administrator removes the passkey (in the console, or by `DELETE /manage/accounts/{username}/passkeys/{id}`), and the next logon sets up a second factor; [`gatehouse account reset`](../administration.md#recover-access) does it without an administrator.',
    detail:
      'This account needs its passkey: the password alone is not enough. If the device is lost, ask an administrator to remove the passkey.',
  },
  PASSKEY_REFUSED: {
    why: 'The passkey of a logon is not registered here or was removed, its account is disabled or has expired, the challenge was answered before or is older than five minutes, or the page is not at one of the `passkey_origins`. The response does not say whether there is such an account.',
    fix: 'Try again, or log on with the password. If `detail` names another origin, open the page there, or let an operator add this one ([passkeys](../reference/access.md#passkeys)).',
    detail:
      'The passkey is not registered here, was removed, or cannot be used now. Try again, or log on with the password.',
  },
  ROW_NOT_ALLOWED: {
    why: 'An authority with conditions lets the account write some records, and this one is not among them, or would not be after the change.',
    fix: 'Write another record, or ask for a wider role ([rights on rows and fields](../administration.md#rights-on-rows-and-fields)).',
    detail: 'The caller may read this record, and not change it.',
  },
  FIELD_NOT_ALLOWED: {
    why: 'An authority with conditions lets the account write some fields, and the pointers in `errors` name others. Or [`fields`](../reference/published-apis.md#fields) leads to an entity whose list the caller may not read.',
    fix: 'Leave these fields out, or send them as they were read ([rights on rows and fields](../administration.md#rights-on-rows-and-fields)). For `fields`, let a role allow `GET` on the list that `detail` names.',
    detail: 'The caller may not write this field. Leave it out, or send it as it was read.',
  },
  RIGHTS_NOT_HELD: {
    why: 'The call would give an account or a role more than the caller may do.',
    fix: 'Let someone with these rights do it, or give less. `detail` names what is missing.',
    detail: 'You cannot allow DELETE on /apis/ports: you are not allowed it yourself.',
  },
} as const satisfies Readonly<Record<string, ProblemPage>>
