import type {
  AssociateSubnetCidrBlockRequest,
  AssociateSubnetCidrBlockResult,
  DisassociateSubnetCidrBlockRequest,
  DisassociateSubnetCidrBlockResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { contains, formatCidr, parseAddress, parseCidr } from '../core/cidrs/cidr.ts'
import { orderedFailure, rangesOf } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { missingParameter } from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import type { CidrAssociation, Subnet } from '../rows/network.ts'
import { ipv6Range } from './subnets.ts'
import { subnetBlockView } from './view.ts'

const hasAddressesOf = (ec2: Ec2, subnet: Subnet, block: CidrAssociation): boolean => {
  const range = parseCidr(block.cidr)
  return ec2.tables.networkInterfaces
    .by('subnet-id', subnet.id)
    .flatMap(({ ipv6 }) => ipv6)
    .some(text => {
      const address = parseAddress(text)
      return range !== undefined && address !== undefined && contains(range, { ...address, prefix: 128 })
    })
}

export const subnetCidrOperations = {
  AssociateSubnetCidrBlock: operation<AssociateSubnetCidrBlockRequest, AssociateSubnetCidrBlockResult>(
    { SubnetId: true, Ipv6CidrBlock: true },
    (input, ec2) => {
      const subnet = find(ec2, 'subnets', input.SubnetId)
      if (input.Ipv6CidrBlock === undefined) throw missingParameter('ipv6CidrBlock')
      if (rangesOf(ec2, subnet.ipv6Blocks).length > 0) {
        throw refuse(
          'SubnetIpv6CidrLimitExceeded',
          `The subnet ${subnet.id} already has an IPv6 CIDR block associated.`,
        )
      }
      const range = ipv6Range(ec2, find(ec2, 'vpcs', subnet.vpcId), input.Ipv6CidrBlock)
      const block = {
        id: ec2.newId('subnet-cidr-assoc'),
        cidr: formatCidr(range),
        since: ec2.now,
        ...orderedFailure(ec2, 'subnet'),
      }
      ec2.tables.subnets.put({ ...subnet, ipv6Blocks: [...subnet.ipv6Blocks, block] })
      return { SubnetId: subnet.id, Ipv6CidrBlockAssociation: subnetBlockView(ec2, block) }
    },
  ),
  DisassociateSubnetCidrBlock: operation<
    DisassociateSubnetCidrBlockRequest,
    DisassociateSubnetCidrBlockResult
  >({ AssociationId: true }, (input, ec2) => {
    const isOpen = ({ id, until }: CidrAssociation) => id === input.AssociationId && until === undefined
    const subnet = ec2.tables.subnets.all().find(({ ipv6Blocks }) => ipv6Blocks.some(isOpen))
    const block = subnet?.ipv6Blocks.find(isOpen)
    if (!subnet || !block) {
      throw refuse(
        'InvalidSubnetCidrBlockAssociationID.NotFound',
        `The subnet CIDR block with association ID '${input.AssociationId}' does not exist`,
      )
    }
    if (hasAddressesOf(ec2, subnet, block)) {
      throw refuse('InvalidCidrBlock.InUse', `The CIDR block ${block.cidr} of subnet ${subnet.id} is in use.`)
    }
    const ended = { ...block, until: ec2.now }
    const ipv6Blocks = subnet.ipv6Blocks.map(other => (isOpen(other) ? ended : other))
    ec2.tables.subnets.put({ ...subnet, ipv6Blocks, assignIpv6: false, dns64: false, aaaaRecord: false })
    return { SubnetId: subnet.id, Ipv6CidrBlockAssociation: subnetBlockView(ec2, ended) }
  }),
}
