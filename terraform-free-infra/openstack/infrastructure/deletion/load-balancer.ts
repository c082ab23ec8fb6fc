import type { FoundStatus, ResourceType } from '../../../engine/engine.ts'
import type { OpenStackAccess } from '../../account/openstack.ts'
import { kinds, removing } from '../calls.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import { isInterface } from '../network/router-interface.ts'
import type { InfrastructureReads } from '../reads.ts'

/** `provisioning_status` of Octavia. All others are changes, during which a deletion is refused. */
const statuses: Readonly<Record<string, FoundStatus>> = {
  ACTIVE: 'ready',
  ERROR: 'ready',
  PENDING_DELETE: 'deleting',
  DELETED: 'gone',
}

/**
 * The load balancers of the shoot's Services, which the cloud controller could not delete. It names them
 * `kube_service_<cluster>_<namespace>_<name>`, and a technical id has no underscore, so that the name is exact. Their
 * ports block the subnets, so they are deleted first.
 */
export const loadBalancerType = (
  { name }: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, Record<never, never>, string> => ({
  what: kinds.loadBalancer.noun,
  pollMs: 2_000,
  list: async ({ read }) => {
    const all = await read(reads.loadBalancers)
    const ours = all.filter(one => one.name.startsWith(`kube_service_${name}_`))
    if (ours.length === 0) return []
    const [ports, network = ''] = await Promise.all([read(reads.ports), read(reads.networkId)])
    const interfaces = ports.filter(isInterface).map(({ id }) => id)
    return ours.map(one => ({
      id: one.id,
      key: one.name,
      status: statuses[one.provisioning_status] ?? 'pending',
      attributes: {},
      outcome: one.name,
      ours: 'proved',
      uses: [...interfaces, one.vip_subnet_id, network],
    }))
  },
  remove: async call => {
    await removing(kinds.loadBalancer, { cascade: true })(call)
    return 'going'
  },
})
