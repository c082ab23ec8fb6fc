import { type MachineProvider, workerFlow } from '../../../shared/worker/worker.ts'

/**
 * The part of a Worker that depends on the cloud: a MachineClass for each pool and zone. The flow writes the classes
 * and the MachineDeployments, waits for the machines, and rolls, migrates and deletes them.
 */
const machineProvider: MachineProvider = {
  desired: ({ worker: { spec }, technicalId }) => ({
    providerStatus: undefined,
    pools: spec.pools.map(pool => ({
      kind: 'classes',
      pool,
      // TODO: List all inputs that must replace machines when they change. Adding one later replaces every machine.
      hashInputs: [{ name: 'machine type', datum: pool.machineType }],
      zones: (pool.zones ?? []).map(zone => ({
        zone,
        nodeLabels: {},
        content: {
          provider: 'acme', // TODO: Use the name of the driver in the machine controller.
          labels: { cluster: technicalId },
          // TODO: Return the driver's input for a machine: image, network, volumes, tags.
          providerSpec: { machineType: pool.machineType, zone, tags: { cluster: technicalId } },
          // TODO: Return the node resources that the autoscaler expects, from spec.machineTypes of the CloudProfile.
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
