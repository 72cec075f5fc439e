import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { projectPath } from './project.mjs'

const lock = projectPath('.node/lock')
const beat = 1_000
const deadAfter = 5_000

/**
 * Does what `isNeeded` asks for, one process at a time: who waited looks again whether it is still needed.
 * The one at work touches the lock every second, so that what an ended process left behind is noticed.
 */
export async function whenNeeded(isNeeded, work) {
  if (!isNeeded()) return
  await take()
  const heart = setInterval(touch, beat)
  try {
    if (isNeeded()) await work()
  } finally {
    clearInterval(heart)
    if (isOurs()) rmSync(lock, { force: true })
  }
}

async function take() {
  mkdirSync(projectPath('.node'), { recursive: true })
  const start = Date.now()
  let told = false
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
      return
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (age() > deadAfter) discard()
    if (!told && Date.now() - start > deadAfter) {
      console.error('Waiting for another run of this script …')
      told = true
    }
    await wait(100)
  }
}

/** Milliseconds since the one at work gave a sign of life. */
function age() {
  try {
    return Date.now() - statSync(lock).mtimeMs
  } catch {
    return 0
  }
}

/** Renaming is for one only: of several that find a dead lock, the others find none. */
function discard() {
  const dead = `${lock}.${process.pid}`
  try {
    renameSync(lock, dead)
  } catch {
    return
  }
  rmSync(dead, { force: true })
}

function touch() {
  if (isOurs()) utimesSync(lock, new Date(), new Date())
}

function isOurs() {
  try {
    return readFileSync(lock, 'utf8') === String(process.pid)
  } catch {
    return false
  }
}
