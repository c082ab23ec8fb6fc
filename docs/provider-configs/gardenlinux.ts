import { memoryOneConfigSchema } from '../../shared/operating-system-config/operating-system-config.ts'
import type { ProviderConfig } from '../provider-config.ts'

const newNodes = 'Applies to nodes created later.'

/** The fields of the configs, for docs/provider-configs.md. */
export const providerConfigs: readonly ProviderConfig[] = [
  {
    kind: 'OperatingSystemConfiguration',
    apiVersion:
      'memoryone-gardenlinux.os.extensions.gardener.cloud/v1alpha1 or memoryone-chost.os.extensions.gardener.cloud/v1alpha1',
    place: '`spec.provider.workers[].machine.image.providerConfig` of a Shoot',
    schema: memoryOneConfigSchema,
    fields: {
      memoryTopology: ['`mem_topology` of vSMP.', newNodes, 'by the type'],
      systemMemory: ['`system_memory` of vSMP.', newNodes, 'by the type'],
      vsmpConfiguration: ['Other settings of vSMP by name.', newNodes],
    },
  },
]
