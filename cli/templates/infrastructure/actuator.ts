import { CodedError } from '../../../shared/contract/errors.ts'
import type { Infrastructure } from '../../../shared/contract/objects.ts'
import { type Actuator, done, type StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import { ensureInCloud, removeFromCloud } from '../cloud/cloud.ts'

/** The network of a shoot. It is not changed when the shoot migrates, and is restored from `status.state`. */
export const infrastructureActuator: Actuator<Infrastructure> = {
  reconcile: async step => {
    const { nodes, pods, services } = networkingOf(step)
    const network = networkOf(step.object)
    // TODO: spec.providerConfig is written by the user in the Shoot. Parse it in `validate`.
    await ensureInCloud(step, { ...network, properties: { region: step.object.spec.region, nodes } })
    // The data that a later failure in this attempt must leave for the next one.
    await step.saveStatus({ state: { network: network.name } })
    return done({
      nodesCIDR: nodes,
      networking: {
        nodes: [nodes],
        ...(pods && { pods: [pods] }),
        ...(services && { services: [services] }),
      },
      egressCIDRs: [nodes], // TODO: the source addresses of the nodes' traffic
      // For the Worker and the ControlPlane of the same cloud.
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
