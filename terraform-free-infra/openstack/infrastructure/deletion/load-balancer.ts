import type { Found, FoundStatus, ResourceType } from '../../../engine/engine.ts'
import type { OpenStackAccess } from '../../account/openstack.ts'
import type { DesiredInfrastructure } from '../desired.ts'
import { isInterface } from '../network/router-interface.ts'
import { type InfrastructureReads, type LoadBalancer, networkIdOf } from '../reads.ts'

type NoAttributes = Record<never, never>

/** The noun, by which a deletion recognises the removals of load balancers in a plan. */
export const loadBalancerWhat = 'load balancer'

/**
 * The load balancers of the shoot's Services, which the cloud controller could not delete. It names them
 * `kube_service_<cluster>_<namespace>_<name>`, and a technical id has no underscore, so that the name is exact. Their
 * ports block the subnets, so they are deleted first.
 */
export const loadBalancerType = (
  desired: DesiredInfrastructure,
  reads: InfrastructureReads,
): ResourceType<OpenStackAccess, NoAttributes, LoadBalancer> => ({
  what: loadBalancerWhat,
  pollMs: 2_000,
  list: async context => {
    const { read } = context
    const prefix = `kube_service_${desired.name}_`
    const ours = (await read(reads.loadBalancers)).filter(({ name }) => name.startsWith(prefix))
    if (ours.length === 0) return []
    const [ports, network] = await Promise.all([read(reads.ports), networkIdOf(desired, reads, context)])
    const interfaces = ports.filter(isInterface).map(({ id }) => id)
    return ours.map(
      (balancer): Found<NoAttributes, LoadBalancer> => ({
        id: balancer.id,
        key: balancer.name,
        status: statuses[balancer.provisioning_status] ?? 'pending',
        attributes: {},
        outcome: balancer,
        ours: 'proved',
        uses: [...interfaces, balancer.vip_subnet_id ?? '', network ?? ''].filter(id => id !== ''),
      }),
    )
  },
  remove: async ({ cloud, signal, found: { id, key } }) => {
    await cloud.call({
      service: 'load-balancer',
      method: 'DELETE',
      path: ['loadbalancers', id],
      query: { cascade: true },
      doing: `deleting load balancer ${key}`,
      signal,
    })
    return 'going'
  },
})

/** `provisioning_status` of Octavia. All others are changes, during which a deletion is refused. */
const statuses: Readonly<Record<string, FoundStatus>> = {
  ACTIVE: 'ready',
  ERROR: 'ready',
  PENDING_DELETE: 'deleting',
  DELETED: 'gone',
}
