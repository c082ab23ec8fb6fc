import { localCloudProfileConfigSchema } from '../../functions/local/provider/local.ts'
import type { ProviderConfig } from '../provider-config.ts'

const later = 'Applies to machines created later.'

/** The fields of the configs, for docs/provider-configs.md. */
export const providerConfigs: readonly ProviderConfig[] = [
  {
    kind: 'CloudProfileConfig (local)',
    apiVersion: 'local.provider.extensions.gardener.cloud/v1alpha1',
    place: '`spec.providerConfig` of a CloudProfile',
    schema: localCloudProfileConfigSchema,
    fields: {
      'machineImages[].name': ['Name of the machine image.', later],
      'machineImages[].versions[].version': ['Its version.', later],
      'machineImages[].versions[].image': ['The container image that is the machine.', later],
      'machineImages[].versions[].capabilityFlavors[].image': [
        'The container image with these capabilities.',
        later,
      ],
      'machineImages[].versions[].capabilityFlavors[].capabilities': [
        "The image's capabilities.",
        later,
        'all values',
      ],
      'loadBalancer.image': [
        'The container image of load balancers.',
        'Applies to load balancers created later.',
      ],
    },
  },
]
