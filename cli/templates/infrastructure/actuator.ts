import { CodedError } from '../../../shared/contract/errors.ts'
import type { Infrastructure } from '../../../shared/contract/objects.ts'
import { type Actuator, done, type StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import { ensureInCloud, removeFromCloud } from '../cloud/cloud.ts'

/** The network of a shoot. A migration does not change it; gardenlet passes `status.state` to the restore. */
export const infrastructureActuator: Actuator<Infrastructure> = {
  reconcile: async step => {
    const { nodes, pods, services } = networkingOf(step)
    const network = networkOf(step.object)
    // TODO: The user writes spec.providerConfig in the Shoot. Parse it in `validate`.
    await ensureInCloud(step, { ...network, properties: { region: step.object.spec.region, nodes } })
    // Save ids at once: if a later call fails, the next attempt needs them.
    await step.saveStatus({ state: { network: network.name } })
    return done({
      nodesCIDR: nodes,
      networking: {
        nodes: [nodes],
        ...(pods && { pods: [pods] }),
        ...(services && { services: [services] }),
      },
      egressCIDRs: [nodes], // TODO: Return the source addresses of the nodes' traffic.
      // The Worker and the ControlPlane of the same cloud read it.
      providerStatus: {
        apiVersion: 'acme.example.com/v1alpha1',
        kind: 'InfrastructureStatus',
        network: network.name,
      },
    })
  },
  remove: async step => {
    await removeFromCloud(step, networkOf(step.object))
    return done()
  },
}

const networkOf = ({ metadata: { name, namespace = '' } }: Infrastructure) => ({
  name: `network-${name}`,
  namespace,
})

const networkingOf = ({ cluster }: StepContext<Infrastructure>) => {
  const { nodes, pods, services } = cluster?.spec.shoot.spec?.networking ?? {}
  if (nodes !== undefined) return { nodes, pods, services }
  throw new CodedError('spec.networking.nodes of the Shoot is missing', {
    codes: ['ERR_CONFIGURATION_PROBLEM'],
  })
}
