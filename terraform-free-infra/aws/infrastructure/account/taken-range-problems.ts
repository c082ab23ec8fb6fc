import type { Subnet } from '@aws-sdk/client-ec2'
import type { Problem } from '../../../../shared/decode/problems.ts'
import { overlaps, parseCidr } from '../../account/ranges/cidr.ts'
import { hasOwnSubnets, zonePath } from '../config/problems/zone-problems.ts'
import { allSubnetKinds, isMarked, isOurs } from '../tags.ts'
import type { AccountInput } from './account-input.ts'

/**
 * Returns the ranges in the user's VPC that conflict with subnets of others. AWS would refuse ours without naming the
 * owner. Checks only missing subnets.
 */
export const takenRangeProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const { reads, read, config, state, isMissing } = input
  const { vpc, zones } = config.networks
  if (vpc.id === undefined || hasOwnSubnets(config)) return []
  const wanted = zones.flatMap((zone, index) =>
    allSubnetKinds.flatMap(kind => {
      const cidr = isMissing(zone.name, kind) ? parseCidr(zone[kind] ?? '') : undefined
      return cidr === undefined ? [] : [{ path: zonePath(index, kind), zone: zone.name, cidr }]
    }),
  )
  if (wanted.length === 0) return []
  const known = new Set(Object.values(state))
  const [subnets, tagsProve] = await Promise.all([read(reads.subnets), read(reads.tagsProve)])
  const proof = { ...input.desired, tagsProve }
  // A subnet that is missing in the state is adopted if it is exactly the desired one.
  const isTaken = ({ AvailabilityZone, CidrBlock = '', Tags, SubnetId = '' }: Subnet): boolean =>
    isOurs(proof, known, SubnetId, Tags) &&
    (known.has(SubnetId) ||
      isMarked(proof, Tags) ||
      wanted.some(({ zone, cidr }) => zone === AvailabilityZone && cidr.text === CidrBlock))
  const others = subnets.flatMap(subnet => {
    const cidr = isTaken(subnet) ? undefined : parseCidr(subnet.CidrBlock ?? '')
    return cidr === undefined ? [] : [{ id: subnet.SubnetId, cidr }]
  })
  return wanted.flatMap(({ path, cidr }) =>
    others
      .filter(other => overlaps(other.cidr, cidr))
      .map(other => ({
        path,
        message: `expected an unused CIDR of ${vpc.id}, found ${cidr.text}, which overlaps with ${other.id} (${other.cidr.text})`,
      })),
  )
}
