import type { Problem } from '../../../../shared/decode/problems.ts'
import { hasOwnSubnets } from '../config/problems/zone-problems.ts'
import { clusterTag, readTags } from '../tags.ts'
import type { AccountInput } from './account-input.ts'

/**
 * The cloud controller of a shoot needs a subnet. If none is created for load balancers, the user must tag one
 * (docs/contract/provider-aws.md#a-public-subnet).
 */
export const taggedSubnetProblems = async (input: AccountInput): Promise<readonly Problem[]> => {
  const { reads, read, config } = input
  const { vpc, zones } = config.networks
  if (vpc.id === undefined || hasOwnSubnets(config)) return []
  if (zones.some(zone => zone.public !== undefined)) return []
  const tagged = (await read(reads.subnets))
    .map(({ Tags }) => readTags(Tags))
    .filter(tags => tags['kubernetes.io/role/elb'] === '1' && tags[clusterTag(input)] !== undefined)
  return tagged.length > 0
    ? []
    : [
        {
          path: 'networks.zones',
          message: `expected a public subnet: set the CIDR public of a zone, or tag a subnet of ${vpc.id} with kubernetes.io/role/elb=1 and ${clusterTag(input)}=1`,
        },
      ]
}
