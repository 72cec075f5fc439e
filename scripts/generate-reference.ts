/**
 * Writes the reference pages that come from tables in the code, and the types of the management API. With `--check` it compares instead, and
 * fails if a page differs from the code.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { adminCommands } from '../src/bin/admin-commands.ts'
import { backendOptions } from '../src/config/backend-options.ts'
import { clientOptions } from '../src/config/client-options.ts'
import { gatewayCommandOptions, upCommandOptions } from '../src/config/command-options.ts'
import { templateOptions } from '../src/config/echo-options.ts'
import { frontOptions } from '../src/config/front-options.ts'
import { gatewayOptions } from '../src/config/gateway-options.ts'
import { issuerOptions } from '../src/config/issuer-options.ts'
import { loginOptions } from '../src/config/login-options.ts'
import {
  fileKeyOf,
  flagOf,
  type NamedOption,
  namedOptionsOf,
  type OptionDefinition,
  type OptionTable,
  type Place,
  spellingsIn,
  variableOf,
} from '../src/config/options.ts'
import { embeddedFrontOptions, embeddedGatewayOptions } from '../src/config/up-options.ts'
import { type ErrorKind, errorKinds } from '../src/errors/errors.ts'
import { managementDocument } from '../src/gateway/openapi/management-document.ts'
import { apiTypes } from './api-types.ts'
import { managementPage } from './management-page.ts'
import { fileOf, problemDocuments } from './problems/problem-documents.ts'

const generated =
  '<!-- Written by scripts/generate-reference.ts. Change the tables in src/, not this page. -->'

const configurationPage = `${generated}

# Configuration

Values are read in this order: flag, environment variable, configuration file, default.

- **Flag**: \`--key value\` or \`--key=value\`; \`-\` may be written for \`_\`. Options that take
  true or false need no value: \`--key\`, \`--key true\` and \`--key=true\` are the same.
- **Environment variable**: \`GATEHOUSE_\` and the key in capitals. An empty variable counts as not given.
- **Configuration file**: YAML or JSON, named with \`--config\`. \`gatehouse up\` reads \`gatehouse.yaml\` in the
  current folder if it exists. One file serves every command; a command reads its own keys from it.
- **Secrets** are never shown. The value of \`<key>_file\` is the path of a file that holds the secret; a line
  end at the end of the file is ignored. Other users can read secrets on the command line; a warning says so.

An unknown key or an invalid value stops the start with exit code 2 and one line for each mistake.
\`gatehouse check-config [up|gateway|front]\` prints every value with its origin.

\`\`\`yaml
data_dir: /var/lib/gatehouse
gateway:
  host: 0.0.0.0
  base_url: https://api.example.org
  admin_password_file: /run/secrets/admin_password
front:
  base_url: https://app.example.org
  content:
    root: /srv/app
\`\`\`

## \`gatehouse up\`

\`up\` takes these options, and those of the gateway and of the web front below.

${cards(upCommandOptions.groups.up.options)}

It has other defaults for the gateway:

${defaultsInUp(embeddedGatewayOptions, gatewayOptions, 'gateway')}

And for the web front. Options that the gateway also has are read only from the file:

${defaultsInUp(embeddedFrontOptions, frontOptions, 'front')}

## \`gatehouse gateway\`

${cards(gatewayOptions)}

### Token issuers

In each entry of \`token_issuers\`. [Accept tokens of other issuers](../how-to/token-issuers.md) has examples.

${cards(inFileOnly(issuerOptions), '####')}

## \`gatehouse front\`

A key with a dot, such as \`content.root\`, is nested in a configuration file: \`root\` under \`content:\`,
both under \`front:\`. For \`gatehouse front\` and \`gatehouse echo\` the keys may also be at the top of the file.

${cards(frontOptions)}

### Backends

Under \`backend:\`, or in each entry of a list there. [The web front](../web-front.md#calls-through-the-web-front) has examples.

${cards(inFileOnly(backendOptions), '####')}

### Ways to log in

Under \`authentication:\`, or in each entry of a list there. [The web front](../web-front.md) has examples.

${cards(inFileOnly(loginOptions), '####')}

### Templates of files

Under the name of a template, under \`echo.templates:\`. [Files from templates](../echo.md) has examples.

${cards(inFileOnly(templateOptions), '####')}

## Every command

${cards(gatewayCommandOptions.groups.file.options)}
`

const commandsPage = `${generated}

# Commands that call a running gateway

They use the management API, with the rights of the account that logs on; their changes are in the audit. They log on,
do their work, and end their token. [Administration](../administration.md) has examples. The exit code is 0 for success,
1 for a failure, and 2 for a wrong command line: then nothing was sent.

## The gateway to call

Every command takes these options. In [a configuration file](configuration.md), which \`--config\` names, they are under
\`client:\`.

${cards(clientOptions)}

${(await loadedCommands()).join('\n\n')}
`

const errorsPage = `${generated}

# Errors

An error response is \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). Its
\`code\` is stable; its \`detail\` says what is wrong in this case. Its \`type\` is the path of a page that explains the
code, which every gateway and web front serves with [this documentation](../README.md): \`/docs/guide/problems/token-missing\`.
A browser that opens an address gets an HTML page with the same status and sentence. A 401 says in the header
\`X-Gatehouse-Refused\` who refused the request: \`login\` (no session at the web front), \`token\` (none, or not a valid one),
\`role\`, or \`upstream\` (an upstream API, or a backend that is not the gateway).

| Code | Status | Title |
|---|---|---|
${Object.entries(errorKinds).map(errorRow).join('\n')}
`

const management = managementDocument('', '0.0.0')

const pages: Readonly<Record<string, string>> = {
  'management-api.md': `${generated}\n\n${managementPage(management)}`,
  '../../console/app/api/gateway-api.d.ts': apiTypes(management),
  'commands.md': commandsPage,
  'configuration.md': configurationPage,
  'errors.md': errorsPage,
  ...Object.fromEntries(
    Object.entries(problemDocuments(generated)).map(([name, text]) => [`../problems/${name}`, text]),
  ),
}

const folder = new URL('../docs/reference/', import.meta.url)

if (process.argv.includes('--check')) check()
else write()

function write(): void {
  for (const part of ['.', '../problems', '../../console/app/api'])
    mkdirSync(new URL(part, folder), { recursive: true })
  for (const [name, text] of Object.entries(pages)) writeFileSync(new URL(name, folder), text)
}

function check(): void {
  const outdated = Object.entries(pages).filter(([name, text]) => currentText(name) !== text)
  if (outdated.length === 0) return
  const names = outdated.map(([name]) => posix.join('docs/reference', name)).join(' and ')
  console.error(`Not what the code says: ${names}. Run “node scripts/generate-reference.ts”.`)
  process.exitCode = 1
}

function currentText(name: string): string | undefined {
  try {
    return readFileSync(new URL(name, folder), 'utf8')
  } catch {
    return undefined
  }
}

/** A section for each command of administration, with what is its own. */
async function loadedCommands(): Promise<readonly string[]> {
  const commands = await Promise.all(Object.entries(adminCommands).map(([, { load }]) => load()))
  return commands.map(({ usage, about, options }) => {
    const [name = ''] = usage.split(' ')
    const own = cards(options.groups.own?.options ?? {})
    const text = about.replace(/\n\n( {2}[\s\S]+)$/, (_, verbs) => `\n\n\`\`\`text\n${verbs}\n\`\`\``)
    return [`## \`gatehouse ${name}\``, '', text, ...(own === '' ? [] : ['', own])].join('\n')
  })
}

