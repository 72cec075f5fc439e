/** A gateway or web front in its own process, which says how long its main thread was kept by one piece of work. */
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { GatewaySettings } from '../../src/gateway/settings.ts'
import type { ServedPath } from '../../src/http/routes.ts'
import type { WebFrontSettings } from '../../src/web-front/settings.ts'

/** What the process is started with. */
export type MeasuredSettings =
  | { readonly kind: 'gateway'; readonly settings: Omit<GatewaySettings, 'observe'> }
  | { readonly kind: 'front'; readonly settings: Omit<WebFrontSettings, 'observe'> }

/** What the process says of itself when it listens. */
export interface MeasuredStart {
  readonly address: string
  readonly paths: readonly ServedPath[]
  readonly tableCount: number
  /** Of the account that the first start of a gateway made. */
  readonly password: string
  readonly apiKey: string
}

export interface MeasuredServer extends MeasuredStart {
  /**
   * The longest that the main thread worked without a pause since the last call, in milliseconds of processor time: what
   * other processes do on the machine makes it no longer.
   */
  longestWork(): Promise<number>
  /** How long the main thread takes for a fixed piece of work now, in milliseconds of processor time. */
  calibrate(): Promise<number>
  close(): Promise<void>
}

/** Starts the process and waits until it listens. */
export async function startMeasuredServer(settings: MeasuredSettings): Promise<MeasuredServer> {
  const file = fileURLToPath(new URL('measured-process.ts', import.meta.url))
  const child = fork(file, [JSON.stringify(settings)], {
    execArgv: ['--max-semi-space-size=8'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const gone = new Promise<never>((_, reject) => {
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
  gone.catch(() => {})
  const answer = <Result>() =>
    Promise.race([
      new Promise<Result>((resolve) => child.once('message', (said) => resolve(said as Result))),
      gone,
    ])
  const ask = (what: 'longest' | 'calibrate') => {
    const said = answer<number>()
    child.send(what)
    return said
  }
  const start = await answer<MeasuredStart>()
  return {
    ...start,
    longestWork: () => ask('longest'),
    calibrate: () => ask('calibrate'),
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}
