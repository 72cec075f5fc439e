import { expect, test } from 'vitest'
import { adoptedResourceName, resourceName } from './resource-name.ts'

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

test.each([
  ['artist', 'artists'],
  ['Customers', 'customers'],
  ['salaries', 'salaries'],
  ['status', 'statuses'],
  ['address', 'addresses'],
])('the adopted table %s is published at %s', (table, resource) => {
  expect(adoptedResourceName(table)).toBe(resource)
})
