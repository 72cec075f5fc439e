import type { DescribedSetting } from '../config/describe-settings.ts'
import type { GatewayConfig } from '../config/gateway-options.ts'
import { startGateway } from '../gateway/gateway.ts'
import type { Observer } from '../observe/events.ts'
import { createLogObserver } from '../observe/log.ts'
import { standardError } from '../observe/standard-error.ts'
import type { Invocation } from './command.ts'
import type { Presence } from './data-files.ts'
import { databasesOf, drainDelayOf, gatewaySettings } from './gateway-settings.ts'
import { observeWaiting } from './observe-waiting.ts'
import { type RunningService, runService } from './run-service.ts'
import { asWorker, isWorker, runWorkers } from './run-workers.ts'
import { startFailure } from './start-failure.ts'
import { startReport } from './start-report.ts'

/** The gateway that a command runs, in the terms of the command. */
export interface GatewayRun {
  readonly config: GatewayConfig
  /** Every option of the command. */
  readonly configuration: readonly DescribedSetting[]
  /** What holds the data: `data folder ./gatehouse-data`. */
  readonly storage: string
  /** Creates what holds the data, if it does not exist. */
  readonly prepareStorage: () => Presence
  /** The flag that chooses another port. */
  readonly portFlag: string
}

/** Runs a gateway in the configured number of processes until it is asked to stop; returns the exit code. */
export function runGateway(gatewayRun: GatewayRun, invocation: Invocation): Promise<number> {
  const { config } = gatewayRun
  const log = standardError()
  const observe = createLogObserver({ level: config.log_level, destination: log })
  if (isWorker()) return runHere(gatewayRun, observe, asWorker(invocation)).finally(log.flush)
  if (config.workers === 1) return runHere(gatewayRun, observe, invocation).finally(log.flush)
  return runWorkers(config.workers, observe, invocation).finally(log.flush)
}

function runHere(gatewayRun: GatewayRun, log: Observer, invocation: Invocation): Promise<number> {
  const { config, configuration, storage, prepareStorage, portFlag } = gatewayRun
  const databases = databasesOf(config)
  const observe = observeWaiting(log, databases, invocation)
  const { version } = invocation

  async function start(): Promise<RunningService> {
    const storagePresence = prepareStorage()
    const gateway = await startGateway({ ...gatewaySettings(config, observe), version, configuration })
    return {
      address: gateway.address,
      tableCount: gateway.tableCount,
      drain: (until) => gateway.drain(until),
      reload: () => gateway.reloadSchema(),
      report: startReport({
        version,
        storage,
        storagePresence,
        gateway,
        baseUrl: config.base_url,
        given: config,
      }),
      close: () => gateway.close(),
    }
  }

  const explainFailure = (error: unknown) => startFailure(error, { ...config, portFlag, databases })
  const ending = { drainDelayMs: drainDelayOf(config), shutdownTimeoutMs: config.shutdown_timeout }
  return runService({ start, explainFailure, ...ending, observe }, invocation)
}
