import type { AttributeBooleanValue, ModifySubnetAttributeRequest } from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { rangesOf } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { operation } from '../core/requests/operation.ts'
import type { Subnet } from '../rows/network.ts'

const given = (value: AttributeBooleanValue | undefined): boolean | undefined => value?.Value

/** Returns the row with the one attribute changed that the request sets. */
const changed = (row: Subnet, input: ModifySubnetAttributeRequest): Subnet => ({
  ...row,
  mapPublicIp: given(input.MapPublicIpOnLaunch) ?? row.mapPublicIp,
  assignIpv6: given(input.AssignIpv6AddressOnCreation) ?? row.assignIpv6,
  dns64: given(input.EnableDns64) ?? row.dns64,
  hostnameType: input.PrivateDnsHostnameTypeOnLaunch ?? row.hostnameType,
  aRecord: given(input.EnableResourceNameDnsARecordOnLaunch) ?? row.aRecord,
  aaaaRecord: given(input.EnableResourceNameDnsAAAARecordOnLaunch) ?? row.aaaaRecord,
})

const check = (ec2: Ec2, row: Subnet, input: ModifySubnetAttributeRequest): void => {
  const { SubnetId } = input
  const blocks = rangesOf(ec2, row.ipv6Blocks)
  const wantsIpv6 =
    given(input.AssignIpv6AddressOnCreation) ||
    given(input.EnableDns64) ||
    given(input.EnableResourceNameDnsAAAARecordOnLaunch)
  if (wantsIpv6 && blocks.length === 0) {
    throw refuse(
      'InvalidParameterValue',
      `Invalid value for subnet attribute. Subnet ${SubnetId} does not have an IPv6 CIDR block associated.`,
    )
  }
}

export const subnetAttributeOperations = {
  ModifySubnetAttribute: operation<ModifySubnetAttributeRequest, object>(
    {
      SubnetId: true,
      MapPublicIpOnLaunch: true,
      AssignIpv6AddressOnCreation: true,
      EnableDns64: true,
      PrivateDnsHostnameTypeOnLaunch: true,
      EnableResourceNameDnsARecordOnLaunch: true,
      EnableResourceNameDnsAAAARecordOnLaunch: true,
    },
    (input, ec2) => {
      const row = find(ec2, 'subnets', input.SubnetId)
      check(ec2, row, input)
      ec2.tables.subnets.put(changed(row, input))
      return {}
    },
  ),
}