/** An option's entry is always the same card. */
function cards(table: OptionTable, heading = '###'): string {
  return namedOptionsOf({ all: { heading: '', options: table } })
    .map((option) => card(option, heading))
    .join('\n\n')
}

/** Options that lie in an entry of another one. */
function inFileOnly(table: OptionTable): OptionTable {
  return Object.fromEntries(
    Object.entries(table).map(([key, definition]) => [key, { ...definition, places: ['file'] as const }]),
  )
}

function card(option: NamedOption, heading: string): string {
  const { definition } = option
  const rows = [
    ['Takes', takes(definition)],
    ['Default', defaultOf(definition)],
    ['Environment variable', names(option, 'variable', variableOf)],
    ['Flag', [names(option, 'flag', flagOf), shortOf(definition)].filter(Boolean).join(' or ')],
    ['Example', `\`${exampleOf(option)}\``],
  ]
  const lines = rows.filter(([, text]) => text !== '').map(([label, text]) => `| ${label} | ${text} |`)
  return [
    `${heading} \`${fileKeyOf(option)}\``,
    '',
    definition.describe,
    '',
    '| | |',
    '|---|---|',
    ...lines,
  ].join('\n')
}

function exampleOf(option: NamedOption): string {
  const { key, definition } = option
  if (spellingsIn('file', [option]).length > 0) return `${fileKeyOf(option)}: ${definition.example}`
  return `${flagOf(key)} ${definition.example}`
}

function shortOf({ short }: OptionDefinition): string {
  return short === undefined ? '' : `\`-${short}\``
}

function takes({ type, secret }: OptionDefinition): string {
  const text = type.choices?.map((choice) => `\`${choice}\``).join(', ') ?? type.takes
  return secret ? `${text} (secret)` : text
}

function defaultOf({ default: value, required, otherwise }: OptionDefinition): string {
  if (value !== undefined) return `\`${value}\``
  return required ? 'none: it must be given' : (otherwise ?? 'none')
}

function names(option: NamedOption, place: Place, write: (name: string) => string): string {
  return spellingsIn(place, [option])
    .map(({ name }) => `\`${write(name)}\``)
    .join(' or ')
}

/** Where a service inside `up` differs from one that runs alone. */
function defaultsInUp(embedded: OptionTable, alone: OptionTable, service: string): string {
  const rows = Object.entries(embedded)
    .filter(([key, definition]) => defaultOf(definition) !== defaultOf(alone[key] ?? definition))
    .map(([key, definition]) => `| \`${fileKeyOf({ key, definition })}\` | ${defaultOf(definition)} |`)
  const port = `| \`port\` | the value of \`${service}_port\`; \`port\` itself is read only from the file |`
  return ['| Option | Default in `up` |', '|---|---|', ...rows, port].join('\n')
}

function errorRow([code, kind]: [string, ErrorKind]): string {
  const body = kind.body === undefined ? '' : ` The body is \`${JSON.stringify(kind.body)}\`.`
  const refused = kind.refused === undefined ? '' : ` \`X-Gatehouse-Refused: ${kind.refused}\`.`
  return `| [\`${code}\`](../problems/${fileOf(code)}) | ${kind.status} | ${kind.title}${body}${refused} |`
}
