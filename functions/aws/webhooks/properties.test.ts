import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sendReview, sendReviewAgain } from '../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { recordedGarden } from '../../../shared/webhooks/admission/testing/recording.ts'
import { standardReviews } from '../../../test/recorded/admission.ts'
import { definition as mutator } from './mutator/webhook.ts'
import {
  capabilityProfileWith,
  mutate,
  observedProfileWith,
  shootWith,
  validate,
  withOther,
} from './testing/reviews.ts'
import { definition as validator } from './validator/webhook.ts'

const objects = recordedGarden()

/** Any JSON, including names that the rules search for. */
const json = fc.jsonValue({ maxDepth: 4 })
const named = fc.letrec(tie => ({
  value: fc.oneof({ depthSize: 'small' }, json, fc.array(tie('value'), { maxLength: 3 }), tie('object')),
  object: fc.dictionary(
    fc.constantFrom(
      ...['apiVersion', 'kind', 'networks', 'vpc', 'zones', 'id', 'cidr', 'name', 'workers', 'machineImages'],
      ...['versions', 'version', 'regions', 'ami', 'capabilityFlavors', 'capabilities', 'overlay', 'enabled'],
      ...[
        'volume',
        'dataVolumes',
        'immutability',
        'retentionPeriod',
        'mode',
        'roleARN',
        '__proto__',
        'constructor',
      ],
    ),
    tie('value'),
    { maxKeys: 5 },
  ),
})).value

const withHead = (kind: string) =>
  fc.oneof(
    named,
    named.map(value => ({
      ...(typeof value === 'object' && !Array.isArray(value) ? value : {}),
      apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
      kind,
    })),
  )

const identity: KubernetesObject = {
  apiVersion: 'security.gardener.cloud/v1alpha1',
  kind: 'WorkloadIdentity',
  metadata: { name: 'wi', namespace: 'garden-p' },
  spec: { targetSystem: {} },
}
const bucket: KubernetesObject = {
  apiVersion: 'core.gardener.cloud/v1beta1',
  kind: 'BackupBucket',
  metadata: { name: 'b' },
  spec: { credentialsRef: { apiVersion: 'v1', kind: 'Secret', name: 'b' } },
}

/** Every field with content that the API server of the garden leaves to the provider. */
const places: readonly [string, KubernetesObject, string][] = [
  ['InfrastructureConfig', shootWith(), 'spec.provider.infrastructureConfig'],
  ['ControlPlaneConfig', shootWith(), 'spec.provider.controlPlaneConfig'],
  ['NetworkConfig', shootWith(), 'spec.networking.providerConfig'],
  ['WorkerConfig', shootWith(), 'spec.provider.workers.0.providerConfig'],
  ['CloudProfileConfig', capabilityProfileWith(), 'spec.providerConfig'],
  ['CloudProfileConfig', observedProfileWith(), 'spec.providerConfig'],
  ['CloudProfileConfig', observedProfileWith(), 'status.cloudProfileSpec.providerConfig'],
  ['WorkloadIdentityConfig', identity, 'spec.targetSystem.providerConfig'],
  ['BackupBucketConfig', bucket, 'spec.providerConfig'],
]

const isMutated = ({ kind }: KubernetesObject) => mutator.resources.some(resource => resource.kind === kind)

describe('any content of a config', () => {
  test.each(places)('%s of %j.kind at %s: a review gets a response', async (kind, object, path) => {
    await fc.assert(
      fc.asyncProperty(withHead(kind), withHead(kind), async (value, former) => {
        const given = withOther(object, { [path]: value })
        const old = withOther(object, { [path]: former })
        for (const definition of isMutated(object) ? [mutator, validator] : [validator]) {
          for (const input of [
            { operation: 'CREATE', object: given } as const,
            { operation: 'UPDATE', object: given, oldObject: old } as const,
          ]) {
            const { code } = await sendReview(definition, input, { objects })
            expect([200, 403]).toContain(code)
          }
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('unknown fields', () => {
  const unknown = fc.dictionary(
    fc.string({ minLength: 1 }).map(name => `x-${name.replaceAll('.', '')}`),
    json,
  )
  test.each<[string, KubernetesObject, readonly string[]]>([
    [
      'Shoot',
      shootWith(),
      ['metadata', 'spec', 'spec.networking', 'spec.provider', 'spec.provider.workers.0', 'status'],
    ],
    [
      'CloudProfile',
      capabilityProfileWith(),
      ['metadata', 'spec', 'spec.machineImages.0', 'spec.machineImages.0.versions.0'],
    ],
    [
      'NamespacedCloudProfile',
      observedProfileWith(),
      ['spec', 'status', 'status.cloudProfileSpec.providerConfig', 'spec.machineImages.0'],
    ],
  ])('in the config of a %s survive a mutation', async (_, object, paths) => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), unknown, async (path, fields) => {
        const other = Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [`${path}.${name}`, value]),
        )
        const { allowed, object: mutated } = await mutate(withOther(object, other))
        expect(allowed).toBe(true)
        const plain = (await mutate(object)).object
        expect(mutated).toEqual(withOther(plain, other))
      }),
      { numRuns: 30 },
    )
  })
})

describe('a mutation', () => {
  const overlays = fc.constantFrom(
    undefined,
    null,
    {},
    { overlay: {} },
    { overlay: { enabled: true } },
    {
      overlay: { enabled: false },
    },
  )
  const families = fc.constantFrom(undefined, ['IPv4'], ['IPv6'], ['IPv4', 'IPv6'])
  const head = { apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1', kind: 'ControlPlaneConfig' }
  const configs = fc.constantFrom(
    undefined,
    head,
    { ...head, storage: {} },
    { ...head, cloudControllerManager: null, loadBalancerController: { enabled: false } },
  )

  test('gives the same result when repeated', async () => {
    await fc.assert(
      fc.asyncProperty(overlays, families, configs, async (networkConfig, ipFamilies, config) => {
        const input = {
          operation: 'CREATE',
          object: shootWith({
            'spec.networking.providerConfig': networkConfig,
            'spec.networking.ipFamilies': ipFamilies,
            'spec.provider.controlPlaneConfig': config,
          }),
        } as const
        const once = await sendReview(mutator, input, { objects })
        expect((await sendReview(mutator, { ...input, object: once.object }, { objects })).patch).toEqual([])
        expect((await sendReviewAgain(mutator, input, once, { objects })).patch).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

/** Returns the value with the fields of every object in another order. */
const reordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, inner]) => [name, reordered(inner)]),
  )
}

test.each(
  standardReviews().filter(
    ({ file }) => !file.startsWith('mutate.') && file !== 'secret' && file !== 'handler',
  ),
)(
  '$file: $review.name is answered alike in whatever order its fields are',
  async ({ review: { object, oldObject } }) => {
    const given = oldObject === undefined ? {} : { old: oldObject }
    const expected = await validate(object, given)
    const other = await validate(reordered(object) as KubernetesObject, {
      ...(oldObject !== undefined && { old: reordered(oldObject) as KubernetesObject }),
      garden: reordered(objects) as readonly KubernetesObject[],
    })
    const withoutValues = (message: string) => message.replace(/(?<=value: )\{[^}]*\}/g, '{…}')
    expect([other.allowed, withoutValues(other.message)]).toEqual([
      expected.allowed,
      withoutValues(expected.message),
    ])
  },
)
