import { type DatabaseOptions, openDatabase } from '../../src/database/open-database.ts'
import { encodeGlobalId } from '../../src/query/global-id.ts'
import { createTables, insertRows, portTable, tenantTable } from './sample-database.ts'

/** A port as clients see it. */
export interface SamplePort {
  readonly GlobalId: string
  readonly id: string
  readonly name: string
}

/** The two tenants; their ids are ids of ports too, as ids of two tables may be. */
const tenants = [sampleTenant('1'), sampleTenant('2')] as const

/** The tenant with the id 1. */
export const firstTenant = tenants[0]

/** The port with the id 1, which belongs to the first tenant. */
export const firstPort = samplePort(1)

/** All 25 ports, in the order of their key. */
export const ports: readonly SamplePort[] = Array.from({ length: 25 }, (_, index) => samplePort(index + 1))

/** The ports of the first tenant: every other one. */
export const portsOfFirstTenant = ports.filter((_, index) => index % 2 === 0)

/** Makes the tables of tenants and ports and puts the rows in. */
export async function createTenantsAndPorts(options: DatabaseOptions): Promise<void> {
  const database = await openDatabase(options)
  await createTables(database, [tenantTable, portTable])
  await insertRows(
    database,
    'Tenant',
    tenants.map(({ id }) => [`tenant-${id}`, id, null]),
  )
  await insertRows(
    database,
    'Port',
    ports.map(({ id, name }) => [
      portKey(Number(id)),
      id,
      name,
      1,
      null,
      null,
      Number(id) % 2 === 1 ? '1' : '2',
    ]),
  )
  await database.driver.close()
}

function sampleTenant(id: string) {
  return { GlobalId: encodeGlobalId('Tenant_', [`tenant-${id}`]), id }
}

function samplePort(number: number): SamplePort {
  return {
    GlobalId: encodeGlobalId('Port_', [portKey(number)]),
    id: String(number),
    name: `uplink-${number}`,
  }
}

function portKey(number: number): string {
  return `port-${String(number).padStart(2, '0')}`
}
