import type { AssociateVpcCidrBlockRequest, AssociateVpcCidrBlockResult } from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { formatCidr, overlaps } from '../core/cidrs/cidr.ts'
import { allocateIpv6, presentBlocks, rangesOf } from '../core/cidrs/cidr-blocks.ts'
import type { Ec2 } from '../core/context.ts'
import { find } from '../core/describe/find.ts'
import { checkLimit, invalidCombination, missingParameter } from '../core/refusals.ts'
import { operation } from '../core/requests/operation.ts'
import { addIpv6ToDefaultAcls } from '../network-acls/new-acl.ts'
import type { CidrAssociation, Vpc } from '../rows/network.ts'
import { addIpv6Egress } from '../security-groups/new-group.ts'
import { ipv4BlockView, ipv6BlockView } from './view.ts'
import { vpcRange } from './vpcs.ts'

const mostBlocks = (ec2: Ec2, vpc: Vpc, blocks: readonly CidrAssociation[]) =>
  checkLimit(presentBlocks(ec2, blocks).length, ec2.limits.cidrBlocks, () =>
    refuse(
      'CidrLimitExceeded',
      `This network '${vpc.id}' has met its maximum number of allowed CIDRs: ${ec2.limits.cidrBlocks}`,
    ),
  )

const associateIpv4 = (ec2: Ec2, vpc: Vpc, text: string): AssociateVpcCidrBlockResult => {
  const range = vpcRange(text)
  if (rangesOf(ec2, vpc.blocks).some(other => overlaps(other, range))) {
    throw refuse('InvalidVpc.Range', `The CIDR '${text}' conflicts with another CIDR block of the VPC.`)
  }
  mostBlocks(ec2, vpc, vpc.blocks)
  const block = { id: ec2.newId('vpc-cidr-assoc'), cidr: formatCidr(range), since: ec2.now }
  ec2.tables.vpcs.put({ ...vpc, blocks: [...vpc.blocks, block] })
  return { VpcId: vpc.id, CidrBlockAssociation: ipv4BlockView(ec2, block) }
}

const associateIpv6 = (
  ec2: Ec2,
  vpc: Vpc,
  input: AssociateVpcCidrBlockRequest,
): AssociateVpcCidrBlockResult => {
  mostBlocks(ec2, vpc, vpc.ipv6Blocks)
  const block = allocateIpv6(ec2, input, ec2.now)
  if (!block) throw missingParameter('cidrBlock or amazonProvidedIpv6CidrBlock')
  ec2.tables.vpcs.put({ ...vpc, ipv6Blocks: [...vpc.ipv6Blocks, block] })
  // AWS adds rules for IPv6 if those for IPv4 are unchanged (VPC user guide).
  addIpv6Egress(ec2, vpc.id)
  addIpv6ToDefaultAcls(ec2, vpc.id)
  return { VpcId: vpc.id, Ipv6CidrBlockAssociation: ipv6BlockView(ec2, block) }
}

export const vpcCidrOperations = {
  AssociateVpcCidrBlock: operation<AssociateVpcCidrBlockRequest, AssociateVpcCidrBlockResult>(
    {
      VpcId: true,
      CidrBlock: true,
      AmazonProvidedIpv6CidrBlock: true,
      Ipv6IpamPoolId: true,
      Ipv6NetmaskLength: true,
      Ipv6CidrBlock: true,
    },
    (input, ec2) => {
      const vpc = find(ec2, 'vpcs', input.VpcId)
      if (input.CidrBlock === undefined) return associateIpv6(ec2, vpc, input)
      if (input.AmazonProvidedIpv6CidrBlock || input.Ipv6IpamPoolId !== undefined) {
        throw invalidCombination('Only one of cidrBlock and an IPv6 CIDR block can be associated at a time.')
      }
      return associateIpv4(ec2, vpc, input.CidrBlock)
    },
  ),
}
