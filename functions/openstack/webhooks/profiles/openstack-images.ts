import type { ProviderImages } from '../../../../shared/webhooks/garden/garden.ts'
import {
  type CloudProfileConfig,
  cloudProfileConfigSchema,
  decodeStrictly,
} from '../../../../terraform-free-infra/openstack/account/config/config.ts'
import { namespacedProblems, profileProblems } from './config-problems.ts'

/** The images of OpenStack in a profile: an id in each region, or one name. */
export const openstackImages: ProviderImages<CloudProfileConfig> = {
  words: { one: 'a mapping', bare: 'mapping', several: 'mappings' },
  decode: value => decodeStrictly(cloudProfileConfigSchema, value),
  idField: 'id',
  hasNamedImages: true,
  isArchitectureOfFlavor: true,
  configProblems: (config, kind) =>
    kind === 'CloudProfile' ? profileProblems(config) : namespacedProblems(config),
}
