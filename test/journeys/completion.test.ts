/** Completion scripts, read by the shells that they are for. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../support/run-command.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

let folder = ''
beforeAll(async () => {
  const made = await temporaryFolder()
  folder = made.path
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { exitCode, output, errors } = await runCommand(['completion', shell])
    expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: '' })
    await writeFile(join(folder, `gatehouse.${shell}`), output)
  }
  await writeFile(join(folder, 'roles one.yaml'), '')
  await mkdir(join(folder, 'roles'))
  return () => made.remove()
})

/** What is offered after the words, of which the last one is being written. */
const completers: Readonly<Record<string, (...words: readonly string[]) => readonly string[]>> = {
  bash: (...words) =>
    linesOf('bash', [
      '-c',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: bash reads it
      'source ./gatehouse.bash; COMP_WORDS=(gatehouse "$@"); COMP_CWORD=$#; compopt() { :; }; _gatehouse; printf "%s\\n" "${COMPREPLY[@]}"',
      'bash',
      ...words,
    ]),
  zsh: (...words) =>
    linesOf('zsh', [
      '-fc',
      `compdef() { :; }; compadd() { shift; print -l -- "$@"; }; _files() { print -l -- *; }
source ./gatehouse.zsh; words=(gatehouse "$@"); CURRENT=\${#words}; _gatehouse; true`,
      'zsh',
      ...words,
    ]).filter((word) => word.startsWith(words.at(-1) ?? '')),
  fish: (...words) =>
    linesOf('fish', [
      '--no-config',
      '-c',
      `source ./gatehouse.fish; complete -C 'gatehouse ${words.join(' ')}'`,
    ]).map((line) => (line.split('\t')[0] ?? '').replace(/\/$/, '')),
}

function linesOf(shell: string, words: readonly string[]): readonly string[] {
  const text = execFileSync(shell, words, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, HOME: folder },
  })
  return text.split('\n').filter((line) => line !== '')
}

const verbs = ['list', 'show', 'create', 'update', 'delete']

describe.each(Object.entries(completers))('%s', (shell, complete) => {
  const isMissing = spawnSync(shell, ['-c', 'true']).status !== 0

  test.skipIf(isMissing)('commands, their words, flags, choices and files', () => {
    const offered = (...words: readonly string[]) => [...complete(...words)].sort()
    expect(offered('explain')).toEqual(['explain-access'])
    expect(offered('')).toEqual(expect.arrayContaining(['up', 'role', 'completion', 'help', 'version']))
    expect(offered('role', '')).toEqual([...verbs].sort())
    expect(offered('help', 'acc')).toEqual(['account'])
    expect(offered('check-config', '')).toEqual(['front', 'gateway', 'schema', 'up'])
    expect(offered('role', 'delete', '--y')).toEqual(['--yes'])
    expect(offered('role', 'show', '--y')).toEqual([])
    expect(offered('role', 'delete', 'reader', '--j')).toEqual(['--json'])
    expect(offered('gateway', '--db_product', '')).toEqual(['mysql', 'postgresql', 'sqlite'])
    expect(offered('route', 'create', 'shop', '--scope', 'pu')).toEqual(['public'])
    expect(offered('account', 'create', 'robin', '--role', '')).toEqual([])
    expect(offered('up', '--data_dir', 'rol').map((name) => name.replaceAll('\\', ''))).toEqual([
      'roles',
      'roles one.yaml',
    ])
    expect(offered('entity', 'plan', 'rol').map((name) => name.replaceAll('\\', ''))).toEqual([
      'roles',
      'roles one.yaml',
    ])
  })
})

test('another shell is refused', async () => {
  expect(await runCommand(['completion', 'tcsh'])).toEqual({
    exitCode: 2,
    output: '',
    errors: 'completion: takes bash, zsh, fish, not "tcsh"',
  })
})
