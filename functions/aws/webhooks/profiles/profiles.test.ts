import { describe, expect, test } from 'vitest'
import {
  capabilityProfileWith,
  cloudProfileWith,
  gardenWith,
  mutate,
  namespacedProfileWith,
  type Otherwise,
  observedProfileWith,
  validate,
  valueAt,
} from '../testing/reviews.ts'

const version = 'spec.providerConfig.machineImages.0.versions.0'
const amd = { architecture: ['amd64'], boot: ['uefi'] }
const arm = { architecture: ['arm64'], boot: ['uefi'] }
const region = { name: 'eu-west-1', ami: 'ami-1' }

describe('a CloudProfile is refused', () => {
  test.each<[string, Otherwise, string]>([
    [
      'whose version is said in both formats',
      { [`${version}.regions`]: [region] },
      'spec.providerConfig.machineImages[0].versions[0].regions: Forbidden: expected none beside capabilityFlavors, which have their own regions',
    ],
    [
      'with a capability that it does not have',
      { [`${version}.capabilityFlavors.0.capabilities.net`]: ['fast'] },
      'spec.providerConfig.machineImages[0].versions[0].capabilityFlavors[0].capabilities.net: Unsupported value: ["fast"]: expected one of the machineCapabilities of the profile (architecture, boot)',
    ],
    [
      'with a value that the capability does not have',
      { [`${version}.capabilityFlavors.0.capabilities.boot`]: ['floppy'] },
      'spec.providerConfig.machineImages[0].versions[0].capabilityFlavors[0].capabilities.boot: Unsupported value: ["floppy"]: expected values of uefi, bios, found "floppy"',
    ],
    [
      'with flavors, and no capabilities',
      { 'spec.machineCapabilities': undefined },
      'spec.providerConfig.machineImages[0].versions[0].capabilityFlavors: Forbidden: expected none because the profile has no machineCapabilities. Use regions, each with an architecture',
    ],
    [
      'whose flavor has no AMI, told with the capabilities sorted',
      {},
      'spec.machineImages[0].versions[0].capabilityFlavors[1]: Required value: expected an AMI of gardenlinux@1877.3.0 with map[architecture:[arm64] boot:[uefi]] in spec.providerConfig, found none',
    ],
    [
      'whose flavor has no region',
      { [`${version}.capabilityFlavors.0.regions`]: [] },
      'spec.providerConfig.machineImages[0].versions[0].capabilityFlavors[0].regions: Required value: expected the AMI of at least one region, found nothing',
    ],
  ])('%s', async (_, other, message) => {
    expect((await validate(capabilityProfileWith(other))).message).toContain(message)
  })

  test('if its spec is not one', async () => {
    expect((await validate(cloudProfileWith({ 'spec.machineImages': 7 }))).message).toBe(
      'spec.machineImages: Invalid value: 7: expected a list, found a number',
    )
  })
})

test('AMIs by architecture match flavors, too', async () => {
  const mapped = {
    [`${version}.capabilityFlavors`]: undefined,
    [`${version}.regions`]: [region, { ...region, architecture: 'arm64' }],
    'spec.machineImages.0.versions.0.capabilityFlavors': [
      { architecture: ['amd64'] },
      { architecture: ['arm64'] },
    ],
  }
  expect(await validate(capabilityProfileWith(mapped))).toMatchObject({ allowed: true })
})

test('AMIs by architecture match flavors with more capabilities', async () => {
  const other = (...flavors: readonly object[]) => ({
    [`${version}.capabilityFlavors`]: undefined,
    [`${version}.regions`]: [region],
    'spec.machineImages.0.versions.0.capabilityFlavors': flavors,
  })
  expect(await validate(capabilityProfileWith(other(amd)))).toMatchObject({ allowed: true })
  expect((await validate(capabilityProfileWith(other(amd, arm)))).message).toContain(
    'spec.machineImages[0].versions[0].capabilityFlavors[1]: Required value',
  )
})

