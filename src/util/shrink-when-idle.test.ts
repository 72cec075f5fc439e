import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const program = fileURLToPath(new URL('../../test/support/idle-process.ts', import.meta.url))

test('V8 takes a process that does nothing for idle, and collects what no one needs any more', async () => {
  const child = spawn(process.execPath, ['--trace-memory-reducer', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text
    if (output.includes('low alloc') && output.includes('collected')) break
  }
  expect(output).toContain('Memory reducer: low alloc')
  expect(output).toContain('collected')
})
