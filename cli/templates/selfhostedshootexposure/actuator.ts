import type { SelfHostedShootExposure } from '../../../shared/contract/objects.ts'
import { type Actuator, done } from '../../../shared/lifecycle/lifecycle.ts'
import { ensureInCloud, removeFromCloud } from '../cloud/cloud.ts'

/** A load balancer with the control plane's nodes as backends. It is never migrated. */
export const exposureActuator: Actuator<SelfHostedShootExposure> = {
  reconcile: async step => {
    const { port, endpoints } = step.object.spec
    const backends = endpoints.flatMap(({ addresses }) =>
      addresses.filter(({ type }) => type === 'InternalIP').map(({ address }) => address),
    )
    // TODO: Use the credentials in spec.credentialsRef. The address must not change when nodes are replaced.
    await ensureInCloud(step, { ...balancerOf(step.object), properties: { port, backends } })
    return done({ ingress: [{ ip: '203.0.113.33' }] })
  },
  remove: async step => {
    await removeFromCloud(step, balancerOf(step.object))
    return done()
  },
}

const balancerOf = ({ metadata: { name, namespace = '' } }: SelfHostedShootExposure) => ({
  name: `balancer-${name}`,
  namespace,
})
