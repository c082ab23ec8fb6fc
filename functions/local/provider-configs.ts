import type { ProviderConfig } from '../../shared/contract/provider-config.ts'
import { localCloudProfileConfigSchema } from './provider/local.ts'

const later = 'For machines that are created later.'

/** The fields of the configs, for docs/provider-configs.md. */
export const providerConfigs: readonly ProviderConfig[] = [
  {
    kind: 'CloudProfileConfig (local)',
    apiVersion: 'local.provider.extensions.gardener.cloud/v1alpha1',
    place: '`spec.providerConfig` of a CloudProfile',
    schema: localCloudProfileConfigSchema,
    fields: {
      'machineImages[].name': ['Name of the machine image in the CloudProfile.', later],
      'machineImages[].versions[].version': ['Version of the machine image.', later],
      'machineImages[].versions[].image': ['The container image that is the machine.', later],
      'machineImages[].versions[].capabilityFlavors[].image': [
        'The container image with these capabilities.',
        later,
      ],
      'machineImages[].versions[].capabilityFlavors[].capabilities': [
        'The values of capabilities that the image has, by capability.',
        later,
        'all values',
      ],
      'loadBalancer.image': [
        'The container image of load balancers.',
        'For load balancers that are created later.',
      ],
    },
  },
]
