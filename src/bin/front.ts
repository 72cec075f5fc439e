import { frontCommandOptions } from '../config/command-options.ts'
import { loadConfig } from '../config/load.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'

/** `gatehouse front`: a single-page application with sessions and login. */
export const front: Command = {
  usage: 'front --content_root FOLDER [options]',
  about: 'Runs the web front: serves a single-page application, and provides its user session.',
  options: frontCommandOptions,
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const { values, warnings } = loadConfig(frontCommandOptions, sourcesOf(invocation))
  for (const warning of warnings) invocation.warn(warning)
  const { runFront } = await import('./run-front.ts')
  return runFront(values.front, invocation)
}
