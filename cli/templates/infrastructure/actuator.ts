import { CodedError } from '../../../shared/contract/errors.ts'
import type { Infrastructure } from '../../../shared/contract/objects.ts'
import { type Actuator, done, type StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import { keepInCloud, removeFromCloud } from '../cloud/cloud.ts'

/** The network of a shoot. A shoot that moves leaves it as it is, and is restored by `status.state`. */
export const infrastructureActuator: Actuator<Infrastructure> = {
  reconcile: async step => {
    const { nodes, pods, services } = networkingOf(step)
    const network = networkOf(step.object)
    // TODO: spec.providerConfig is what the user wrote in the Shoot. Take it apart in `validate`.
    await keepInCloud(step, { ...network, properties: { region: step.object.spec.region, nodes } })
    // What an attempt that fails further below must leave behind for the next one.
    await step.saveStatus({ state: { network: network.name } })
    return done({
      nodesCIDR: nodes,
      networking: {
        nodes: [nodes],
        ...(pods && { pods: [pods] }),
        ...(services && { services: [services] }),
      },
      egressCIDRs: [nodes], // TODO: where traffic of the nodes comes from
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
