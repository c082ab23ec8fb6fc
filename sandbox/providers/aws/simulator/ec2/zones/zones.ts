import type { DescribeAvailabilityZonesRequest, DescribeAvailabilityZonesResult } from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import { conditionsOf, type FilterFields, fulfils } from '../core/describe/filter.ts'
import { invalidValue } from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import type { Ec2Tag } from '../rows/resource.ts'
import { regionEntry, type ZoneEntry, zonesOf } from './catalogue.ts'

type ZoneRow = ZoneEntry & { readonly tags: readonly Ec2Tag[] }

const zoneFields = (ec2: Ec2): FilterFields<ZoneRow> => ({
  'group-name': () => ec2.region,
  'opt-in-status': () => 'opt-in-not-required',
  'region-name': () => ec2.region,
  state: () => 'available',
  'zone-id': row => row.id,
  'zone-name': row => row.name,
  'zone-type': () => 'availability-zone',
})

export const zoneOperations = {
  DescribeAvailabilityZones: operation<DescribeAvailabilityZonesRequest, DescribeAvailabilityZonesResult>(
    { ZoneNames: true, ZoneIds: true, AllAvailabilityZones: true, Filters: true },
    (input, ec2) => {
      const rows = zonesOf(ec2.region).map(zone => ({ ...zone, tags: [] }))
      const named = [...(input.ZoneNames ?? []), ...(input.ZoneIds ?? [])]
      const missing = named.find(name => !rows.some(row => row.name === name || row.id === name))
      if (missing !== undefined) throw invalidValue(`Invalid availability zone: [${missing}]`)
      const conditions = conditionsOf(input.Filters, zoneFields(ec2))
      return {
        AvailabilityZones: rows
          .filter(row => named.length === 0 || named.includes(row.name) || named.includes(row.id))
          .filter(row => fulfils(row, conditions, zoneFields(ec2)))
          .map(row => ({
            ZoneName: row.name,
            ZoneId: row.id,
            RegionName: ec2.region,
            GroupName: `${ec2.region}-zg-1`,
            GroupLongName: `${regionEntry(ec2.region).geography} 1`,
            NetworkBorderGroup: ec2.region,
            ZoneType: 'availability-zone',
            OptInStatus: 'opt-in-not-required',
            State: 'available',
            Messages: [],
          })),
      }
    },
  ),
}
