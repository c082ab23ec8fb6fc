import type {
  AssociateVpcCidrBlockRequest,
  AssociateVpcCidrBlockResult,
  DisassociateVpcCidrBlockRequest,
  DisassociateVpcCidrBlockResult,
} from '@aws-sdk/client-ec2'
import { refuse } from '../../service.ts'
import { formatCidr, overlaps, parseCidr } from '../core/cidrs/cidr.ts'
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

/** Returns true if a subnet of the VPC uses addresses of the block. */
const isUsed = (ec2: Ec2, vpc: Vpc, block: CidrAssociation): boolean => {
  const range = parseCidr(block.cidr)
  return ec2.tables.subnets
    .by('vpc-id', vpc.id)
    .flatMap(subnet => [
      ...rangesOf(ec2, subnet.ipv6Blocks),
      ...(subnet.cidr === undefined ? [] : [parseCidr(subnet.cidr)]),
    ])
    .some(other => range !== undefined && other !== undefined && overlaps(range, other))
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
  DisassociateVpcCidrBlock: operation<DisassociateVpcCidrBlockRequest, DisassociateVpcCidrBlockResult>(
    { AssociationId: true },
    (input, ec2) => {
      const id = input.AssociationId
      const isOpen = (block: CidrAssociation) => block.id === id && block.until === undefined
      const vpc = ec2.tables.vpcs.all().find(row => [...row.blocks, ...row.ipv6Blocks].some(isOpen))
      if (!vpc) {
        throw refuse(
          'InvalidVpcCidrBlockAssociationID.NotFound',
          `The vpc CIDR block association ID '${id}' does not exist`,
        )
      }
      if (vpc.blocks[0]?.id === id) {
        throw refuse(
          'OperationNotPermitted',
          `The vpc CIDR block with association ID ${id} may not be disassociated. It is the primary IPv4 CIDR block of the VPC`,
        )
      }
      const [block] = [...vpc.blocks, ...vpc.ipv6Blocks].filter(isOpen)
      if (block && isUsed(ec2, vpc, block)) {
        throw refuse(
          'InvalidCidrBlock.InUse',
          `The vpc ${vpc.id} currently has a subnet within CIDR block ${block.cidr}`,
        )
      }
      const end = <Block extends CidrAssociation>(blocks: readonly Block[]): readonly Block[] =>
        blocks.map(other => (isOpen(other) ? { ...other, until: ec2.now } : other))
      const changed: Vpc = { ...vpc, blocks: end(vpc.blocks), ipv6Blocks: end(vpc.ipv6Blocks) }
      ec2.tables.vpcs.put(changed)
      const ipv4 = changed.blocks.find(other => other.id === id)
      const ipv6 = changed.ipv6Blocks.find(other => other.id === id)
      return {
        VpcId: vpc.id,
        ...(ipv4 ? { CidrBlockAssociation: ipv4BlockView(ec2, ipv4) } : {}),
        ...(ipv6 ? { Ipv6CidrBlockAssociation: ipv6BlockView(ec2, ipv6) } : {}),
      }
    },
  ),
}
