import type { GatewayConfig } from '../config/gateway-options.ts'
import { startGateway } from '../gateway/gateway.ts'
import { createLogObserver, standardError } from '../observe/log.ts'
import type { Invocation } from './command.ts'
import type { Presence } from './data-files.ts'
import { gatewaySettings } from './gateway-settings.ts'
import { type RunningService, runService } from './run-service.ts'
import { startFailure } from './start-failure.ts'
import { startReport } from './start-report.ts'

/** The gateway that a command runs, in the command's words. */
export interface GatewayRun {
  readonly config: GatewayConfig
  /** What holds the data: `data folder ./gatehouse-data`. */
  readonly storage: string
  /** Makes what holds the data, when it is not there. */
  readonly prepareStorage: () => Presence
  /** The flag that chooses another port. */
  readonly portFlag: string
}

/** Runs a gateway until the process is asked to end; gives the exit code. */
export function runGateway(gatewayRun: GatewayRun, invocation: Invocation): Promise<number> {
  const { config, storage, prepareStorage, portFlag } = gatewayRun
  const observe = createLogObserver({ level: config.log_level, destination: standardError() })

  async function start(): Promise<RunningService> {
    const storagePresence = prepareStorage()
    const gateway = await startGateway(gatewaySettings(config, observe))
    const { version } = invocation
    return {
      address: gateway.address,
      tableCount: gateway.tableCount,
      report: startReport({ version, storage, storagePresence, gateway, baseUrl: config.base_url }),
      close: () => gateway.close(),
    }
  }

  const explainFailure = (error: unknown) => startFailure(error, { ...config, portFlag })
  return runService(
    { start, explainFailure, shutdownTimeoutMs: config.shutdown_timeout, observe },
    invocation,
  )
}
