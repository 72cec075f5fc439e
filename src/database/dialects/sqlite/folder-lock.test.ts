import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts'
import { lockFolder } from './folder-lock.ts'

test('a folder is for one at a time', async () => {
  const folder = await temporaryFolder()
  const release = lockFolder(folder.path)
  expect(release).toBeTypeOf('function')
  expect(lockFolder(folder.path)).toBeUndefined()
  release?.()
  const again = lockFolder(folder.path)
  expect(again).toBeTypeOf('function')
  again?.()
  await folder.remove()
})
