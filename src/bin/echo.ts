import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { echoCommandOptions } from '../config/command-options.ts'
import { ConfigError } from '../config/config-error.ts'
import { loadConfig } from '../config/load.ts'
import { quote } from '../config/quote.ts'
import { AppError } from '../errors/app-error.ts'
import type { CharactersMissing, Event } from '../observe/events.ts'
import { type Command, type Invocation, sourcesOf } from './command.ts'
import { echoSettings } from './echo-settings.ts'
import { exitCodes } from './exit-codes.ts'

/** `gatehouse echo`: a file from a template, as `/echo` of the web front makes it. */
export const echo: Command = {
  usage: 'echo TEMPLATE [--params FILE] --out FILE',
  about: `Makes a file from a template of the configuration, like “/echo” of the web front: for authors of templates.
The extension of the file selects the format. The templates come from gatehouse.yaml in the current folder, unless
another file is named.`,
  options: echoCommandOptions,
  run,
}

async function run(invocation: Invocation): Promise<number> {
  const [template = '', ...words] = invocation.words
  if (template === '' || template.startsWith('-')) {
    throw new ConfigError(['echo: takes the name of a template first, as in “echo letter --out letter.pdf”'])
  }
  const { values } = loadConfig(echoCommandOptions, sourcesOf({ ...invocation, words }))
  const { params: paramsFile, out } = values.files
  const { echo: settings, mistakes } = echoSettings(values.echo)
  if (mistakes.length > 0) throw new ConfigError(mistakes)
  const job = { template, params: readParams(paramsFile, invocation), filename: out }
  const { startEcho } = await import('../echo/echo-service.ts')
  try {
    const observe = (event: Event) => {
      if (event.kind === 'CharactersMissing') invocation.warn(explainMissing(event))
    }
    const service = await startEcho({ settings, observe })
    try {
      const sent = { kind: 'json', bytes: Buffer.from(JSON.stringify(job)) } as const
      const client = { requestId: '', signal: new AbortController().signal }
      await service.make(sent, client, ({ content }) => pipeline(content, createWriteStream(out)))
    } finally {
      await service.close()
    }
    return exitCodes.fine
  } catch (error) {
    invocation.warn(explain(error))
    return exitCodes.failed
  }
}

function readParams(file: string | undefined, { readText }: Invocation): unknown {
  if (file === undefined) return {}
  try {
    return JSON.parse(readText(file))
  } catch (error) {
    throw new ConfigError([`--params: ${quote(file)} has no JSON: ${messageOf(error)}`])
  }
}

function explainMissing({ characters, scripts }: CharactersMissing): string {
  const of = scripts.length === 0 ? '' : ` (${scripts.join(', ')})`
  return `The file shows boxes for characters that no font of this machine has: ${characters.join(', ')}${of}.`
}

/** The author of a template may see all details. */
function explain(error: unknown): string {
  if (!(error instanceof AppError)) return messageOf(error)
  const mistakes = error.mistakes.map(({ pointer, detail }) => `${pointer}: ${detail}`)
  const cause = error.cause === undefined ? [] : [messageOf(error.cause)]
  return [error.detail ?? error.kind.title, ...mistakes, ...cause].join('\n')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
