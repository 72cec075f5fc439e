/** What `gatehouse help` and `--help` print. */
import { type HelpLayout, isShortened, shortHelp, wholeHelp } from '../config/help-text.ts'
import { wrapText } from '../util/wrap-text.ts'
import type { Command, CommandEntry, Invocation, Subcommand } from './command.ts'
import { paintOf } from './command-output.ts'

const helpWords = ['--help', '-h']

/** Whether words ask for help instead of work. */
export function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--')
  return (end === -1 ? words : words.slice(0, end)).some((word) => helpWords.includes(word))
}

/** The list of commands. */
export function programHelp(commands: Readonly<Record<string, Pick<CommandEntry, 'summary'>>>): string {
  const entries = Object.entries({
    ...commands,
    help: { summary: 'print this list, or with a command its options' },
    version: { summary: 'print the version' },
  })
  const width = Math.max(...entries.map(([name]) => name.length))
  const lines = entries.map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: gatehouse COMMAND [options]

${lines.join('\n')}

“gatehouse COMMAND --help” prints the options of a command. A first start: gatehouse up`
}

/** The usage of a command, or of the subcommand that the words name, with its options; with `--all` everything about them. */
export function commandHelp(name: string, command: Command, { words, ...invocation }: Invocation): string {
  const layout = layoutOf(invocation)
  const [first = ''] = words
  const { subcommands = {} } = command
  const sub = Object.hasOwn(subcommands, first) ? subcommands[first] : undefined
  const { usage, about, options } = sub === undefined ? command : asCommand(`${name} ${first}`, sub)
  const groups = Object.values(options.groups)
  const isWhole = words.includes('--all')
  const parts = [
    `${layout.heading('Usage:')} gatehouse ${usage}`,
    sub === undefined ? about : wrapText(about, layout.width).join('\n'),
    isWhole ? wholeHelp(groups, layout) : shortHelp(groups, layout),
    ...(isWhole ? [] : [hint(name + (sub === undefined ? '' : ` ${first}`), isShortened(groups))]),
  ]
  return parts.join('\n\n')
}

function asCommand(name: string, { words, about, options }: Subcommand) {
  const sentence = about.charAt(0).toUpperCase() + about.slice(1)
  return { usage: [name, ...words, '[options]'].join(' '), about: `${sentence}.`, options }
}

function hint(name: string, isShort: boolean): string {
  const what = isShort
    ? 'all options, by topic, with their variables and keys'
    : 'the variables, keys and defaults of these options'
  return `“gatehouse ${name} --help --all” prints ${what}.`
}

function layoutOf(invocation: Pick<Invocation, 'terminal'>): HelpLayout {
  const { columns = 100 } = invocation.terminal ?? {}
  const paint = paintOf(invocation)
  return {
    width: Math.min(Math.max(columns, 50), 120),
    heading: (text) => paint('heading', text),
  }
}
