import { describe, expect, test } from 'vitest'
import type { OperatingSystemConfig } from '../../../shared/contract/objects.ts'
import { configOfType, partsWith } from '../../../shared/operating-system-config/testing/parts.ts'
import { gardenLinux } from './garden-linux.ts'

const parts = partsWith('x')
const script = gardenLinux.userData({ object: configOfType('gardenlinux'), parts })
const ofMemoryOne = (providerConfig?: unknown, text = 'x') =>
  gardenLinux.userData({
    object: configOfType('memoryone-gardenlinux', {
      ...(providerConfig !== undefined && { providerConfig }),
    } as Partial<OperatingSystemConfig['spec']>),
    parts: partsWith(text),
  })
const config = {
  apiVersion: 'memoryone-gardenlinux.os.extensions.gardener.cloud/v1alpha1',
  kind: 'OperatingSystemConfiguration',
}

test('FIPS does not change the user data', () => {
  expect(gardenLinux.userData({ object: configOfType('gardenlinux-fips'), parts })).toBe(script)
})

describe('vSMP memory', () => {
  const withSettings = (settings: string) => `Content-Type: multipart/mixed; boundary="==BOUNDARY=="
MIME-Version: 1.0
--==BOUNDARY==
Content-Type: text/x-vsmp; section=vsmp${settings}
--==BOUNDARY==
Content-Type: text/x-shellscript
${script}
--==BOUNDARY==`

  test.each([
    ['none without a configuration', undefined, ''],
    ['defaults of an empty one', config, '\nsystem_memory=6x\nmem_topology=2'],
    [
      'defaults in place of empty texts',
      { ...config, systemMemory: '', memoryTopology: '' },
      '\nsystem_memory=6x\nmem_topology=2',
    ],
    [
      'those that are given',
      { ...config, systemMemory: '8x', memoryTopology: '4', unknown: 1 },
      '\nsystem_memory=8x\nmem_topology=4',
    ],
  ])('has settings: %s', (_, providerConfig, settings) => {
    expect(ofMemoryOne(providerConfig)).toBe(withSettings(settings))
  })

  test('uses another boundary if a file would end the part of the script', () => {
    const userData = ofMemoryOne(config, 'a\n--==BOUNDARY==\nContent-Type: text/x-vsmp\n\nevil')
    const [, boundary = ''] = /boundary="(.+)"/.exec(userData) ?? []
    expect(userData.split('\n').filter(line => line === `--${boundary}`)).toHaveLength(3)
    expect(boundary).toMatch(/^==BOUNDARY_[0-9a-f]{16}$/)
  })

  test.each([
    [
      { ...config, kind: 'C' },
      'failed to decode provider config: no kind "C" is registered for version "memoryone-',
    ],
    [{ ...config, apiVersion: 'a/b' }, 'for version "a/b"'],
    [{}, 'no kind "" is registered'],
    [{ ...config, systemMemory: 6 }, 'systemMemory: expected a string'],
    [{ ...config, systemMemory: '6x\n--==BOUNDARY==' }, 'systemMemory: expected one line'],
  ])('refuses the configuration %j', (providerConfig, message) => {
    expect(() => ofMemoryOne(providerConfig)).toThrow(
      expect.objectContaining({
        message: expect.stringContaining(message),
        codes: ['ERR_CONFIGURATION_PROBLEM'],
      }),
    )
  })
})

test.each([
  ['1592.4.0', '1592.4.0'],
  ['1.2.3-foo.4', '1.2.3'],
  ['v1.2.3+build', '1.2.3'],
])('requests version %s as %s', (operatingSystemVersion, release) => {
  const object = configOfType('gardenlinux', {
    purpose: 'reconcile',
    inPlaceUpdates: { operatingSystemVersion, kubelet: '1.33.3' },
  })
  expect(gardenLinux.additions({ object, cluster: undefined }).inPlaceUpdates?.osUpdate?.args).toEqual([
    release,
  ])
})

test.each(['v', 'v-foo', '-1'])('refuses %s because no version remains', operatingSystemVersion => {
  const object = configOfType('gardenlinux', {
    purpose: 'reconcile',
    inPlaceUpdates: { operatingSystemVersion, kubelet: '1.33.3' },
  })
  expect(() => gardenLinux.additions({ object, cluster: undefined })).toThrow(
    'spec.inPlaceUpdates.operatingSystemVersion: expected a version',
  )
})
