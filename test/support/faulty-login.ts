import { onTestFinished } from 'vitest'
import type { Event } from '../../src/observe/events.ts'
import { createLogObserver } from '../../src/observe/log.ts'
import type { ProviderSettings } from '../../src/web-front/login/provider-settings.ts'
import type { OauthSettings } from '../../src/web-front/oauth/oauth-settings.ts'
import { type Fault, type FaultyProvider, faultyClient } from './faulty-provider.ts'
import { TestBrowser } from './test-browser.ts'
import { startTestFront, type TestFront, type TestFrontSettings } from './test-front.ts'

/** The settings of a login by a faulty provider. */
export function faultyLogin(
  provider: Pick<FaultyProvider, 'issuer'>,
  {
    oauth = {},
    strategy = {},
    ...more
  }: Partial<Omit<ProviderSettings, 'strategy'>> & {
    readonly oauth?: Partial<OauthSettings>
    readonly strategy?: object
  } = {},
): ProviderSettings {
  return {
    name: 'faulty',
    label: 'Faulty',
    transparentTokens: false,
    ...more,
    strategy: {
      kind: 'openid',
      oauth: {
        provider: 'faulty',
        server: { kind: 'discovered', issuer: provider.issuer },
        clientId: faultyClient.id,
        clientSecret: faultyClient.secret,
        scopes: ['openid'],
        parameters: {},
        ...oauth,
      },
      mapping: { accountId: 'sub', displayName: 'name', avatar: 'picture', properties: ['email'] },
      endsProviderSession: false,
      ...strategy,
    },
  }
}

/** A web front for one test. */
export async function frontWith(login: ProviderSettings, more: TestFrontSettings = {}): Promise<TestFront> {
  const front = await startTestFront({ providers: [login], ...more })
  onTestFinished(() => front.close())
  return front
}

/** Logs in with a new browser, while the provider does something wrong. */
export async function logInWith(
  front: TestFront,
  provider: FaultyProvider,
  fault: Fault = {},
  path = '/auth/faulty',
) {
  provider.fault = fault
  const browser = new TestBrowser(front.front.baseUrl)
  const begun = await browser.get(path)
  if (begun.status !== 303) return { browser, page: begun, location: '' }
  const atCallback = await browser.follow(begun.location, (url) => url.includes('/callback'))
  const page = atCallback.url.includes('/callback') ? await browser.get(atCallback.url) : atCallback
  return { browser, page, location: begun.location }
}

/** The text of a page without its markup. */
export function textOf(html: string): string {
  const body = html.replace(/^.*<main>/s, '').replaceAll(/<[^>]+>/g, ' ')
  return body
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The message of the error in the last line of the log about a failed login. */
export function lastFailure(events: readonly Event[]): string {
  const failed = events.findLast(({ kind }) => kind === 'LoginFailed')
  const lines: string[] = []
  const observe = createLogObserver({ level: 'debug', destination: { write: (line) => lines.push(line) } })
  if (failed !== undefined) observe(failed)
  return JSON.parse(lines[0] ?? '{}').error?.message ?? lines.join('')
}
