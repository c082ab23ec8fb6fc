import { describe, expect, test } from 'vitest'
import { chooseMachine } from './choose-machine.ts'

const now = Date.parse('2026-11-21T00:00:00Z')
const region = 'eu-west-1'
const choose = (profile: object) => chooseMachine(profile, region, now)

const type = (name: string, cpu: string, more: object = { architecture: 'amd64' }) => ({ name, cpu, ...more })
const version = (text: string, more: object = {}) => ({ version: text, classification: 'supported', ...more })
const image = (name: string, ...versions: object[]) => ({ name, versions })
/** Maps each version to an AMI of the same name. */
const mapped = (name: string, ...versions: readonly string[]) => ({
  name,
  versions: versions.map(text => ({
    version: text,
    regions: [
      { name: 'us-east-1', ami: 'ami-elsewhere' },
      { name: region, ami: `ami-${name}-${text}-amd64` },
      { name: region, ami: `ami-${name}-${text}-arm64`, architecture: 'arm64' },
    ],
  })),
})
const profile = {
  machineTypes: [type('big', '4'), type('small', '1'), type('small-too', '1')],
  machineImages: [image('linux', version('1.0.0')), image('other', version('9.0.0'))],
  providerConfig: {
    machineImages: [mapped('linux', '1.0.0', '1.9.0', '1.10.0', '2.0.0'), mapped('other', '9.0.0')],
  },
}

describe('the machine type', () => {
  test('has the fewest CPUs, and is the first of equal ones', () => {
    expect(choose(profile).type).toBe('small')
  })

  test('must be usable and declare its architecture', () => {
    const machineTypes = [
      type('locked', '1', { architecture: 'amd64', usable: false }),
      type('unsaid', '1', {}),
      type('left', '8'),
    ]
    expect(choose({ ...profile, machineTypes }).type).toBe('left')
  })

  test('has an architecture with an image, even if it is the first in the list', () => {
    const machineTypes = [type('arm', '1', { architecture: 'arm64' }), type('left', '8')]
    expect(choose({ ...profile, machineTypes }).type).toBe('left')
    const machineImages = [image('linux', version('1.0.0', { architectures: ['arm64'] }))]
    expect(choose({ ...profile, machineTypes, machineImages })).toEqual({
      type: 'arm',
      ami: 'ami-linux-1.0.0-arm64',
    })
  })

  test('is the one that the CloudProfile sets for bastions', () => {
    expect(choose({ ...profile, bastion: { machineType: { name: 'big' } } }).type).toBe('big')
  })

  test('is chosen by whole CPUs of a quantity', () => {
    const machineTypes = [type('two', '2'), type('half', '500m'), type('odd', 'many')]
    expect(choose({ ...profile, machineTypes }).type).toBe('half')
  })
})

