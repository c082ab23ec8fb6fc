import { namespace, objectOf, type ProviderSeedOptions, providerSeed } from '../../testing/provider-seed.ts'
import { definition } from '../function.ts'

const infrastructure = objectOf('Infrastructure', 'infrastructure', {
  region: 'local',
  secretRef: { name: 'cloudprovider', namespace },
})

/** A seed with an Infrastructure, and a provider cluster without any of its objects. */
export const newSeed = (options: Partial<ProviderSeedOptions> = {}) =>
  providerSeed({ definition, object: infrastructure, hasNamespace: false, ...options })
