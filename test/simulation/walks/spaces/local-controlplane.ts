import fc from 'fast-check'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { absent, arbitraryOf, schemaOf } from '../space/arbitrary-of.ts'
import { exampleObjects } from '../space/example-objects.ts'
import type { Configuration, WalkSpace } from '../space/walk-space.ts'

const shoot = fc.record({
  spec: fc.record({
    hibernation: fc.record({ enabled: fc.constantFrom(false, false, true) }),
    kubernetes: fc.record({ version: fc.constantFrom('1.33.3', '1.34.1') }),
    networking: fc.record({
      pods: fc.constantFrom('10.3.0.0/16', '10.7.0.0/16'),
      nodes: fc.constantFrom('10.0.128.0/17', '10.1.0.0/17'),
      ipFamilies: fc.constantFrom(['IPv4'], ['IPv4'], ['IPv4', 'IPv6']),
    }),
  }),
})

export const localControlPlane: WalkSpace = {
  name: 'local/controlplane',
  load: async () => ({
    definition: (await import('../../../../functions/local/controlplane/function.ts')).definition,
    shoots: fc.constant(
      fc.record({
        spec: arbitraryOf(schemaOf(kinds.ControlPlane.schema.shape.spec), {
          type: fc.constant('local'),
          class: absent,
          providerConfig: absent,
          region: fc.constant('local'),
          'secretRef.name': fc.constant('cloudprovider'),
          'secretRef.namespace': fc.constant('shoot--local--control-plane'),
          infrastructureProviderStatus: absent,
        }),
        shoot,
      }) as fc.Arbitrary<Configuration>,
    ),
    objects: await exampleObjects('local/controlplane.yaml'),
  }),
}
