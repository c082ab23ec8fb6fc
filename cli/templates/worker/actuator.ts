import { type MachineProvider, workerFlow } from '../../../shared/worker/worker.ts'

/**
 * What of a Worker is the cloud's business: which MachineClass the machines of a pool have in each of its zones. The flow writes the
 * classes and the MachineDeployments, waits for the machines, rolls, moves and removes them.
 */
const machineProvider: MachineProvider = {
  desired: ({ worker: { spec }, technicalId }) => ({
    providerStatus: undefined,
    pools: spec.pools.map(pool => ({
      kind: 'classes',
      pool,
      // TODO: what makes machines anew when it changes. One more entry later, and every machine everywhere rolls.
      hashInputs: [{ name: 'machine type', datum: pool.machineType }],
      zones: (pool.zones ?? []).map(zone => ({
        zone,
        nodeLabels: {},
        content: {
          provider: 'acme', // TODO: the name of the driver in the machine controller
          labels: { cluster: technicalId },
          // TODO: what the driver makes a machine of: image, network, volumes, tags.
          providerSpec: { machineType: pool.machineType, zone, tags: { cluster: technicalId } },
          // TODO: what the autoscaler expects of a node, by spec.machineTypes of the CloudProfile.
          nodeTemplate: {
            capacity: { cpu: '2', gpu: '0', memory: '4Gi' },
            instanceType: pool.machineType,
            region: spec.region,
            zone,
          },
        },
      })),
    })),
  }),
}

export const workerActuator = workerFlow(machineProvider)