describe('flavors are derived from the AMIs', () => {
  const flavors = (object: unknown) =>
    JSON.stringify(valueAt(object, 'spec.machineImages')).match(/"capabilityFlavors":(\[.*?\}\])/)?.[1]

  test('and other flavors of the user are overwritten with a warning', async () => {
    const { object, warnings } = await mutate(capabilityProfileWith())
    expect(flavors(object)).toBe(JSON.stringify([amd]))
    expect(warnings).toEqual([
      'spec.machineImages: capabilityFlavors of gardenlinux@1877.3.0 were replaced by those of spec.providerConfig, which describe its AMIs',
    ])
  })

  test('and no warning is given for no flavors or the same ones', async () => {
    const path = 'spec.machineImages.0.versions.0.capabilityFlavors'
    const none = await mutate(capabilityProfileWith({ [path]: undefined }))
    expect([flavors(none.object), none.warnings]).toEqual([JSON.stringify([amd]), []])
    const same = capabilityProfileWith({ [path]: [amd] })
    expect(await mutate(same)).toMatchObject({ object: same, warnings: [] })
  })

  test('flavors of AMIs by architecture: one each, sorted', async () => {
    const { object } = await mutate(
      capabilityProfileWith({
        [`${version}.capabilityFlavors`]: undefined,
        [`${version}.regions`]: [{ ...region, architecture: 'arm64' }, region, region],
      }),
    )
    expect(flavors(object)).toBe('[{"architecture":["amd64"]},{"architecture":["arm64"]}]')
  })

  test('flavors of a namespaced profile are derived if its parent has capabilities', async () => {
    const profile = namespacedProfileWith({
      'spec.parent.name': 'aws-caps',
      [`${version}.regions`]: undefined,
      [`${version}.capabilityFlavors`]: [{ capabilities: arm, regions: [region] }],
    })
    const { object } = await mutate(profile)
    expect(flavors(object)).toBe(JSON.stringify([arm]))
  })

  test.each<[string, Otherwise, string]>([
    [
      'a config that cannot be read',
      { 'spec.providerConfig.foo': 1 },
      `could not decode providerConfig of namespacedCloudProfile spec for 'n': strict decoding error: unknown field "foo"`,
    ],
    [
      'a parent that is not there',
      { 'spec.parent.name': 'none' },
      'CloudProfile.core.gardener.cloud "none" not found',
    ],
  ])('but flavors are not derived with %s', async (_, other, message) => {
    expect(await mutate(namespacedProfileWith(other))).toMatchObject({ allowed: false, message })
  })
})

describe('the merged AMIs of a namespaced profile', () => {
  const status = 'status.cloudProfileSpec.providerConfig.machineImages'
  const images = (names: readonly string[]) =>
    names.map(name => ({ name, versions: [{ version: '1', regions: [region] }] }))
  const namesIn = (object: unknown) => (valueAt(object, status) as { name: string }[]).map(({ name }) => name)

  test('retain the order of the parent, with new ones last', async () => {
    const { object } = await mutate(
      observedProfileWith({
        [status]: images(['d', 'b', 'c']),
        'spec.providerConfig.machineImages': images(['a', 'c', 'e']),
      }),
    )
    expect(namesIn(object)).toEqual(['d', 'b', 'c', 'a', 'e'])
  })

  test('come from the namespaced profile if both have a version, and retain unknown fields', async () => {
    const { object } = await mutate(
      observedProfileWith({
        [status]: [
          {
            name: 'a',
            hat: 1,
            versions: [
              { version: '1', regions: [], old: true },
              { version: '2', regions: [] },
            ],
          },
        ],
        'spec.providerConfig.machineImages': images(['a']),
      }),
    )
    expect(valueAt(object, status)).toEqual([
      {
        name: 'a',
        hat: 1,
        versions: [
          { version: '1', regions: [region] },
          { version: '2', regions: [] },
        ],
      },
    ])
  })

  test.each<[string, Otherwise]>([
    ['of another generation', { 'metadata.generation': 2 }],
    [
      'without an observed generation',
      { 'status.observedGeneration': undefined, 'metadata.generation': undefined },
    ],
    ['without a config of the parent', { 'status.cloudProfileSpec.providerConfig': undefined }],
  ])('are not derived from a status %s', async (_, other) => {
    const profile = observedProfileWith(other)
    expect((await mutate(profile)).object).toEqual(profile)
  })
})

