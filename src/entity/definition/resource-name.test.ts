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
  ['Person', 'people'],
  ['SalesPerson', 'salesPeople'],
  ['sales_person', 'sales_people'],
  ['PERSON', 'pEOPLE'],
  ['News', 'news'],
  ['Data', 'data'],
  ['UserData', 'userData'],
  ['Metadata', 'metadata'],
  ['Series', 'series'],
  ['TimeSeries', 'timeSeries'],
  ['Analysis', 'analyses'],
  ['Child', 'children'],
  ['Status', 'statuses'],
  ['Address', 'addresses'],
  ['Equipment', 'equipment'],
  ['OrderID', 'orderIDs'],
  ['Port2', 'port2s'],
])('%s is published at /apis/%s', (entity, resource) => {
  expect(resourceName(entity)).toBe(resource)
})

test.each([
  ['artist', 'artists'],
  ['Customers', 'customers'],
  ['salaries', 'salaries'],
  ['users', 'users'],
  ['people', 'people'],
  ['status', 'statuses'],
])('the table %s, in the plural or not, is published at /apis/%s', (table, resource) => {
  expect(resourceName(table)).toBe(resource)
})
