/**
 * Writes the reference pages that come from tables in the code. With `--check` it compares instead, and
 * fails when a page is not what the code says.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gatewayCommandOptions, upCommandOptions } from '../src/config/command-options.ts'
import { frontOptions } from '../src/config/front-options.ts'
import { gatewayOptions } from '../src/config/gateway-options.ts'
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
import { embeddedGatewayOptions } from '../src/config/up-options.ts'
import { type ErrorKind, errorKinds } from '../src/errors/errors.ts'

const generated =
  '<!-- Written by scripts/generate-reference.ts. Change the tables in src/, not this page. -->'

const configurationPage = `${generated}

# Configuration

A value is looked for in this order: flag, environment variable, configuration file, default.

- **Flag**: \`--key value\` or \`--key=value\`; \`-\` may be written for \`_\`.
- **Environment variable**: \`GATEHOUSE_\` and the key in capitals. An empty variable counts as not given.
- **Configuration file**: YAML or JSON, named with \`--config\`. \`gatehouse up\` reads \`gatehouse.yaml\` in the
  current folder when it is there. One file serves every command; a command takes its own keys from it.
- **Secrets** are never shown. The value of \`<key>_file\` is the path of a file that holds the secret; the line
  end at the end of the file is not part of it. On the command line a secret can be read by others, and a
  warning says so.

An unknown key or a bad value stops the start with exit code 2 and one line for each mistake.
\`gatehouse check-config [up|gateway|front]\` prints every value with where it came from.

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

\`up\` takes these options, and those of the gateway below.

${cards(upCommandOptions.groups.up.options)}

For the gateway it has other defaults:

${embeddedDefaults()}

## \`gatehouse gateway\`

${cards(gatewayOptions)}

## \`gatehouse front\`

A key with a point, such as \`content.root\`, lies under another in a configuration file: \`root\` under \`content:\`,
both under \`front:\`.

${cards(frontOptions)}

### Ways to log in

Under \`authentication:\`, or in each entry of a list there. [The web front](../web-front.md) has examples.

${cards(inFileOnly(loginOptions), '####')}

## Every command

${cards(gatewayCommandOptions.groups.file.options)}
`

const errorsPage = `${generated}

# Errors

An error is answered as \`application/problem+json\` ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)). Its
\`code\` is stable; its \`detail\` says what is wrong in this case.

| Code | Status | Title |
|---|---|---|
${Object.entries(errorKinds).map(errorRow).join('\n')}
`

const pages: Readonly<Record<string, string>> = {
  'configuration.md': configurationPage,
  'errors.md': errorsPage,
}

const folder = new URL('../docs/reference/', import.meta.url)

if (process.argv.includes('--check')) check()
else write()

function write(): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(pages)) writeFileSync(new URL(name, folder), text)
}

function check(): void {
  const outdated = Object.entries(pages).filter(([name, text]) => currentText(name) !== text)
  if (outdated.length === 0) return
  const names = outdated.map(([name]) => `docs/reference/${name}`).join(' and ')
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
    ['Flag', names(option, 'flag', flagOf)],
    ['Example', `\`${fileKeyOf(option)}: ${definition.example}\``],
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

/** Where the gateway inside `up` differs from one that runs alone. */
function embeddedDefaults(): string {
  const ownOptions: OptionTable = gatewayOptions
  const embedded: OptionTable = embeddedGatewayOptions
  const rows = Object.entries(embedded)
    .filter(([key, definition]) => defaultOf(definition) !== defaultOf(ownOptions[key] ?? definition))
    .map(([key, definition]) => `| \`${key}\` | ${defaultOf(definition)} |`)
  const port = '| `port` | the value of `gateway_port`; `port` itself is taken only in the file |'
  return ['| Option | Default in `up` |', '|---|---|', ...rows, port].join('\n')
}

function errorRow([code, kind]: [string, ErrorKind]): string {
  const note = kind.body === undefined ? '' : ` The body is \`${JSON.stringify(kind.body)}\`.`
  return `| \`${code}\` | ${kind.status} | ${kind.title}${note} |`
}
