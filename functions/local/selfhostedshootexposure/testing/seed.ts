import { namespace, objectOf, type ProviderSeedOptions, providerSeed } from '../../testing/provider-seed.ts'
import { definition } from '../function.ts'

const endpoint = (nodeName: string, ...addresses: readonly string[]) => ({
  nodeName,
  addresses: [
    ...addresses.map(address => ({ type: 'InternalIP', address })),
    { type: 'Hostname', address: nodeName },
  ],
})

export const exposureOf = (spec: object = {}) =>
  objectOf('SelfHostedShootExposure', 'exp', {
    port: 443,
    credentialsRef: { apiVersion: 'v1', kind: 'Secret', name: 'cloudprovider', namespace },
    endpoints: [endpoint('n1', '10.0.128.5', 'fd00::5')],
    ...spec,
  })

/** A seed with an exposure, and the provider cluster of its shoot. */
export const newSeed = (options: Partial<ProviderSeedOptions> = {}) =>
  providerSeed({ definition, object: exposureOf(), ...options })
