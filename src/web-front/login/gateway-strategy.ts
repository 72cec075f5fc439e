import { readLongJson } from '../../documents/read-long-json.ts'
import { AppError } from '../../errors/app-error.ts'
import type { GatewayClient, GatewayToken } from '../gateway/gateway-client.ts'
import type { GatewayService } from '../gateway/gateway-service.ts'
import type { Credential, GatewayAccount } from '../session/session.ts'
import type {
  ChoosePassword,
  FormClient,
  FormOutcome,
  FormStrategy,
  Identity,
  Kept,
  LoginForm,
} from './login-strategy.ts'

const usernameField = { name: 'username', label: 'Username', type: 'text', autocomplete: 'username' } as const
const passwordField = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
} as const
const codeField = {
  name: 'code',
  label: 'Code, or a recovery code',
  type: 'code',
  autocomplete: 'one-time-code',
} as const
const firstCodeField = { ...codeField, label: 'Code' } as const
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
    if (checked === undefined || !('token' in checked)) return { outcome: 'passwordChanged', isDone: true }
    const { token } = checked.token
    const mistake = await gateway.changePassword(token, password, next)
    await gateway.logOff(token)
    if (mistake !== undefined) return { outcome: { mistake }, isDone: false }
    return {
      outcome: await strategy.logIn({ username, password: next }, { address, browsers }, {}),
      isDone: true,
    }
  }

  /** The second form: the code of the second factor, after the right password. */
  async function checkCode(
    { code = '' }: Entered,
    { address, browsers }: FormClient,
    { username = '', challenge = '' }: Kept,
  ): Promise<FormOutcome> {
    const checked = await service?.checkLogon({ username, challenge, code, address, browsers })
    return checked === undefined ? wrongCode : outcomeOf(checked, username)
  }

  const firstForm = {
    title: 'Log in',
    fields: service === undefined ? [usernameField, passwordField, keyField] : [usernameField, passwordField],
  }

  const strategy: FormStrategy = {
    kind: 'form',
    ...(service === undefined ? {} : { choosePassword, passkeyOptions: gateway.passkeyOptions }),
    formFor: (kept) => (kept.challenge === undefined ? firstForm : codeForm(kept)),
    alsoTaken: [keyField.name, 'passkey'],
    async logIn(entered, client, kept) {
      if (kept.challenge !== undefined) return checkCode(entered, client, kept)
      const { address, browsers } = client
      if (service === undefined) return logOn(entered, address)
      const { username = '', password = '', api_key: apiKey = '', passkey = '' } = entered
      if (passkey !== '') return logOnByPasskey(service, passkey, client)
      const hasKey = apiKey !== ''
      try {
        const key = hasKey ? { api_key: apiKey } : {}
        const checked = await service.checkLogon({ username, password, ...key, address, browsers })
        if (checked === undefined) return hasKey ? wrongWithKey : wrong
        const outcome = outcomeOf(checked, username)
        return hasKey && 'identity' in outcome ? { identity: outcome.identity } : outcome
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

/** `text` is what the script of the page sends. */
async function logOnByPasskey(
  service: GatewayService,
  text: string,
  { address, browsers }: FormClient,
): Promise<FormOutcome> {
  const passkey = await answerIn(text)
  if (passkey === undefined) return passkeyNotAccepted
  return outcomeOf(await service.checkPasskey({ passkey, address, browsers }), '')
}

/** What an authenticator answered; undefined if the text is nothing that the gateway would read. */
async function answerIn(text: string): Promise<unknown> {
  try {
    return await readLongJson(text)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

type Entered = Readonly<Record<string, string>>

const wrong: FormOutcome = { mistake: 'Username or password is wrong.' }
const wrongWithKey: FormOutcome = { mistake: 'Username, password or API key is wrong.' }

const passkeyNotAccepted: FormOutcome = { mistake: 'The passkey was not accepted.' }
const wrongCode: FormOutcome = {
  mistake: 'This code is wrong, was used before, or came more than ten minutes after the password.',
}

/** Asks for the code, or for the first code of a second factor that is to be set up. */
function codeForm({ username = '', secret, uri }: Kept): LoginForm {
  if (secret === undefined || uri === undefined) {
    const text = `The account “${username}” has a second factor. Enter the code that your authenticator app shows.`
    return { title: 'Enter your code', text, fields: [codeField], isNext: true }
  }
  return {
    title: 'Set up a second factor',
    text: `The account “${username}” needs one. Scan the picture with an authenticator app, or enter the key into it. Then enter the code that the app shows.`,
    setUp: { secret, uri },
    fields: [firstCodeField],
    isNext: true,
  }
}

type Checked = NonNullable<Awaited<ReturnType<GatewayService['checkLogon']>>>

function outcomeOf(checked: Checked, username: string): FormOutcome {
  if ('refusal' in checked) return { mistake: checked.refusal }
  if ('challenge' in checked) return { asks: { username, ...checked } }
  const { token, ...others } = checked
  const gateway = { ...gatewayAccountOf(token), browser: others.browser }
  return { identity: { ...identityOf(token), gateway }, ...others }
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
