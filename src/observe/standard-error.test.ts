import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { writeWithoutWaiting } from './standard-error.ts'

test('lines that a stopped reader leaves waiting are bounded, and those that were dropped are counted', async () => {
  const written: string[] = []
  let goOn: (() => void) | undefined
  const stream = new Writable({
    decodeStrings: false,
    write(line, _encoding, done) {
      written.push(line)
      if (line === 'stop\n') goOn = done
      else done()
    },
  })
  const log = writeWithoutWaiting(stream, 10)
  log.write('a\n')
  log.write('stop\n')
  for (let number = 0; number < 9; number += 1) log.write(`${number}\n`)
  expect(written).toEqual(['a\n', 'stop\n'])
  goOn?.()
  await log.flush()
  log.write('z\n')
  expect(written.slice(2)).toEqual([
    '0\n',
    '1\n',
    '2\n',
    expect.stringMatching(/"kind":"LogLinesDropped","lines":6,/),
    'z\n',
  ])
})
