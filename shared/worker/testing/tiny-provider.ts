import { CodedError } from '../../contract/errors.ts'
import type { MachineProvider } from '../provider.ts'

/** An error that the user must fix in the spec. */
export const configurationProblem = (message: string): CodedError =>
  new CodedError(message, { codes: ['ERR_CONFIGURATION_PROBLEM'] })

/** A cloud of boxes. The machine type of a pool is the size of its boxes. A second, minimal provider of the flow. */
export const tinyProvider: MachineProvider = {
  desired: ({ worker, technicalId }) => ({
    providerStatus: {
      kind: 'BoxStatus',
      sizes: [...new Set(worker.spec.pools.map(pool => pool.machineType))],
    },
    pools: worker.spec.pools.map(pool => {
      if (pool.machineType === 'unknown') {
        return {
          kind: 'problem',
          pool,
          error: configurationProblem(`machine type "${pool.machineType}" not found`),
        }
      }
      return {
        kind: 'classes',
        pool,
        hashInputs: [
          {
            name: 'lid',
            datum: String(pool.providerConfig?.lid ?? 'none'),
            observed: ({ providerSpec }) => String(providerSpec.lid),
          },
        ],
        zones: (pool.zones ?? []).map(zone => ({
          zone,
          nodeLabels: { 'topology.kubernetes.io/zone': zone },
          content: {
            labels: { 'example.com/zone': zone },
            provider: 'Box',
            providerSpec: {
              size: pool.machineType,
              lid: pool.providerConfig?.lid ?? 'none',
              tags: { [technicalId]: '1' },
            },
            nodeTemplate: undefined,
          },
        })),
      }
    }),
  }),
  classifiers: [
    { code: 'ERR_INFRA_RESOURCES_DEPLETED', matches: message => message.includes('no boxes left') },
  ],
}
