import { execFile } from 'node:child_process'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { startProgram } from '../../support/start-program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

// Each of its twenty commands starts a process.
test('each command of the page on administration does what the page says', { timeout: 300_000 }, async () => {
  const folder = await temporaryFolder()
  onTestFinished(folder.remove)
  const program = await startProgram(join(folder.path, 'data'))
  onTestFinished(async () => {
    await program.stop('SIGTERM')
  })
  const markdown = await readFile(join(root, 'docs/administration.md'), 'utf8')
  const shown = (label: string) => new RegExp(`^  ${label} +(\\S+)$`, 'm').exec(program.report)?.[1] ?? ''
  await cp(join(root, 'examples'), join(folder.path, 'examples'), { recursive: true })
  await writeFile(join(folder.path, 'password.txt'), `${shown('password')}\n`)
  await writeFile(join(folder.path, 'api-key.txt'), `${shown('API key')}\n`)

  const [settings = '', ...blocks] = blocksOf(markdown, 'sh')
  const declarations = blocksOf(markdown, 'yaml').find((block) => block.startsWith('roles:')) ?? ''
  // The page looks around before it makes the account that it looks at.
  const [look = '', ...rest] = blocks
  const makes = rest.find((block) => block.includes('account create')) ?? ''
  const others = rest.filter((block) => block !== makes)
  const script = [
    'set -e',
    `gatehouse() { echo "> $*"; '${process.execPath}' '${join(root, 'dist/bin/gatehouse.js')}' "$@"; }`,
    settings,
    `export GATEHOUSE_URL=${program.url}`,
    makes,
    look,
    ...others.slice(0, -1),
    'mkdir -p access/secrets',
    "echo 'a long pass phrase' > access/secrets/robin",
    `cat > access/access.yaml <<'END'\n${declarations}\nEND`,
    'gatehouse account delete robin',
    others.at(-1),
  ].join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: folder.path })
  const answers = stdout.split(/^> .*\n/m).slice(1)
  const commands = [...stdout.matchAll(/^> (.*)$/gm)].map(([, words]) => words)
  const answerTo = (command: string) => answers[commands.indexOf(command)] ?? `“${command}” was not run`
  expect(answerTo('account create robin --role reader --expire_days 30')).toMatch(
    /^username: robin\n[\s\S]*api_key: ghk_\S+\npassword: \S+\n$/,
  )
  expect(answerTo('explain-access robin GET /apis/ports')).toMatch(/^Allowed\. The role "reader" allows it/)
  expect(JSON.parse(answerTo('account list --json'))).toHaveLength(2)
  expect(answerTo('key list robin')).toMatch(/^NAME .*\nci-2027 .* never\ndefault .* never +never\n$/)
  expect(answerTo('key delete robin default')).toBe('The API key “default” of “robin” has ended.\n')
  expect(answerTo('entity apply examples/tenants-and-ports.json')).toBe('Uploaded: Tenant, Port.\n')
  expect(answerTo('apply -f ./access --dry-run')).toMatch(
    /^ +KIND .*\nunchanged +role +reader\ncreate +account +robin\ncreate +route +open-tenants\n\n2 to create, 1 unchanged\n\nNothing was changed\.\n$/,
  )
  expect(answerTo('apply -f ./access --keys_file keys.jsonl')).toMatch(
    /2 records are done\. The secrets of new accounts are in "keys\.jsonl"\.\n$/,
  )
})

function blocksOf(markdown: string, language: string): readonly string[] {
  return [...markdown.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)\n\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )
}
