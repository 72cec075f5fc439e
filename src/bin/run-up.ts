import type { DescribedSetting } from '../config/describe-settings.ts'
import { gatewayConfigOf, type UpConfig } from '../config/up-options.ts'
import { startGateway } from '../gateway/gateway.ts'
import type { Observer } from '../observe/events.ts'
import { createLogObserver } from '../observe/log.ts'
import { standardError } from '../observe/standard-error.ts'
import { applyAtStart, declarationsToApply } from './apply-at-start.ts'
import type { Invocation } from './command.ts'
import type { Presence } from './data-files.ts'
import { frontBeside, reachable } from './front-beside.ts'
import { databasesOf, drainDelayOf, gatewaySettings, sharedDrainDelayMs } from './gateway-settings.ts'
import { observeWaiting } from './observe-waiting.ts'
import { type RunningService, runService } from './run-service.ts'
import { type Listening, startFailure } from './start-failure.ts'
import { startReport } from './start-report.ts'

/** What `up` runs. */
export interface UpRun {
  readonly values: UpConfig
  /** Every option of the command. */
  readonly configuration: readonly DescribedSetting[]
  /** What holds the data: `data folder ./gatehouse-data`. */
  readonly storage: string
  /** Creates what holds the data, if it does not exist. */
  readonly prepareStorage: () => Presence
}

/** Runs a gateway and a web front until the process is asked to stop; returns the exit code. */
export function runUp(
  { values, configuration, storage, prepareStorage }: UpRun,
  invocation: Invocation,
): Promise<number> {
  const config = gatewayConfigOf(values)
  const { host, port, base_url: baseUrl } = config
  const log = standardError()
  const databases = databasesOf(config)
  const logged = createLogObserver({ level: config.log_level, destination: log })
  const observe = observeWaiting(logged, databases, invocation)
  let starting: Listening = { host, port, portFlag: '--gateway_port', databases }
  const declarations =
    values.up.apply === undefined ? undefined : declarationsToApply(values.up.apply, invocation)

  async function start(): Promise<RunningService> {
    const storagePresence = prepareStorage()
    let count: Observer | undefined
    const { version } = invocation
    const front = frontBeside(values, version, (event) => {
      observe(event)
      count?.(event)
    })
    const listening = (address: string) => {
      starting = front.listening
      return front.start(address)
    }
    try {
      const gateway = await startGateway({
        ...gatewaySettings(config, observe),
        version,
        configuration,
        listening,
      })
      count = gateway.count
      const applied =
        declarations === undefined
          ? undefined
          : await applyAtStart(declarations, gateway, reachable(gateway.address), invocation)
      const inReport = await front.join(gateway)
      const { username, password } = gateway.bootstrapped ?? {}
      // Where a second factor is required, it is set up with the printed password.
      const isOffered = invocation.isTerminal && config.second_factor === 'optional'
      const isShown = isOffered && username !== undefined && password !== undefined
      const firstLogin = isShown ? front.offerFirstLogin({ username, password }) : undefined
      return {
        address: gateway.address,
        tableCount: gateway.tableCount,
        async drain(until) {
          // The gateway serves the web front until its last request.
          await gateway.drain(front.drain(until))
        },
        reload: () => gateway.reloadSchema(),
        report: startReport({
          version,
          storage,
          storagePresence,
          gateway,
          baseUrl,
          given: config,
          front: { ...inReport, ...(firstLogin && { firstLogin }) },
          ...(applied === undefined ? {} : { applied }),
        }),
        async close() {
          await front.close()
          await gateway.close()
        },
      }
    } catch (error) {
      await front.close()
      throw error
    }
  }

  const explainFailure = (error: unknown) => startFailure(error, starting)
  const drainDelayMs = values.front.session_store === 'redis' ? sharedDrainDelayMs : 0
  const ending = {
    drainDelayMs: config.drain_delay ?? Math.max(drainDelayOf(config), drainDelayMs),
    shutdownTimeoutMs: config.shutdown_timeout,
  }
  return runService({ start, explainFailure, ...ending, observe }, invocation).finally(log.flush)
}
