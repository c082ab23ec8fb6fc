import fc from 'fast-check'
import { seedName } from '../../../../functions/oidc/extension/managed-resources.ts'
import { apiServerOf } from '../../../../functions/oidc/extension/testing/extension-world.ts'
import { imitatedOthers } from '../../../../functions/oidc/extension/testing/imitated-others.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import { absent, arbitraryOf, schemaOf } from '../space/arbitrary-of.ts'
import { exampleObjects } from '../space/example-objects.ts'
import type { Configuration, WalkSpace } from '../space/walk-space.ts'

const shoot = fc.record({
  spec: fc.record({
    hibernation: fc.record({ enabled: fc.constantFrom(false, false, true) }),
    kubernetes: fc.record({ version: fc.constantFrom('1.33.3', '1.34.1') }),
  }),
})

const namespace = 'shoot--garden--signed-in'
const apiServer = apiServerOf('kube-apiserver', namespace, 2)

export const oidcExtension: WalkSpace = {
  name: 'oidc/extension',
  load: async () => {
    const objects = await exampleObjects('extension/oidc.yaml')
    return {
      definition: (await import('../../../../functions/oidc/extension/function.ts')).definition,
      shoots: fc.constant(
        fc.record({
          spec: arbitraryOf(schemaOf(kinds.Extension.schema.shape.spec), {
            type: fc.constant('shoot-oidc-service'),
            class: absent,
            providerConfig: absent,
          }),
          shoot,
        }) as fc.Arbitrary<Configuration>,
      ),
      others: kubernetes => {
        const { askWebhook, applySeed } = imitatedOthers({ kubernetes, namespace, isGarden: false })
        return {
          before: async ({ verb, resource, name }) => {
            if (verb === 'patch' && resource === 'deployments' && name === 'kube-apiserver')
              await askWebhook()
          },
          after: async ({ verb, resource, name }) => {
            const isApplied = resource === 'managedresources' && name === seedName
            if (isApplied && (verb === 'create' || verb === 'patch')) await applySeed()
          },
        }
      },
      objects: configuration => objects(configuration).toSpliced(-1, 0, apiServer),
    }
  },
}
