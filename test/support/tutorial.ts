import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import { Shell, type StartedServer, startServer } from './shell.ts'
import { temporaryFolder } from './temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** One fenced block of a page, and what it is for. */
type Step =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'run'; readonly text: string }
  | { readonly kind: 'server'; readonly text: string }
  | { readonly kind: 'output'; readonly language: string; readonly text: string }

/** A command of a page with what it printed, and what the page says that it prints. */
interface Printed {
  readonly command: string
  readonly printed: string
  readonly expected?: { readonly language: string; readonly text: string }
}

/** A page that is being carried out, in a folder of its own. */
export interface Tutorial {
  readonly folder: string
  /** What each command printed, in the order of the page. */
  readonly commands: readonly Printed[]
  /** The address that the page writes as this one. */
  address(written: string): string
  /** Ends its servers and removes the folder. */
  end(): Promise<void>
}

/** Values that the person at the terminal puts in place of `…`, by the variable's name. */
type Values = Readonly<Record<string, string>>

/**
 * Carries out a page of the documentation as a person would, from top to bottom: writes its files (a block after a line such
 * as “`name`:”), runs its commands in one shell (`sh`), and starts its servers (`sh server`). A block such as `json output`
 * says what the command before it prints. What needs a registry is `bash`, and left out. Ports are replaced by free
 * ones. An `export NAME='…'` takes its value from `given` of the addresses, or from what a server printed at its start.
 * Servers also get the variables of `environment`.
 */
export async function carryOut(
  page: string,
  {
    given = () => ({}),
    files = {},
    environment: surroundings = {},
  }: {
    given?: (address: (written: string) => string) => Promise<Values> | Values
    files?: Values
    environment?: Values
  } = {},
): Promise<Tutorial> {
  const folder = await temporaryFolder()
  const ports = new Map<string, number>()
  for (const port of ['9000', '8080', '5173']) ports.set(port, await freePort())
  const withPorts = (text: string) =>
    text.replace(/(localhost:|--port )(\d{4})\b/g, (whole, before: string, port: string) =>
      ports.has(port) ? `${before}${ports.get(port)}` : whole,
    )
  await linkPackages(folder.path)
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder.path, name), text)

  const values: Record<string, string> = { ...(await given(withPorts)) }
  const shell = new Shell(folder.path)
  await shell.run(`PATH='${dirname(process.execPath)}':$PATH; ${clientSettings(ports)}`)
  const servers: StartedServer[] = []
  const commands: Printed[] = []
  for (const step of stepsOf(withPorts(await readFile(join(root, page), 'utf8')))) {
    if (step.kind === 'file') await writeInto(folder.path, step.name, step.text)
    else if (step.kind === 'run') {
      const printed = await shell.run(withValues(step.text, values))
      commands.push({ command: step.text, printed })
    } else if (step.kind === 'server') {
      const own = { ...serverSettings(step.text, ports), ...surroundings }
      const environment = { ...(await shell.environment()), ...own }
      const server = await startServer(step.text, folder.path, environment)
      servers.push(server)
      Object.assign(values, secretsOf(server.report))
    } else expectOf(commands, step)
  }
  return {
    folder: folder.path,
    commands,
    address: withPorts,
    async end() {
      await Promise.all([...servers.map((server) => server.end()), shell.end()])
      await folder.remove()
    },
  }
}

/** The blocks of a page in their order. */
function stepsOf(markdown: string): readonly Step[] {
  const block = /(?:^`([^`\n]+)`:\n\n)?^```(\w+)(?: (\w+))?\n([\s\S]*?)\n```$/gm
  const blocks = [...markdown.matchAll(block)].filter(([, , language]) => language !== 'bash')
  return blocks.map(([, name, language = '', kind, text = '']): Step => {
    if (name !== undefined) return { kind: 'file', name, text }
    if (kind === 'output') return { kind, language, text }
    if (language !== 'sh') throw new Error(`A block of ${language} is neither a file nor an output:\n${text}`)
    return { kind: kind === 'server' ? 'server' : 'run', text }
  })
}

function expectOf(commands: Printed[], { language, text }: { language: string; text: string }): void {
  const last = commands.pop()
  if (last === undefined) throw new Error(`An output stands before any command:\n${text}`)
  commands.push({ ...last, expected: { language, text } })
}

/** The program, as an installed package offers it, and the other programs that pages start by `npx`. */
async function linkPackages(folder: string): Promise<void> {
  const programs = join(folder, 'node_modules', '.bin')
  await mkdir(programs, { recursive: true })
  for (const [name, file] of Object.entries({
    gatehouse: 'dist/bin/gatehouse.js',
    vite: 'node_modules/vite/bin/vite.js',
  }))
    await writeFile(join(programs, name), `#!/bin/sh\nexec node '${join(root, file)}' "$@"\n`, {
      mode: 0o755,
    })
}

/** What the commands call: pages rely on the default address. */
function clientSettings(ports: ReadonlyMap<string, number>): string {
  return `export GATEHOUSE_URL=http://localhost:${ports.get('9000')} npm_config_loglevel=error`
}

/** Where the program listens: pages rely on the default ports. */
function serverSettings(command: string, ports: ReadonlyMap<string, number>): Values {
  const [gateway, front] = [String(ports.get('9000')), String(ports.get('8080'))]
  switch (/^npx gatehouse (\w+)/.exec(command)?.[1]) {
    case 'up':
      return { GATEHOUSE_GATEWAY_PORT: gateway, GATEHOUSE_FRONT_PORT: front }
    case 'gateway':
      return { GATEHOUSE_PORT: gateway }
    case 'front':
      return { GATEHOUSE_PORT: front }
    default:
      return {}
  }
}

async function writeInto(folder: string, name: string, text: string): Promise<void> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, `${text}\n`)
}

function withValues(command: string, values: Values): string {
  return command.replace(/^export (\w+)='…'$/gm, (whole, name: string) =>
    values[name] === undefined ? whole : `export ${name}='${values[name]}'`,
  )
}

/** The secrets that a first start shows. */
function secretsOf(report: string): Values {
  const shown = (label: string) => new RegExp(`^  ${label} +(\\S+)$`, 'm').exec(report)?.[1]
  const [password, key] = [shown('password'), shown('API key')]
  return {
    ...(password === undefined ? {} : { GATEHOUSE_PASSWORD: password }),
    ...(key === undefined ? {} : { GATEHOUSE_API_KEY: key }),
  }
}
