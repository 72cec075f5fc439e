import type { Event } from '../../src/observe/events.ts'
import type { BackendSettings } from '../../src/web-front/backend/backend-settings.ts'
import type { WebFrontSettings } from '../../src/web-front/settings.ts'
import { startWebFront, type WebFront } from '../../src/web-front/web-front.ts'
import { applicationFolder } from './application-folder.ts'

/** A web front with an application of its own. */
export interface TestFront {
  readonly front: WebFront
  /** Where it listens. */
  readonly url: string
  readonly events: readonly Event[]
  close(): Promise<void>
}

export interface TestFrontSettings
  extends Partial<Omit<WebFrontSettings, 'content' | 'session' | 'observe'>> {
  /** The only backend. */
  readonly backend?: BackendSettings
  readonly content?: Partial<WebFrontSettings['content']>
  readonly session?: Partial<WebFrontSettings['session']>
  /** Files of the application beside its page. */
  readonly files?: Readonly<Record<string, string | Buffer>>
}

/** Settings of a web front for a test, which it may change. */
export function frontDefaults(root: string): Omit<WebFrontSettings, 'observe'> {
  return {
    host: '127.0.0.1',
    port: 0,
    bodyLimitBytes: 1_000_000,
    content: { root, patterns: ['/'], policy: {} },
    session: {
      store: { product: 'memory' },
      idleMs: 1_800_000,
      lifetimeMs: 43_200_000,
      cookieName: 'gatehouse',
    },
    surroundings: { backend: '/backend', configs: {} },
    providers: [],
  }
}

export async function startTestFront(settings: TestFrontSettings = {}): Promise<TestFront> {
  const { content, session, files, backend, ...others } = settings
  const folder = await applicationFolder(files)
  const events: Event[] = []
  const defaults = frontDefaults(folder.root)
  const front = await startWebFront({
    ...defaults,
    ...(backend === undefined ? {} : { backends: [backend] }),
    ...others,
    content: { ...defaults.content, ...content },
    session: { ...defaults.session, ...session },
    observe: (event) => events.push(event),
  })
  return {
    front,
    url: front.address,
    events,
    async close() {
      await front.close()
      await folder.remove()
    },
  }
}
