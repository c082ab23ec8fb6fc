import {
  DescribeDhcpOptionsCommand,
  DescribeRouteTablesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  DescribeVpcsCommand,
} from '@aws-sdk/client-ec2'
import { GetRoleCommand } from '@aws-sdk/client-iam'
import type { State } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import { errorKindOf } from '../error-kind-of.ts'
import { foreignKey, roleNameKey } from '../identity/recorded.ts'
import { subnetKinds } from '../network/subnets/subnet-kinds.ts'
import { zoneKey } from '../state.ts'

/** Something that the state recorded before the deletion began: AWS has to say that it is gone. */
export interface Witness {
  readonly key: string
  readonly id: string
}

/** No VPC has this id: AWS says of it, too, that it does not exist. */
const noVpc: Witness = { key: '', id: 'vpc-00000000000000000' }

/** What goes with the shoot and has an id of its own, what goes last first. */
export const chooseWitness = (desired: DesiredInfrastructure, state: State): Witness => {
  const { vpc, zones, nodesSecurityGroup } = desired
  const keys = [
    ...(vpc.kind === 'managed' ? ['VPC', 'DHCPOptions'] : []),
    ...(nodesSecurityGroup === undefined ? ['NodesSecurityGroup'] : []),
    ...(zones.kind === 'managed'
      ? ['MainRouteTable', ...zones.zones.map(({ name }) => zoneKey(name, subnetKinds.public.stateKey))]
      : []),
    ...(state[foreignKey(roleNameKey)] === undefined ? [roleNameKey] : []),
  ]
  const [key] = keys.filter(each => state[each] !== undefined)
  return key === undefined ? noVpc : { key, id: state[key] ?? '' }
}

export const formatWitness = ({ key, id }: Witness): string => `${key} ${id}`

export const parseWitness = (text: string): Witness => {
  const at = text.indexOf(' ')
  return { key: text.slice(0, at), id: text.slice(at + 1) }
}

/**
 * Whether AWS says that something is gone. An answer without an error and without the thing says nothing: a proxy gives
 * such answers, too.
 *
 * @throws what AWS says otherwise
 */
export const isConfirmedGone = async (
  cloud: AwsCloud,
  { id }: Witness,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    await ask(cloud, id, signal)
    return false
  } catch (error) {
    if (errorKindOf(error) === 'gone') return true
    throw error
  }
}

const ask = (cloud: AwsCloud, id: string, abortSignal: AbortSignal): Promise<unknown> => {
  const { ec2, iam } = cloud
  const options = { abortSignal }
  if (id.startsWith('vpc-')) return ec2.send(new DescribeVpcsCommand({ VpcIds: [id] }), options)
  if (id.startsWith('dopt-'))
    return ec2.send(new DescribeDhcpOptionsCommand({ DhcpOptionsIds: [id] }), options)
  if (id.startsWith('sg-')) return ec2.send(new DescribeSecurityGroupsCommand({ GroupIds: [id] }), options)
  if (id.startsWith('rtb-')) return ec2.send(new DescribeRouteTablesCommand({ RouteTableIds: [id] }), options)
  if (id.startsWith('subnet-')) return ec2.send(new DescribeSubnetsCommand({ SubnetIds: [id] }), options)
  return iam.send(new GetRoleCommand({ RoleName: id }), options)
}