describe('the image', () => {
  const versions = (...all: object[]) => ({ ...profile, machineImages: [image('linux', ...all)] })

  test('is the first one that fits, in its latest supported version', () => {
    const machineImages = [
      image('linux', version('1.9.0'), version('1.10.0'), version('2.0.0', { classification: 'preview' })),
      image('other', version('9.0.0')),
    ]
    expect(choose({ ...profile, machineImages }).ami).toBe('ami-linux-1.10.0-amd64')
  })

  test('is a later one if the first has no supported version', () => {
    const machineImages = [
      image('linux', version('1.0.0', { classification: 'deprecated' })),
      image('other', version('9.0.0')),
    ]
    expect(choose({ ...profile, machineImages }).ami).toBe('ami-other-9.0.0-amd64')
  })

  test('is the one that the CloudProfile sets for bastions, with its version if set', () => {
    const bastion = { machineImage: { name: 'other' } }
    expect(choose({ ...profile, bastion }).ami).toBe('ami-other-9.0.0-amd64')
    const named = { machineImage: { name: 'linux', version: '1.0.0' } }
    expect(choose({ ...versions(version('1.0.0'), version('2.0.0')), bastion: named }).ami).toBe(
      'ami-linux-1.0.0-amd64',
    )
  })

  test('may be one without details if it is set explicitly', () => {
    const named = { machineImage: { name: 'linux', version: '1.0.0' } }
    expect(choose({ ...versions({ version: '1.0.0' }), bastion: named }).ami).toBe('ami-linux-1.0.0-amd64')
  })

  test.each<[string, object, string]>([
    ['with an unknown name', { name: 'gone' }, 'bastion.machineImage.name: unknown machine image gone'],
    [
      'in an unknown version',
      { name: 'linux', version: '7.0.0' },
      'bastion.machineImage.version: machine image linux has no version 7.0.0',
    ],
    [
      'in a version that is not supported',
      { name: 'linux', version: '1.0.0' },
      'bastion.machineImage.version: expected a supported version, found 1.0.0',
    ],
  ])('%s is refused', (_, machineImage, message) => {
    const machineImages = [image('linux', version('1.0.0', { classification: 'deprecated' }))]
    expect(() => choose({ ...profile, machineImages, bastion: { machineImage } })).toThrow(message)
  })

  test('without a machine type is an error', () => {
    const machineImages = [image('linux', version('1.0.0', { architectures: ['arm64'] }))]
    expect(() => choose({ ...profile, machineImages })).toThrow(
      'spec.cloudProfile.spec.machineTypes: no usable machine type has an architecture of the supported images (arm64). Set spec.cloudProfile.spec.bastion.machineType',
    )
    const bastion = { machineType: { name: 'small' } }
    expect(() => choose({ ...profile, machineImages, bastion })).toThrow(
      'spec.cloudProfile.spec.machineImages: no image that a bastion may use supports small (architecture amd64). Classify a version as supported, or set spec.cloudProfile.spec.bastion.machineImage',
    )
  })
})

describe('in a CloudProfile with capabilities', () => {
  const machineCapabilities = [
    { name: 'architecture', values: ['amd64', 'arm64'] },
    { name: 'hypervisor', values: ['gen2', 'gen1', 'gen0'] },
  ]
  const flavor = (architecture: string, hypervisor: string) => ({
    architecture: [architecture],
    hypervisor: [hypervisor],
  })
  const amiFor = (architecture: string, hypervisor: string) => ({
    capabilities: flavor(architecture, hypervisor),
    regions: [{ name: region, ami: `ami-${architecture}-${hypervisor}` }],
  })
  const capable = (capabilities: object, capabilityFlavors: object[] = []) => ({
    machineCapabilities,
    machineTypes: [type('only', '1', { capabilities })],
    machineImages: [image('linux', version('1.0.0', { capabilityFlavors }))],
    providerConfig: {
      machineImages: [
        {
          name: 'linux',
          versions: [
            {
              version: '1.0.0',
              capabilityFlavors: [
                amiFor('amd64', 'gen1'),
                amiFor('amd64', 'gen2'),
                amiFor('amd64', 'gen0'),
                amiFor('arm64', 'gen2'),
              ],
            },
          ],
        },
      ],
    },
  })

  test('the AMI is the one that fits best', () => {
    const both = { architecture: ['amd64'], hypervisor: ['gen0', 'gen1', 'gen2'] }
    expect(choose(capable(both)).ami).toBe('ami-amd64-gen2')
    expect(choose(capable(flavor('amd64', 'gen1'))).ami).toBe('ami-amd64-gen1')
    expect(choose(capable({ architecture: ['arm64'] })).ami).toBe('ami-arm64-gen2')
  })

  test('a version fits machines that match one of its flavors', () => {
    expect(() => choose(capable(flavor('amd64', 'gen1'), [flavor('amd64', 'gen2')]))).toThrow(
      'no image that a bastion may use supports only (architecture amd64, hypervisor gen1)',
    )
  })

  test('a type without a single architecture is not used', () => {
    expect(() => choose(capable({ hypervisor: ['gen1'] }))).toThrow('machineTypes: no usable machine type')
  })
})

test('a CloudProfile of another form is refused with the field', () => {
  expect(() => choose({ machineTypes: [{ name: 7 }] })).toThrow(
    'spec.cloudProfile.spec.machineTypes[0].name: expected a string, found a number',
  )
})
