import { describe, expect, test } from 'vitest'
import { sendReview, sendReviewAgain } from '../../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { definition as mutator } from '../mutator/webhook.ts'
import { definition as validator } from '../validator/webhook.ts'

const configOf = (machineImages: unknown, more: object = {}) => ({
  apiVersion: 'local.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'CloudProfileConfig',
  machineImages,
  ...more,
})
const one = (version: object) => [{ name: 'a', versions: [{ version: '1.0', ...version }] }]
const core = 'core.gardener.cloud/v1beta1'
const machineCapabilities = [{ name: 'architecture', values: ['amd64', 'arm64'] }]

const profileWith = (spec: object): KubernetesObject => ({
  apiVersion: core,
  kind: 'CloudProfile',
  metadata: { name: 'local' },
  spec: { machineImages: one({}), ...spec },
})
const namespacedWith = (spec: object, status?: object): KubernetesObject => ({
  apiVersion: core,
  kind: 'NamespacedCloudProfile',
  metadata: { name: 'own', namespace: 'garden-dev', generation: 2 },
  spec: { parent: { kind: 'CloudProfile', name: 'local' }, ...spec },
  ...(status && { status: { observedGeneration: 2, ...status } }),
})
const amd = { image: 'a:amd', capabilities: { architecture: ['amd64'] } }
const arm = { image: 'a:arm', capabilities: { architecture: ['arm64'] } }

const messageOf = async (object: KubernetesObject, parent?: object) =>
  (
    await sendReview(
      validator,
      { operation: 'CREATE', object },
      { objects: parent === undefined ? [] : [profileWith(parent)] },
    )
  ).message

