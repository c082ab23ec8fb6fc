import { type Account, addNetwork } from '../../../sandbox/aws/aws.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'

/** Where the shoots of the examples are; a Bastion names no region, and its Cluster is not at hand. */
const region = 'eu-west-1'

/** Gives the account what a Bastion needs of the infrastructure of its shoot. Any other object needs nothing. */
export const giveNetworkOf = (
  account: Pick<Account, 'id' | 'state'>,
  { kind, metadata: { namespace } }: KubernetesObject,
): void => {
  if (kind !== 'Bastion' || namespace === undefined) return
  addNetwork(account, region, {
    name: namespace,
    cidr: '10.250.0.0/16',
    subnet: { name: `${namespace}-public-utility-z0`, cidr: '10.250.96.0/22' },
    group: { name: `${namespace}-nodes`, description: 'Security group for nodes' },
  })
}
