import { expect, test } from 'vitest'
import { resourceName } from './resource-name.ts'

test.each([
  ['Port', 'ports'],
  ['Policy', 'policies'],
  ['Bus', 'buses'],
  ['Key', 'keys'],
  ['Switch', 'switches'],
  ['Box', 'boxes'],
  ['VirtualMachine', 'virtualMachines'],
  ['port', 'ports'],
])('%s is published at /apis/%s', (entity, resource) => {
  expect(resourceName(entity)).toBe(resource)
})
