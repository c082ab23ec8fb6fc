import { gvisorConfigSchema } from '../../functions/gvisor/containerruntime/actuator.ts'
import type { ProviderConfig } from '../provider-config.ts'

/** The fields of the configs, for docs/provider-configs.md. */
export const providerConfigs: readonly ProviderConfig[] = [
  {
    kind: 'GVisorConfiguration',
    apiVersion: 'gvisor.runtime.extensions.config.gardener.cloud/v1alpha1',
    place: '`spec.provider.workers[].cri.containerRuntimes[].providerConfig` of a Shoot',
    schema: gvisorConfigSchema,
    fields: {
      configFlags: ['[Flags of runsc](container-runtimes.md) by name.', 'Applies to pods that start later.'],
      testImageTag: [
        'Tag of the image, if the operator set a repository for tests.',
        'Updates the installation on the nodes.',
      ],
    },
  },
]
