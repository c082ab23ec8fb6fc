import { newSeed, type SeedOptions } from '../../../../shared/control-plane/testing/seed.ts'
import { localControlPlane } from '../local-control-plane.ts'

const namespace = 'shoot--foo--bar'

/** A seed with a ControlPlane of type `local`, of a shoot with machines of Gardener. */
export const newLocalSeed = ({ shoot = {}, ...options }: SeedOptions = {}) =>
  newSeed({
    namespace,
    spec: { type: 'local', region: 'local' },
    cloudProfile: {
      spec: { providerConfig: { loadBalancer: { image: 'registry.example.org/envoy:v1' } } },
    },
    provider: localControlPlane({ image: 'cloud-controller-manager-local:v0.0.0' }),
    shoot: {
      spec: { credentialsBindingName: 'local' },
      status: { technicalID: namespace },
      ...shoot,
    },
    ...options,
  })
