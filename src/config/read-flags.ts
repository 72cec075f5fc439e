import { nearestName } from '../util/nearest-name.ts'
import type { OptionType } from './option-types.ts'
import {
  type ConfigMistake,
  flagOf,
  type Given,
  type NamedOption,
  type Reading,
  type Spelling,
  spellingsIn,
} from './options.ts'
import { quote, showName } from './quote.ts'
import { suggestion } from './suggestion.ts'

/** A flag as it was written, with the value beside it. */
interface WrittenFlag {
  readonly name: string
  readonly value: string | undefined
  /** Whether a letter stands for the name. */
  readonly isShort: boolean
}

/** The flag before a word, with its type when it was written without a value. */
interface PreviousFlag {
  readonly name: string
  readonly type: OptionType<unknown> | undefined
}

/**
 * Separates the words that are neither a flag nor a flag's value: `show NAME` in `show --url ADDRESS NAME`. After `--`
 * all words are.
 */
export function separateWords(
  words: readonly string[],
  options: readonly NamedOption[],
): { readonly plain: readonly string[]; readonly flags: readonly string[] } {
  const spellings = flagsOf(options)
  const plain: string[] = []
  const flags: string[] = []
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (word === '--') return { plain: [...plain, ...words.slice(index + 1)], flags }
    if (!isFlag(word)) {
      plain.push(word)
      continue
    }
    flags.push(word)
    const { name, value } = splitFlag(word, spellings)
    const follower = value === undefined ? valueAfter(words, index, spellings.get(name)) : undefined
    if (follower === undefined) continue
    flags.push(follower)
    index++
  }
  return { plain, flags }
}

/** Reads `--key value` and `--key=value`; `-` may replace `_`, and a letter the name of an option that has one. */
export function readFlags(words: readonly string[], options: readonly NamedOption[]): Reading {
  const spellings = flagsOf(options)
  const given = new Map<string, Given>()
  const mistakes: ConfigMistake[] = []
  let previous: PreviousFlag | undefined

  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (!isFlag(word)) {
      mistakes.push(unexpectedWord(word, previous))
      continue
    }
    const { name, value, isShort } = splitFlag(word, spellings)
    const spelling = spellings.get(name)
    const follower = value ?? valueAfter(words, index, spelling)
    if (value === undefined && follower !== undefined) index++
    const raw = follower ?? spelling?.option.definition.type.withoutValue
    previous = {
      name: flagOf(name),
      type: follower === undefined ? spelling?.option.definition.type : undefined,
    }

    if (spelling === undefined || !(isShort || word.startsWith('--'))) {
      mistakes.push(unknownFlag(word, name, [...spellings.keys()]))
    } else if (raw === undefined) {
      mistakes.push({
        line: `${flagOf(name)}: needs a value: ${takenBy(spelling)}`,
        about: spelling.option.key,
      })
    } else if (given.has(name)) {
      mistakes.push({ line: `${flagOf(name)}: given more than once` })
    } else {
      given.set(name, { spelling, raw, place: 'flag', origin: flagOf(name) })
    }
  }
  return { given: [...given.values()], mistakes }
}

function flagsOf(options: readonly NamedOption[]): ReadonlyMap<string, Spelling> {
  return new Map(spellingsIn('flag', options).map((spelling) => [spelling.name, spelling]))
}

/** A lone `-` is a value: standard input in place of a file. */
function isFlag(word: string): boolean {
  return word.startsWith('-') && word !== '-'
}

function splitFlag(word: string, spellings: ReadonlyMap<string, Spelling>): WrittenFlag {
  const [, name = '', value] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? []
  const meant = /^-[a-z](=|$)/.test(word) ? shortFor(name, spellings) : undefined
  return { name: meant ?? name.replaceAll('-', '_'), value, isShort: meant !== undefined }
}

function shortFor(letter: string, spellings: ReadonlyMap<string, Spelling>): string | undefined {
  const meant = [...spellings.values()].find(
    ({ option, namesFile }) => option.definition.short === letter && !namesFile,
  )
  return meant?.name
}

/**
 * The next word, unless it is a flag itself. The value of an unknown flag is taken too: it is not another mistake. After
 * a flag that needs no value only a word that it takes is its value: `--dry_run true`.
 */
function valueAfter(
  words: readonly string[],
  index: number,
  spelling: Spelling | undefined,
): string | undefined {
  const next = words[index + 1]
  if (next === undefined || next.startsWith('--')) return undefined
  const { withoutValue, choices = [] } = spelling?.option.definition.type ?? {}
  return withoutValue === undefined || choices.includes(next) ? next : undefined
}

function unknownFlag(word: string, name: string, known: readonly string[]): ConfigMistake {
  const written = showName(word.replace(/=.*/s, ''))
  if (known.includes(name)) {
    return { line: `${written}: write it with two dashes: ${flagOf(name)}`, about: name }
  }
  const meant = nearestName(name, known)
  return { line: `${written}: unknown option${suggestion(meant && flagOf(meant))}`, about: meant }
}

/** A word after a flag's value may be the rest of a secret: it is not shown. */
function unexpectedWord(word: string, previous: PreviousFlag | undefined): ConfigMistake {
  if (previous === undefined) return { line: `${quote(word)}: unexpected; options start with --` }
  const name = showName(previous.name)
  if (previous.type !== undefined)
    return { line: `${name}: takes ${previous.type.takes}, not ${quote(word)}` }
  return {
    line: `${name}: followed by more than one value; put quotes around a value with spaces`,
  }
}

function takenBy({ option, namesFile }: Spelling): string {
  return namesFile ? 'the path of a file' : option.definition.type.takes
}