describe('a namespaced profile', () => {
  test('is refused if its parent is not a CloudProfile', async () => {
    expect((await validate(namespacedProfileWith({ 'spec.parent.kind': 'Foo' }))).message).toBe(
      'parent reference must be of kind CloudProfile (unsupported kind: "Foo")',
    )
  })

  test('is refused with AMIs of a version that it does not have', async () => {
    const { message } = await validate(
      namespacedProfileWith({ 'spec.machineImages.0.versions': [{ version: '3.0.0' }] }),
    )
    expect(message).toBe(
      '[spec.providerConfig.machineImages: Required value: expected AMIs of gardenlinux@3.0.0, found none, spec.providerConfig.machineImages[0].versions[0]: Required value: expected gardenlinux@2000.0.0 in spec.machineImages, too, found nothing]',
    )
  })

  test('is refused if a region lacks a flavor or has an extra one', async () => {
    const profile = namespacedProfileWith({
      'spec.parent.name': 'aws-caps',
      'spec.machineImages.0.versions.0.capabilityFlavors': [amd],
      [`${version}.regions`]: undefined,
      [`${version}.capabilityFlavors`]: [{ capabilities: arm, regions: [region] }],
    })
    expect((await validate(profile)).message).toBe(
      '[spec.providerConfig.machineImages: Forbidden: expected no AMI of gardenlinux@2000.0.0 in eu-west-1 with map[architecture:[arm64] boot:[uefi]]: spec.machineImages does not contain it, spec.providerConfig.machineImages: Required value: expected an AMI of gardenlinux@2000.0.0 in eu-west-1 with map[architecture:[amd64] boot:[uefi]], found none]',
    )
  })

  describe('with AMIs by architecture under a parent with capabilities', () => {
    const profileOf = (flavors: readonly object[], ...architectures: readonly string[]) =>
      namespacedProfileWith({
        'spec.parent.name': 'aws-caps',
        'spec.machineImages.0.versions.0.capabilityFlavors': flavors,
        [`${version}.regions`]: architectures.map((architecture, index) => ({
          ...region,
          name: `eu-west-${index + 1}`,
          architecture,
        })),
      })

    test.each<[string, readonly object[], readonly string[]]>([
      ['a flavor that says more', [amd], ['amd64']],
      ['a flavor of two architectures', [{ architecture: ['amd64', 'arm64'] }], ['amd64', 'arm64']],
      ['architectures of different regions', [amd, arm], ['amd64', 'arm64']],
      ['no flavor, which is for all architectures', [], ['amd64', 'arm64']],
    ])('may have %s', async (_, flavors, architectures) => {
      expect(await validate(profileOf(flavors, ...architectures))).toMatchObject({
        message: '',
        allowed: true,
      })
    })

    test('is refused if an architecture is extra or missing', async () => {
      expect((await validate(profileOf([arm], 'amd64'))).message).toBe(
        '[spec.providerConfig.machineImages: Forbidden: expected no AMI of gardenlinux@2000.0.0 for amd64: spec.machineImages does not contain it, spec.providerConfig.machineImages: Required value: expected an AMI of gardenlinux@2000.0.0 for arm64, found none]',
      )
    })
  })

  test('is ignored while it is being deleted', async () => {
    const gone = { 'metadata.deletionTimestamp': '2026-01-01T00:00:00Z', 'spec.parent.name': 'none' }
    expect(await validate(namespacedProfileWith(gone), { garden: gardenWith() })).toMatchObject({
      allowed: true,
    })
  })
})
