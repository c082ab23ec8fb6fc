import * as z from 'zod'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { type Account, addNetwork } from './simulator/aws.ts'

const shoot = z.object({
  spec: z.object({ shoot: z.object({ spec: z.object({ region: z.string().min(1) }) }) }),
})

/**
 * Adds the infrastructure that a Bastion needs to the account, in the region of the Cluster. Ignores other objects.
 */
export const giveNetworkOf = (
  account: Pick<Account, 'id' | 'state'>,
  { kind, metadata: { namespace } }: KubernetesObject,
  cluster: KubernetesObject | undefined,
): void => {
  const region = shoot.safeParse(cluster).data?.spec.shoot.spec.region
  if (kind !== 'Bastion' || namespace === undefined || region === undefined) return
  addNetwork(account, region, {
    name: namespace,
    cidr: '10.250.0.0/16',
    subnet: { name: `${namespace}-public-utility-z0`, cidr: '10.250.96.0/22' },
    group: { name: `${namespace}-nodes`, description: 'Security group for nodes' },
  })
}
