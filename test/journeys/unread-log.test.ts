/** A log that no one reads any more does not stop the program. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.ts'

const program = fileURLToPath(new URL('../../dist/bin/gatehouse.js', import.meta.url))

// What Node.js calls a pipe is a pair of sockets.
test.each(['socket', 'pipe'])(
  'a %s that takes no more of the log keeps neither requests nor the end waiting',
  async (kind) => {
    const folder = await temporaryFolder()
    onTestFinished(() => folder.remove())
    const fifo = join(folder.path, 'fifo')
    execFileSync('mkfifo', [fifo])
    const unread = openSync(fifo, 'r+')
    onTestFinished(() => closeSync(unread))
    const ports = ['--gateway_port', '0', '--front_port', '0']
    const words = [program, 'up', '--data_dir', join(folder.path, 'data'), '--log_level', 'info', ...ports]
    const child = spawn(process.execPath, words, {
      stdio: ['ignore', 'pipe', kind === 'pipe' ? unread : 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let report = ''
    for await (const piece of child.stdout ?? []) {
      report += piece.toString()
      if (/^Next .*$/m.test(report)) break
    }
    const url = /^Gateway +(\S+)$/m.exec(report)?.[1] ?? ''
    // Their lines are more than a pipe, or the stream on this side, takes.
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/${'a'.repeat(1000)}`)))
      expect(answers.every(({ status }) => status === 401)).toBe(true)
    }
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
  },
)
