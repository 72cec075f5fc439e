import { readFileSync } from 'node:fs'
import { runProgram } from '../../src/bin/program.ts'
import { recordedInvocation } from './recorded-invocation.ts'
import type { TestGateway } from './test-gateway.ts'

/** How a command ended, and what it wrote. */
export interface CommandOutcome {
  readonly exitCode: number
  readonly output: string
  readonly errors: string
}

/** Runs a command of the program, as its administrator on a gateway where one is given. Files are real ones. */
export async function runCommand(
  words: readonly string[],
  gateway?: Pick<TestGateway, 'url' | 'apiKey' | 'password'>,
  environment: Readonly<Record<string, string>> = {},
): Promise<CommandOutcome> {
  const { output, errors, ...invocation } = recordedInvocation(...words)
  const client = gateway && {
    GATEHOUSE_URL: gateway.url,
    GATEHOUSE_USERNAME: 'admin',
    GATEHOUSE_PASSWORD: gateway.password,
    GATEHOUSE_API_KEY: gateway.apiKey,
  }
  const exitCode = await runProgram({
    ...invocation,
    environment: { ...client, ...environment },
    readText: (path) => readFileSync(path, 'utf8'),
  })
  return { exitCode, output: output.join('\n'), errors: errors.join('\n') }
}
