import { describe, expect, test } from 'vitest'
import type { MachinesProfile } from '../config/cloud-profile.ts'
import type { StatusImage } from '../config/worker-status.ts'
import { desiredMachines } from '../desired-machines.ts'
import { poolOf, requestOf } from '../testing/request.ts'

const machineCapabilities = [
  { name: 'architecture', values: ['amd64', 'arm64'] },
  { name: 'hypervisor', values: ['gen2', 'gen1'] },
]
const region = 'eu-west-1'
const flavor = (ami: string, capabilities: Readonly<Record<string, readonly string[]>>) => ({
  capabilities,
  regions: [
    { name: region, ami: `${ami}-former` },
    { name: 'us-east-1', ami: 'ami-elsewhere' },
    { name: region, ami },
  ],
})
const profileOf = (
  flavors: readonly object[],
  types: readonly object[] = [{ name: 'm5.large', capabilities: { architecture: ['amd64'] } }],
) =>
  ({
    machineCapabilities,
    machineTypes: types,
    providerConfig: {
      machineImages: [
        { name: 'gardenlinux', versions: [{ version: '1877.3.0', capabilityFlavors: flavors }] },
      ],
    },
  }) as unknown as MachinesProfile

const statusOf = (...machineImages: readonly Partial<StatusImage>[]) => ({
  apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'WorkerStatus',
  machineImages: machineImages.map(image => ({ name: 'gardenlinux', version: '1877.3.0', ...image })),
})

/** Returns the AMI of a pool, or the reason why it has none, and the status. */
const imageFor = (fields: Parameters<typeof requestOf>[0]) => {
  const { pools, providerStatus } = desiredMachines(requestOf(fields))
  const [pool] = pools
  return {
    ami: pool?.kind === 'classes' ? pool.zones[0]?.content.providerSpec.ami : pool?.error.message,
    images: (providerStatus as { readonly machineImages?: readonly object[] } | undefined)?.machineImages,
  }
}

describe('in a CloudProfile with capabilities', () => {
  test('the last entry of the region takes effect', () => {
    const cloudProfile = profileOf([flavor('ami-1', { architecture: ['amd64'] })])
    expect(imageFor({ cloudProfile }).ami).toBe('ami-1')
  })

  test('the preferred values take precedence, in the order of the definitions', () => {
    const cloudProfile = profileOf([
      flavor('ami-gen1', { architecture: ['amd64'], hypervisor: ['gen1'] }),
      flavor('ami-gen2', { architecture: ['amd64'], hypervisor: ['gen2'] }),
    ])
    expect(imageFor({ cloudProfile }).ami).toBe('ami-gen2')
  })

  test('a machine type without an architecture gets that of the pool', () => {
    const cloudProfile = profileOf(
      [flavor('ami-amd', { architecture: ['amd64'] }), flavor('ami-arm', { architecture: ['arm64'] })],
      [{ name: 'm5.large' }],
    )
    expect(imageFor({ cloudProfile, pools: [poolOf({ architecture: 'arm64' })] }).ami).toBe('ami-arm')
    expect(imageFor({ cloudProfile }).ami).toBe('ami-amd')
  })

  test('two images that fit equally well are an error that names both (W12)', () => {
    const cloudProfile = profileOf([
      flavor('ami-1', { architecture: ['amd64'] }),
      flavor('ami-2', { architecture: ['amd64'] }),
    ])
    expect(imageFor({ cloudProfile }).ami).toContain(
      'could not find machine image for gardenlinux/1877.3.0/amd64/eu-west-1 neither in cloud profile nor in worker status: ami-1 and ami-2 of the cloud profile match equally well',
    )
  })

  test('an image that does not fit is reported with its capabilities (W12)', () => {
    const cloudProfile = profileOf([flavor('ami-1', { architecture: ['arm64'] })])
    expect(imageFor({ cloudProfile, providerStatus: statusOf() }).ami).toContain(
      'no machine image found for image "gardenlinux" with version "1877.3.0" and capabilities map[architecture:[amd64]]: the cloud profile has ami-1 with map[architecture:[arm64]], but the machine has map[architecture:[amd64]]',
    )
  })

  test('an image of the status with an architecture fits only that architecture (W3)', () => {
    const types = [
      { name: 'm5.large', capabilities: { architecture: ['amd64'] } },
      { name: 'm6g.large', capabilities: { architecture: ['arm64'] } },
    ]
    const providerStatus = statusOf(
      { ami: 'ami-amd', architecture: 'amd64' },
      { ami: 'ami-arm', architecture: 'arm64' },
    )
    const cloudProfile = profileOf([], types)
    const pools = [poolOf({ machineType: 'm6g.large', architecture: 'arm64' })]
    expect(imageFor({ cloudProfile, providerStatus, pools })).toEqual({
      ami: 'ami-arm',
      images: [
        {
          name: 'gardenlinux',
          version: '1877.3.0',
          ami: 'ami-arm',
          capabilities: { architecture: ['arm64'] },
        },
      ],
    })
    expect(imageFor({ cloudProfile, providerStatus }).ami).toBe('ami-amd')
  })
})

describe('a CloudProfile without capabilities', () => {
  const gone = { machineTypes: [{ name: 'm5.large' }] }

  test('an image missing in the CloudProfile is taken from the status, by the architecture of the pool', () => {
    const providerStatus = statusOf(
      { ami: 'ami-other', name: 'other' },
      { ami: 'ami-old', version: '1' },
      { ami: 'ami-arm', architecture: 'arm64' },
      { ami: 'ami-unsaid' },
    )
    expect(imageFor({ cloudProfile: gone, providerStatus })).toEqual({
      ami: 'ami-unsaid',
      images: [{ name: 'gardenlinux', version: '1877.3.0', ami: 'ami-unsaid', architecture: 'amd64' }],
    })
    const pools = [poolOf({ architecture: 'arm64' })]
    expect(imageFor({ cloudProfile: gone, providerStatus, pools }).ami).toBe('ami-arm')
  })

  test('each image is in the status once, and there is none without pools', () => {
    const pools = [poolOf(), poolOf({ name: 'b' }), poolOf({ name: 'c', architecture: 'arm64' })]
    expect(imageFor({ pools }).images).toMatchObject([{ architecture: 'amd64' }, { architecture: 'arm64' }])
    expect(imageFor({ pools: [] }).images).toBeUndefined()
  })

  test('an image remains in the status while any pool has a problem', () => {
    const providerStatus = statusOf({ ami: 'ami-old', version: '1.0.0', architecture: 'amd64' })
    const pools = [poolOf(), poolOf({ name: 'b', machineType: 'x9.huge' })]
    expect(imageFor({ pools, providerStatus }).images).toMatchObject([
      { ami: 'ami-amd64' },
      { ami: 'ami-old', version: '1.0.0' },
    ])
    expect(imageFor({ pools: [poolOf()], providerStatus }).images).toHaveLength(1)
  })
})
