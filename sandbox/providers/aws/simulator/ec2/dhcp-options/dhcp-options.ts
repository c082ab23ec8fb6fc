import type {
  AssociateDhcpOptionsRequest,
  CreateDhcpOptionsRequest,
  CreateDhcpOptionsResult,
  DeleteDhcpOptionsRequest,
  DescribeDhcpOptionsRequest,
  DescribeDhcpOptionsResult,
  DhcpOptions as DhcpOptionsOut,
} from '@aws-sdk/client-ec2'
import type { Ec2 } from '../core/context.ts'
import type { FilterFields } from '../core/describe/filter.ts'
import { find } from '../core/describe/find.ts'
import { listRows } from '../core/describe/list.ts'
import { hasDependencies } from '../core/refusals.ts'
import { acceptsTags } from '../core/requests/accepts.ts'
import { operation } from '../core/requests/operation.ts'
import type { DhcpOptions } from '../rows/network.ts'
import { newTags, tagsOut } from '../tags/tag-rules.ts'

const view = (row: DhcpOptions, ec2: Ec2): DhcpOptionsOut => ({
  OwnerId: ec2.accountId,
  DhcpOptionsId: row.id,
  DhcpConfigurations: row.configurations.map(({ key, values }) => ({
    Key: key,
    Values: values.map(Value => ({ Value })),
  })),
  Tags: tagsOut(row.tags),
})

const fields = (ec2: Ec2): FilterFields<DhcpOptions> => ({
  'dhcp-options-id': row => row.id,
  key: row => row.configurations.map(({ key }) => key),
  value: row => row.configurations.flatMap(({ values }) => values),
  'owner-id': () => ec2.accountId,
})

export const dhcpOptionsOperations = {
  CreateDhcpOptions: operation<CreateDhcpOptionsRequest, CreateDhcpOptionsResult>(
    { DhcpConfigurations: { Key: true, Values: true }, TagSpecifications: acceptsTags },
    (input, ec2) => {
      const configurations = (input.DhcpConfigurations ?? []).map(({ Key = '', Values = [] }) => {
        return { key: Key, values: Values }
      })
      const tags = newTags(input.TagSpecifications, 'dhcp-options')
      const row: DhcpOptions = { ...ec2.newResource('dopt', tags), configurations }
      ec2.tables.dhcpOptions.put(row)
      return { DhcpOptions: view(row, ec2) }
    },
  ),
  DescribeDhcpOptions: operation<DescribeDhcpOptionsRequest, DescribeDhcpOptionsResult>(
    { DhcpOptionsIds: true, Filters: true, MaxResults: true, NextToken: true },
    (input, ec2) => {
      const { items, next } = listRows(ec2, 'dhcpOptions', fields(ec2), {
        ...input,
        ids: input.DhcpOptionsIds,
        idsName: 'dhcpOptionsIds',
        filters: input.Filters,
      })
      return { DhcpOptions: items.map(row => view(row, ec2)), NextToken: next }
    },
  ),
  DeleteDhcpOptions: operation<DeleteDhcpOptionsRequest, object>({ DhcpOptionsId: true }, (input, ec2) => {
    const row = find(ec2, 'dhcpOptions', input.DhcpOptionsId)
    if (ec2.tables.vpcs.by('dhcp-options-id', row.id).length > 0) {
      throw hasDependencies('dhcpOptions', row.id)
    }
    ec2.tables.dhcpOptions.remove(row.id)
    return {}
  }),
  AssociateDhcpOptions: operation<AssociateDhcpOptionsRequest, object>(
    { DhcpOptionsId: true, VpcId: true },
    (input, ec2) => {
      const vpc = find(ec2, 'vpcs', input.VpcId)
      // `default` means no options for the VPC's instances.
      const dhcpOptionsId =
        input.DhcpOptionsId === 'default' ? 'default' : find(ec2, 'dhcpOptions', input.DhcpOptionsId).id
      ec2.tables.vpcs.put({ ...vpc, dhcpOptionsId })
      return {}
    },
  ),
}
