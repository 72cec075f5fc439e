/** What can be completed on a command line, from the declarations of commands and options. */
import { path } from '../../config/option-types.ts'
import { flagOf, namedOptionsOf, type Spelling, spellingsIn } from '../../config/options.ts'
import type { CommandEntry, Subcommand } from '../command.ts'

/** A word that may come next. */
interface CompletedWord {
  readonly word: string
  readonly about: string
}

/** A flag, and what may follow it. */
export interface CompletedFlag extends CompletedWord {
  /** A letter that stands for it. */
  readonly short?: string
  readonly value: 'none' | 'file' | 'any' | readonly string[]
}

/** What may come after some words of a command line. */
export interface CompletionContext {
  /** The words after the name of the program: '', `role`, `role delete`. */
  readonly after: string
  readonly words: readonly CompletedWord[]
  readonly flags: readonly CompletedFlag[]
  /** Whether a word is the path of a file. */
  readonly takesFiles: boolean
}

/** All contexts of the program, the shortest first. */
export async function completionTable(
  commands: Readonly<Record<string, CommandEntry>>,
): Promise<readonly CompletionContext[]> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]) => [name, await load()] as const),
  )
  const known = Object.entries(commands).map(([word, { summary }]) => ({ word, about: summary }))
  const help = { word: 'help', about: 'print the commands, or the options of one' }
  const version = { word: 'version', about: 'print the version' }
  const others = [
    { after: '', words: [...known, help, version], flags: [], takesFiles: false },
    { after: 'help', words: known, flags: [], takesFiles: false },
  ]
  return [
    ...others,
    ...loaded.map(([name, { options, subcommands = {} }]) => ({
      after: name,
      words: Object.entries(subcommands).map(([word, { about }]) => ({ word, about })),
      flags: flagsOf(options),
      takesFiles: false,
    })),
    ...loaded.flatMap(([name, { subcommands = {} }]) =>
      Object.entries(subcommands).map(([word, { words, options }]) => ({
        after: `${name} ${word}`,
        words: [],
        flags: flagsOf(options),
        takesFiles: words.includes('FILE'),
      })),
    ),
  ]
}

function flagsOf({ groups }: Subcommand['options']): readonly CompletedFlag[] {
  const help = { word: '--help', about: 'print the options', value: 'none' as const }
  return [...spellingsIn('flag', namedOptionsOf(groups)).map(completedFlag), help]
}

function completedFlag({ name, namesFile, option: { definition } }: Spelling): CompletedFlag {
  const { type, describe, short } = definition
  const [about = ''] = /^.+?(?=[.:;(]|$)/.exec(describe) ?? []
  const isFile = namesFile || type === path
  const value = isFile ? 'file' : type.withoutValue !== undefined ? 'none' : (type.choices ?? 'any')
  return { word: flagOf(name), about, value, ...(short !== undefined && !namesFile && { short }) }
}
