import type { AssignIpv6AddressesRequest, AssignIpv6AddressesResult } from '@aws-sdk/client-ec2'
import { formatAddress, formatCidr, parseAddress, parseCidr } from '../core/cidrs/cidr.ts'
import { rangesOf } from '../core/cidrs/cidr-blocks.ts'
import { find } from '../core/describe/find.ts'
import { invalidCombination, invalidParameter, invalidValue, missingParameter } from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import { freeIpv6, isInSubnet } from '../subnets/free-addresses.ts'
import { checkOwn } from './interfaces.ts'
import { ipv6PrefixesFor } from './new-interface.ts'

const canonical = (text: string): string => {
  const parsed = parseAddress(text)
  if (parsed?.family !== 6) throw invalidParameter('ipv6Addresses', text, 'It is no IPv6 address.')
  return formatAddress(6, parsed.address)
}

/** Prefixes of interfaces are /80 ("Assign prefixes to network interfaces", EC2 user guide). */
const canonicalPrefix = (text: string): string => {
  const parsed = parseCidr(text)
  if (parsed?.family !== 6 || parsed.prefix !== 80) {
    throw invalidParameter('ipv6Prefixes', text, 'It is no /80 range of IPv6 addresses.')
  }
  return formatCidr(parsed)
}

export const interfaceIpv6Operations = {
  AssignIpv6Addresses: operation<AssignIpv6AddressesRequest, AssignIpv6AddressesResult>(
    {
      NetworkInterfaceId: true,
      Ipv6AddressCount: true,
      Ipv6Addresses: true,
      Ipv6PrefixCount: true,
      Ipv6Prefixes: true,
    },
    (input, ec2) => {
      const row = find(ec2, 'networkInterfaces', input.NetworkInterfaceId)
      checkOwn(row)
      const subnet = find(ec2, 'subnets', row.subnetId)
      const named = (input.Ipv6Addresses ?? []).map(canonical)
      const namedPrefixes = (input.Ipv6Prefixes ?? []).map(canonicalPrefix)
      const { Ipv6AddressCount: count = 0, Ipv6PrefixCount: prefixCount = 0 } = input
      if (named.length > 0 && count > 0) {
        throw invalidCombination('Only one of ipv6Addresses and ipv6AddressCount may be specified.')
      }
      if (named.length + namedPrefixes.length + count + prefixCount === 0) {
        throw missingParameter('ipv6Addresses or ipv6AddressCount')
      }
      const others = ec2.tables.networkInterfaces.by('subnet-id', subnet.id)
      for (const address of named) {
        if (!isInSubnet(subnet, address)) {
          throw invalidParameter('ipv6Addresses', address, 'It is not within the subnet’s range.')
        }
        if (others.some(({ ipv6 }) => ipv6.includes(address))) {
          throw invalidValue(`The IPv6 address ${address} is already assigned.`)
        }
      }
      if (count > 0 && rangesOf(ec2, subnet.ipv6Blocks).length === 0) {
        throw invalidValue(`The subnet ${subnet.id} does not have an IPv6 CIDR block associated with it.`)
      }
      const addresses = [...named, ...freeIpv6(ec2, subnet, count)]
      const prefixes = ipv6PrefixesFor(ec2, subnet, namedPrefixes, prefixCount)
      ec2.tables.networkInterfaces.put({
        ...row,
        ipv6: [...row.ipv6, ...addresses],
        ipv6Prefixes: [...row.ipv6Prefixes, ...prefixes],
      })
      return {
        NetworkInterfaceId: row.id,
        AssignedIpv6Addresses: addresses,
        AssignedIpv6Prefixes: [...prefixes],
      }
    },
  ),
}
