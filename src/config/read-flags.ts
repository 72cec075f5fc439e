import { nearestName } from '../util/nearest-name.ts'
import { didYouMean } from './did-you-mean.ts'
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

/** A flag as it was written, with the value beside it. */
interface WrittenFlag {
  readonly name: string
  readonly value: string | undefined
}

/** Reads `--key value` and `--key=value`; `-` may be written for `_`. */
export function readFlags(words: readonly string[], options: readonly NamedOption[]): Reading {
  const spellings = new Map(spellingsIn('flag', options).map((spelling) => [spelling.name, spelling]))
  const given = new Map<string, Given>()
  const mistakes: ConfigMistake[] = []
  let previous: string | undefined

  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    if (!word.startsWith('-')) {
      mistakes.push(unexpectedWord(word, previous))
      continue
    }
    const { name, value } = splitFlag(word)
    const spelling = spellings.get(name)
    const follower = value ?? valueAfter(words, index, spelling)
    if (value === undefined && follower !== undefined) index++
    const raw = follower ?? spelling?.option.definition.type.withoutValue
    previous = flagOf(name)

    if (spelling === undefined || !word.startsWith('--')) {
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

function splitFlag(word: string): WrittenFlag {
  const [, name = '', value] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? []
  return { name: name.replaceAll('-', '_'), value }
}

/** The next word, unless it is a flag itself. The value of an unknown flag is taken too: it is no mistake of its own. */
function valueAfter(
  words: readonly string[],
  index: number,
  spelling: Spelling | undefined,
): string | undefined {
  const next = words[index + 1]
  if (spelling?.option.definition.type.withoutValue !== undefined) return undefined
  return next === undefined || next.startsWith('--') ? undefined : next
}

function unknownFlag(word: string, name: string, known: readonly string[]): ConfigMistake {
  const written = showName(word.replace(/=.*/s, ''))
  if (known.includes(name)) {
    return { line: `${written}: write it with two dashes: ${flagOf(name)}`, about: name }
  }
  const meant = nearestName(name, known)
  return { line: `${written}: unknown option${didYouMean(meant && flagOf(meant))}`, about: meant }
}

/** A word after a flag's value may be the rest of a secret: it is not shown. */
function unexpectedWord(word: string, previous: string | undefined): ConfigMistake {
  if (previous === undefined) return { line: `${quote(word)}: unexpected; options start with --` }
  return {
    line: `${showName(previous)}: followed by more than one value; put quotes around a value with spaces`,
  }
}

function takenBy({ option, namesFile }: Spelling): string {
  return namesFile ? 'the path of a file' : option.definition.type.takes
}
