import type { FrontConfig } from '../config/front-options.ts'
import { createLogObserver } from '../observe/log.ts'
import { standardError } from '../observe/standard-error.ts'
import { startWebFront } from '../web-front/web-front.ts'
import type { Invocation } from './command.ts'
import { frontReport } from './front-report.ts'
import { frontSettings } from './front-settings.ts'
import { sharedDrainDelayMs } from './gateway-settings.ts'
import { type RunningService, runService } from './run-service.ts'
import { startFailure } from './start-failure.ts'

/** Runs a web front until the process is asked to stop; returns the exit code. */
export function runFront(config: FrontConfig, invocation: Invocation): Promise<number> {
  const log = standardError()
  const observe = createLogObserver({ level: config.log_level, destination: log })
  const settings = frontSettings(config, observe)

  async function start(): Promise<RunningService> {
    const webFront = await startWebFront({ ...settings, version: invocation.version })
    const { address, baseUrl } = webFront
    const problem = await webFront.checkOwnAccount()
    return {
      address,
      report: frontReport({
        version: invocation.version,
        config,
        address: baseUrl,
        ...(problem === undefined ? {} : { problem: problem.sentence }),
      }),
      drain: (until) => webFront.drain(until),
      close: () => webFront.close(),
    }
  }

  const explainFailure = (error: unknown) => startFailure(error, { ...config, portFlag: '--port' })
  const drainDelayMs = config.drain_delay ?? (config.session_store === 'redis' ? sharedDrainDelayMs : 0)
  const ending = { drainDelayMs, shutdownTimeoutMs: config.shutdown_timeout }
  return runService({ start, explainFailure, ...ending, observe }, invocation).finally(log.flush)
}
