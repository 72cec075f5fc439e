import { frontCommandOptions } from '../config/command-options.ts'
import { checkedFront, loadChecked } from './checked-config.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'

/** `gatehouse front`: a single-page application with sessions and login. */
export const front: Command = {
  usage: 'front [options]',
  about: `Runs the web front: serves a single-page application and the console, and provides their user session.
In its configuration file the keys of “front:” may also be at the top.`,
  options: frontCommandOptions,
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const { values, warnings } = await loadChecked(checkedFront, sourcesOf(invocation))
  for (const warning of warnings) invocation.warn(warning)
  const { runFront } = await import('./run-front.ts')
  return runFront(values.front, invocation)
}
