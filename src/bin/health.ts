import { AdminFailure } from '../admin/admin-failure.ts'
import { healthCommandOptions } from '../config/command-options.ts'
import { loadConfig } from '../config/load.ts'
import { ask } from '../http/outgoing.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { writeOutput } from './command-output.ts'

const limits = { timeoutMs: 4000, maxBytes: 10_000 }

/** `gatehouse health`: whether a service is ready, for health checks of containers. */
export const health: Command = {
  usage: 'health [--url ADDRESS]',
  about:
    'Asks a running gateway or web front whether it is ready. The exit code is 0 if it is, and 1 if it is not.',
  options: healthCommandOptions,
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const { url } = loadConfig(healthCommandOptions, sourcesOf(invocation)).values.own
  const { status } = await ask(`${url}/readyz`, {}, limits).catch((error: unknown) => {
    throw new AdminFailure([`There is no response from ${url}.`], error)
  })
  if (status !== 200) throw new AdminFailure([`${url} is not ready (status ${status}).`])
  return writeOutput(invocation, { json: { ready: true }, text: `${url} is ready.` })
}
