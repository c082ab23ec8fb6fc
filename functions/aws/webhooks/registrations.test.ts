import { describe, expect, test } from 'vitest'
import { registrations } from '../../../shared/webhooks/admission/admission.ts'
import { readStored } from '../../../test/recorded/stored.ts'
import { definition as cloudprovider } from './cloudprovider/webhook.ts'
import { definition as controlPlane } from './controlplane/webhook.ts'
import { definition as mutator } from './mutator/webhook.ts'
import { definition as secretsValidator } from './secrets-validator/webhook.ts'
import { definition as seedprovider } from './seedprovider/webhook.ts'
import { definition as terraformer } from './terraformer/webhook.ts'
import { definition as validator } from './validator/webhook.ts'

interface Rule {
  readonly operations: readonly string[]
  readonly apiGroups: readonly string[]
  readonly apiVersions: readonly string[]
  readonly resources: readonly string[]
}
interface Webhook {
  readonly name: string
  readonly rules?: readonly Rule[]
  readonly [field: string]: unknown
}
interface Configuration {
  readonly kind: string
  readonly metadata: object
  readonly webhooks?: readonly Webhook[]
}

/** The rules as single lines, sorted. The rule that lists a resource does not matter. */
const linesOf = ({ rules, clientConfig: _, ...webhook }: Webhook) => ({
  namespaceSelector: {},
  objectSelector: {},
  reinvocationPolicy: undefined,
  ...webhook,
  rules: (rules ?? [])
    .flatMap(({ operations, apiGroups, apiVersions, resources }) =>
      apiGroups.flatMap(group =>
        apiVersions.flatMap(version =>
          resources.map(resource => `${operations.toSorted().join(',')} ${group}/${version} ${resource}`),
        ),
      ),
    )
    .toSorted(),
})

const own = registrations([mutator, validator, secretsValidator], {
  namespace: 'garden',
  caBundleOf: () => 'ca',
})

describe('admission is registered as by the Go extension', () => {
  const { configurations } = readStored('webhooks/registrations.json') as {
    readonly configurations: readonly (Configuration & { readonly metadata: { readonly name: string } })[]
  }
  const recorded = configurations.filter(
    ({ metadata }) => metadata.name === 'gardener-extension-admission-aws',
  )

  test.each(recorded.map(({ kind }, index) => ({ kind, index })))('$kind', ({ kind, index }) => {
    const configuration = own.find(one => one.kind === kind)
    const lines = (webhooks: readonly Webhook[] = []) =>
      webhooks.map(linesOf).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const before = lines(recorded[index]?.webhooks)
    const after = lines(configuration?.webhooks as readonly Webhook[] | undefined)
    expect(after.map(({ reinvocationPolicy: _, ...rest }) => rest)).toEqual(
      before.map(({ reinvocationPolicy: _, ...rest }) => rest),
    )
  })
})

test('webhooks of the seed review only what is in namespaces of shoots, or of seeds, on AWS', () => {
  const selected = [cloudprovider, controlPlane, seedprovider, terraformer].map(
    ({ name, namespaceSelector }) => [name, namespaceSelector?.matchExpressions],
  )
  const ofAws = (key: string) => [{ key, operator: 'In', values: ['aws'] }]
  expect(Object.fromEntries(selected)).toEqual({
    cloudprovider: ofAws('shoot.gardener.cloud/provider'),
    controlplane: ofAws('shoot.gardener.cloud/provider'),
    seedprovider: ofAws('seed.gardener.cloud/provider'),
    terraformer: ofAws('shoot.gardener.cloud/provider'),
  })
  expect(controlPlane.objectSelector?.matchLabels).toEqual({
    'provider.extensions.gardener.cloud/mutated-by-controlplane-webhook': 'true',
  })
})

test('the rules are written the same for any input order', () => {
  const again = registrations([secretsValidator, validator, mutator], {
    namespace: 'garden',
    caBundleOf: () => 'ca',
  })
  expect(again).toEqual(own)
})