describe('a CloudProfile', () => {
  test.each<[string, object]>([
    ['with an image for each version', { providerConfig: configOf(one({ image: 'a:1' })) }],
    [
      'with an image for each flavor',
      {
        machineCapabilities,
        machineImages: one({ capabilityFlavors: [{ architecture: ['arm64'] }, { architecture: ['amd64'] }] }),
        providerConfig: configOf(one({ capabilityFlavors: [amd, arm] }), {
          loadBalancer: { image: 'envoy' },
        }),
      },
    ],
    [
      'whose only flavor has all capabilities',
      { machineCapabilities, providerConfig: configOf(one({ capabilityFlavors: [{ image: 'a:1' }] })) },
    ],
    [
      'with an image without versions',
      { machineImages: [{ name: 'b' }], providerConfig: configOf(one({ image: 'a:1' })) },
    ],
  ])('%s is allowed', async (_, spec) => {
    expect(await messageOf(profileWith(spec))).toBeUndefined()
  })

  const config = 'spec.providerConfig.machineImages[0]'
  test.each<[string, object, string]>([
    ['without a config', {}, 'spec.providerConfig: Required value: expected a CloudProfileConfig'],
    [
      'with an unknown field',
      { providerConfig: configOf([], { machineImage: [] }) },
      'could not decode providerConfig of CloudProfile "local": strict decoding error: unknown field "machineImage" (did you mean machineImages?)',
    ],
    [
      'with a config of another provider',
      { providerConfig: { ...configOf([]), apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1' } },
      'could not decode providerConfig of CloudProfile "local": apiVersion: expected',
    ],
    [
      'without images',
      { providerConfig: configOf([]) },
      'spec.providerConfig.machineImages: Required value: expected at least one machine image',
    ],
    [
      'with an image without versions in the config',
      { providerConfig: configOf([{ name: 'a' }]) },
      `${config}.versions: Required value: expected at least one version`,
    ],
    [
      'with an image without a name',
      { providerConfig: configOf([{ versions: [{ version: '1.0', image: 'a:1' }] }]) },
      `${config}.name: Required value: expected the name of an image`,
    ],
    [
      'with a version without an image',
      { providerConfig: configOf(one({})) },
      `${config}.versions[0].image: Required value: expected a container image`,
    ],
    [
      'with flavors, and no capabilities',
      { providerConfig: configOf(one({ image: 'a:1', capabilityFlavors: [amd] })) },
      `${config}.versions[0].capabilityFlavors: Forbidden: expected none because the profile has no machineCapabilities`,
    ],
    [
      'with a plain image, and capabilities',
      { machineCapabilities, providerConfig: configOf(one({ image: 'a:1', capabilityFlavors: [amd] })) },
      `${config}.versions[0].image: Forbidden: expected none because the profile has machineCapabilities`,
    ],
    [
      'with a flavor without an image',
      { machineCapabilities, providerConfig: configOf(one({ capabilityFlavors: [{}] })) },
      `${config}.versions[0].capabilityFlavors[0].image: Required value: expected a container image`,
    ],
    [
      'with an unknown capability',
      {
        machineCapabilities,
        providerConfig: configOf(one({ capabilityFlavors: [{ image: 'a', capabilities: { net: ['x'] } }] })),
      },
      'capabilityFlavors[0].capabilities.net: Unsupported value: ["x"]: expected one of the machineCapabilities of the profile (architecture)',
    ],
    [
      'with an image that the config lacks',
      {
        machineImages: [...one({}), { name: 'b', versions: [{ version: '1' }] }],
        providerConfig: configOf(one({ image: 'a:1' })),
      },
      'spec.machineImages[1]: Required value: expected an entry for the image b in spec.providerConfig, found none',
    ],
    [
      'with a version that the config lacks',
      {
        machineCapabilities,
        machineImages: [{ name: 'a', versions: [{ version: '2.0' }] }],
        providerConfig: configOf(one({ capabilityFlavors: [amd, arm] })),
      },
      'spec.machineImages[0].versions[0]: Required value: expected an entry for a@2.0 in spec.providerConfig',
    ],
    [
      'with a flavor that the config lacks',
      {
        machineCapabilities,
        machineImages: one({ capabilityFlavors: [{ architecture: ['arm64'] }] }),
        providerConfig: configOf(one({ capabilityFlavors: [amd] })),
      },
      'spec.machineImages[0].versions[0].capabilityFlavors[0]: Required value: expected an image of a@1.0 with map[architecture:[arm64]]',
    ],
    [
      'whose images are none',
      { machineImages: 7, providerConfig: configOf([]) },
      'spec.machineImages: Invalid value: 7',
    ],
  ])('%s is refused', async (_, spec, message) => {
    expect(await messageOf(profileWith(spec))).toContain(message)
  })
})

describe('a NamespacedCloudProfile', () => {
  const images = (...entries: readonly (readonly [string, string])[]) =>
    entries.map(([name, version]) => ({ name, versions: [{ version, image: `${name}:${version}` }] }))
  const own = (...entries: readonly (readonly [string, string])[]) =>
    entries.map(([name, version]) => ({ name, versions: [{ version }] }))
  const list = 'spec.providerConfig.machineImages'

  test.each<[string, object, object]>([
    ['without a config', {}, {}],
    [
      'with a new version and a new image',
      {
        machineImages: own(['a', '1.1'], ['b', '2.0']),
        providerConfig: configOf(images(['a', '1.1'], ['b', '2.0'])),
      },
      {},
    ],
    ['that only limits a version of the parent', { machineImages: own(['a', '1.0']) }, {}],
    [
      'in the older format, under a parent with capabilities',
      { machineImages: own(['b', '2.0']), providerConfig: configOf(images(['b', '2.0'])) },
      { machineCapabilities },
    ],
    [
      'with flavors, under a parent without capabilities',
      {
        machineImages: own(['b', '2.0']),
        providerConfig: configOf([{ name: 'b', versions: [{ version: '2.0', capabilityFlavors: [amd] }] }]),
      },
      {},
    ],
  ])('%s is allowed', async (_, spec, parent) => {
    expect(await messageOf(namespacedWith(spec), parent)).toBeUndefined()
  })

  test.each<[string, object, string]>([
    [
      'of another kind of parent',
      { parent: { kind: 'NamespacedCloudProfile', name: 'local' } },
      'parent reference must be of kind CloudProfile',
    ],
    [
      'of a parent that does not exist',
      { parent: { kind: 'CloudProfile', name: 'x' } },
      'CloudProfile.core.gardener.cloud "x" not found',
    ],
    [
      'with an unknown field',
      { providerConfig: configOf([], { a: 1 }) },
      'could not decode providerConfig of NamespacedCloudProfile "own"',
    ],
    [
      'with an image for a version of the parent',
      { machineImages: own(['a', '1.0']), providerConfig: configOf(images(['a', '1.0'])) },
      `${list}[0].versions[0]: Forbidden: expected none of a@1.0, because the parent CloudProfile defines its image`,
    ],
    [
      'with a version without an image',
      { machineImages: own(['a', '1.2'], ['c', '3.0']) },
      `[${list}: Required value: expected an entry for a@1.2, found nothing, ${list}: Required value: expected an entry for c@3.0, found nothing]`,
    ],
    [
      'with an image that its spec lacks',
      { providerConfig: configOf(images(['b', '2.0'])) },
      `${list}[0]: Required value: expected the image b in spec.machineImages, too`,
    ],
    [
      'with a version that its spec lacks',
      { machineImages: own(['a', '1.0']), providerConfig: configOf(images(['a', '1.1'])) },
      `${list}[0].versions[0]: Required value: expected a@1.1 in spec.machineImages, too`,
    ],
  ])('%s is refused', async (_, spec, message) => {
    expect(await messageOf(namespacedWith(spec), {})).toContain(message)
  })

  const mutated = async (object: KubernetesObject) => {
    const sent = { operation: 'UPDATE', object, oldObject: object } as const
    const answer = await sendReview(mutator, sent, { subresource: 'status' })
    if (answer.allowed)
      expect((await sendReviewAgain(mutator, sent, answer, { subresource: 'status' })).patch).toEqual([])
    return answer
  }
  const statusOf = (machineImages: unknown, more: object = {}) => ({
    cloudProfileSpec: { providerConfig: configOf(machineImages), ...more },
  })
  const mergedOf = async (object: KubernetesObject) => {
    const { object: after } = await mutated(object)
    return (after as { status?: { cloudProfileSpec?: { providerConfig?: { machineImages?: unknown } } } })
      .status?.cloudProfileSpec?.providerConfig?.machineImages
  }

  test('has the images of both in its status, and its own override the parent’s', async () => {
    const spec = { providerConfig: configOf(images(['a', '1.1'], ['b', '2.0'])) }
    const before = [
      {
        name: 'a',
        versions: [
          { version: '1.0', image: 'a:1.0' },
          { version: '1.1', image: 'old' },
        ],
      },
    ]
    expect(await mergedOf(namespacedWith(spec, statusOf(before)))).toEqual([
      {
        name: 'a',
        versions: [
          { version: '1.0', image: 'a:1.0' },
          { version: '1.1', image: 'a:1.1' },
        ],
      },
      { name: 'b', versions: [{ version: '2.0', image: 'b:2.0' }] },
    ])
  })

  test('has images in the format of its parent in its status', async () => {
    const plain = { providerConfig: configOf(images(['b', '2.0'])) }
    expect(await mergedOf(namespacedWith(plain, statusOf([], { machineCapabilities })))).toEqual([
      { name: 'b', versions: [{ version: '2.0', capabilityFlavors: [{ image: 'b:2.0' }] }] },
    ])
    const flavored = { providerConfig: configOf(one({ capabilityFlavors: [amd, arm] })) }
    expect(await mergedOf(namespacedWith(flavored, statusOf([])))).toEqual(one({ image: 'a:amd' }))
    expect(await mergedOf(namespacedWith(flavored, statusOf([], { machineCapabilities })))).toEqual(
      one({ capabilityFlavors: [amd, arm] }),
    )
  })

  test.each<[string, KubernetesObject]>([
    ['without a config', namespacedWith({}, statusOf([]))],
    [
      'before Gardener has written the status of its generation',
      namespacedWith(
        { providerConfig: configOf(images(['b', '2'])) },
        { ...statusOf([]), observedGeneration: 1 },
      ),
    ],
    [
      'without a config in its status',
      namespacedWith({ providerConfig: configOf(images(['b', '2'])) }, { cloudProfileSpec: {} }),
    ],
  ])('%s is unchanged', async (_, object) => {
    expect((await mutated(object)).patch).toEqual([])
  })

  test('that cannot be decoded is refused, also for its status', async () => {
    const { allowed, message } = await mutated(namespacedWith({ providerConfig: 7 }, statusOf([])))
    expect([allowed, message]).toEqual([false, expect.stringContaining('could not decode providerConfig')])
  })
})
