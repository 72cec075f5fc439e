/** The documents about errors: one for each code of the catalogue, and their list. */
import { AppError } from '../../src/errors/app-error.ts'
import { type ErrorCode, type ErrorKind, errorKinds } from '../../src/errors/errors.ts'
import { problemOf } from '../../src/http/problem.ts'
import { answersProblems } from './answers.ts'
import { callersProblems } from './callers.ts'
import { documentsProblems } from './documents.ts'
import type { ProblemPage } from './problem-page.ts'
import { requestsProblems } from './requests.ts'
import { serverProblems } from './server.ts'

/** The compiler requires a page for each code. */
const problemPages: Readonly<Record<ErrorCode, ProblemPage>> = {
  ...requestsProblems,
  ...callersProblems,
  ...documentsProblems,
  ...answersProblems,
  ...serverProblems,
}

/** The documents by their file names, each after `head`. */
export function problemDocuments(head: string): Readonly<Record<string, string>> {
  const codes = Object.keys(errorKinds) as ErrorCode[]
  const pages = codes.map((code) => [fileOf(code), `${head}\n\n${documentOf(code)}`] as const)
  return { ...Object.fromEntries(pages), 'README.md': `${head}\n\n${listOf(codes)}` }
}

/** The file of a code: `token-missing.md`. */
export function fileOf(code: string): string {
  return `${code.toLowerCase().replaceAll('_', '-')}.md`
}

function documentOf(code: ErrorCode): string {
  const kind: ErrorKind = errorKinds[code]
  const { why, fix, detail } = problemPages[code]
  const example = problemOf(
    new AppError(code, detail === undefined ? {} : { detail }),
    '0a1b2c3d-1111-4222-8333-444455556666',
  )
  return `# ${code}

${kind.title} The status is ${kind.status}.

**Why it comes.** ${why}

**What to do.** ${fix}

\`\`\`json
${JSON.stringify(example, undefined, 2)}
\`\`\`

[All errors](../reference/errors.md)
`
}

function listOf(codes: readonly ErrorCode[]): string {
  const rows = codes.map((code) => `- [${code}](${fileOf(code)}): ${errorKinds[code].title}`)
  return `# Problems\n\nEach error of Gatehouse has a page; \`type\` of a problem document leads to it.\n\n${rows.join('\n')}\n`
}
