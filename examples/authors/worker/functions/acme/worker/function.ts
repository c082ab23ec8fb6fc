import { CodedError, defineFunction } from '@trellis-gardener/trellis'
import { type MachineProvider, workerFlow, workerPermissions } from '@trellis-gardener/trellis/worker'

/** Workers of type `acme`: machines, created by the machine controller. */
export const definition = defineFunction({
  name: 'acme-worker',
  kind: 'Worker',
  type: 'acme',
  permissions: workerPermissions,
  create: () => workerFlow(machines),
})

/** The part of a Worker that depends on the cloud. The flow writes the objects, and waits for the machines. */
const machines: MachineProvider = {
  desired: ({ worker: { spec }, cluster, technicalId }) => {
    // The Infrastructure of the same cloud wrote it.
    const { network } = Object(spec.infrastructureProviderStatus)
    if (network === undefined)
      throw new CodedError(
        'spec.infrastructureProviderStatus names no network. Wait for the Infrastructure.',
        {
          codes: ['ERR_CONFIGURATION_PROBLEM'],
        },
      )
    return {
      providerStatus: undefined,
      pools: spec.pools.map(pool => {
        const { image, cpu, memory } = machineTypeOf(cluster, pool.machineType)
        return {
          kind: 'classes',
          pool,
          // A change of one of these replaces the machines of the pool.
          hashInputs: [
            { name: 'machine type', datum: pool.machineType },
            { name: 'network', datum: String(network) },
          ],
          zones: (pool.zones ?? []).map(zone => ({
            zone,
            nodeLabels: {},
            content: {
              provider: 'acme',
              labels: { cluster: technicalId },
              providerSpec: {
                image,
                network,
                machineType: pool.machineType,
                zone,
                tags: { cluster: technicalId, pool: pool.name },
              },
              nodeTemplate: {
                capacity: { cpu, gpu: '0', memory },
                instanceType: pool.machineType,
                region: spec.region,
                zone,
              },
            },
          })),
        }
      }),
    }
  },
}

/** Returns the facts about a machine type from the CloudProfile: its image in the cloud, and its size. */
const machineTypeOf = (cluster: Parameters<MachineProvider['desired']>[0]['cluster'], name: string) => {
  const { machineTypes = [], providerConfig = {} } = Object(Object(cluster.spec.cloudProfile).spec)
  const found = machineTypes.find((type: { readonly name: string }) => type.name === name)
  const image = Object(providerConfig).images?.[name]
  if (found === undefined || image === undefined)
    throw new CodedError(`the CloudProfile has no machine type ${name} with an image`, {
      codes: ['ERR_CONFIGURATION_PROBLEM'],
    })
  return { image: String(image), cpu: String(found.cpu), memory: String(found.memory) }
}
