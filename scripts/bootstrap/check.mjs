import { projectPath } from './project.mjs'
import { run, tool, wasInterrupted } from './run-command.mjs'

/** Everything that `npm run check` looks at, each with what to do when it fails. Gives the exit code. */
export async function check() {
  const checks = [
    ['types', [tool('typescript', 'tsc'), '-p', projectPath('tsconfig.json')], 'Mend the types.'],
    ...['graphiql', 'docs'].map((page) => [
      `types of the page "${page}"`,
      [tool('typescript', 'tsc'), '-p', projectPath(`console/${page}/tsconfig.json`)],
      'Mend the types.',
    ]),
    [
      'types of the console',
      [tool('typescript', 'tsc'), '-p', projectPath('console/app/tsconfig.json')],
      'Mend the types.',
    ],
    [
      'types of the client for browsers',
      [tool('typescript', 'tsc'), '-p', projectPath('browser/tsconfig.json')],
      'Mend the types.',
    ],
    [
      'format and lint',
      [tool('@biomejs/biome', 'biome'), 'check', '--error-on-warnings', projectPath('.')],
      'Try npm run format.',
    ],
    ['layers and cycles', [projectPath('scripts/check-layers.ts')], 'ARCHITECTURE.md has the rules.'],
    [
      'product and framework names',
      [projectPath('scripts/check-names.ts')],
      'ARCHITECTURE.md has the rules.',
    ],
    [
      'generated pages',
      [projectPath('scripts/generate-reference.ts'), '--check'],
      'Run node scripts/generate-reference.ts.',
    ],
    [
      'documents',
      [projectPath('scripts/check-documents.ts')],
      'They name files, folders, links and layers as they are.',
    ],
    ['unused code', [tool('knip')], 'Delete what nobody uses.'],
  ]
  const failed = []
  for (const [name, command, advice] of checks) {
    const code = await run(process.execPath, command, { cwd: projectPath('.') })
    if (wasInterrupted(code)) return code
    if (code !== 0) failed.push(`${name}: failed. ${advice}`)
  }
  for (const line of failed) console.error(line)
  console.error(
    failed.length === 0
      ? `All ${checks.length} checks passed.`
      : `${failed.length} of ${checks.length} checks failed.`,
  )
  return failed.length === 0 ? 0 : 1
}
