import { type MachineProvider, workerFlow } from '../../../shared/worker/worker.ts'

/**
 * The cloud's part of a Worker: the MachineClass of a pool's machines in each of its zones. The flow writes the classes
 * and the MachineDeployments, waits for the machines, rolls, migrates and deletes them.
 */
const machineProvider: MachineProvider = {
  desired: ({ worker: { spec }, technicalId }) => ({
    providerStatus: undefined,
    pools: spec.pools.map(pool => ({
      kind: 'classes',
      pool,
      // TODO: all inputs that replace machines when they change. Adding an entry later rolls every machine everywhere.
      hashInputs: [{ name: 'machine type', datum: pool.machineType }],
      zones: (pool.zones ?? []).map(zone => ({
        zone,
        nodeLabels: {},
        content: {
          provider: 'acme', // TODO: the name of the driver in the machine controller
          labels: { cluster: technicalId },
          // TODO: the driver's input for a machine: image, network, volumes, tags.
          providerSpec: { machineType: pool.machineType, zone, tags: { cluster: technicalId } },
          // TODO: the node resources that the autoscaler expects, by spec.machineTypes of the CloudProfile.
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
