import type { Event } from '../../src/observe/events.ts'
import { startWebFront, type WebFront, type WebFrontSettings } from '../../src/web-front/web-front.ts'
import { applicationFolder } from './application-folder.ts'

/** A web front with an application of its own. */
export interface TestFront {
  readonly front: WebFront
  /** Where browsers reach it. */
  readonly url: string
  readonly events: readonly Event[]
  close(): Promise<void>
}

export interface TestFrontSettings extends Partial<Omit<WebFrontSettings, 'content' | 'observe'>> {
  readonly content?: Partial<WebFrontSettings['content']>
  /** Files of the application beside its page. */
  readonly files?: Readonly<Record<string, string | Buffer>>
}

export async function startTestFront({
  content,
  files,
  ...settings
}: TestFrontSettings = {}): Promise<TestFront> {
  const folder = await applicationFolder(files)
  const events: Event[] = []
  const front = await startWebFront({
    host: '127.0.0.1',
    port: 0,
    bodyLimitBytes: 1_000_000,
    ...settings,
    content: { root: folder.root, patterns: ['/'], policy: {}, ...content },
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
