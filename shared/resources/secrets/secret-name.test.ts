import { describe, expect, test } from 'vitest'
import { controlPlaneCases } from '../../../test/beside/beside.ts'
import { readStored } from '../../../test/recorded/stored.ts'
import { dataChecksum, isSecretNameOf, referenceTo, secretNameOf } from './secret-name.ts'

const bytes = (data: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(data).map(([key, text]) => [key, Buffer.from(text)]))

/** The exact bytes that the Go extension wrote for a shoot. */
const configuration = `
---
# Source: cloud-provider-config/templates/cloud-provider-config.yaml
apiVersion: v1
kind: ConfigMap
metadata:
  name: cloud-provider-config
  namespace: shoot--cp--default
data:
  cloudprovider.conf: |
    [Global]
    VPC="vpc-0123456789abcdef0"
    SubnetID="subnet-0aaaaaaaaaaaaaaa3"
    DisableSecurityGroupIngress=true
    KubernetesClusterTag="shoot--cp--default"
    KubernetesClusterID="shoot--cp--default"
    Zone="eu-west-1a"
    # https://github.com/kubernetes/cloud-provider-aws/issues/638
    NodeIPFamilies="ipv4"
`

test('the name of a Secret ends with the checksum of its data, as in Gardener', () => {
  const name = secretNameOf(
    { name: 'extension-controlplane-configuration-seed' },
    bytes({ 'cloud-provider-config': configuration }),
  )
  expect(name).toBe('extension-controlplane-configuration-seed-bcfbf450')
  expect(referenceTo(name)).toEqual({ 'reference.resources.gardener.cloud/secret-5553c74b': name })
})

test('a Secret may have a prefix', () => {
  expect(secretNameOf({ name: 'one', secretPrefix: 'managedresource-' }, {})).toMatch(
    /^managedresource-one-[0-9a-f]{8}$/,
  )
})

test('the checksum covers the values in the order of their keys, but not the keys', () => {
  expect(dataChecksum(bytes({ a: '1', b: '2' }))).toBe(dataChecksum(bytes({ y: '2', x: '1' })))
  expect(dataChecksum(bytes({ a: '1', b: '2' }))).not.toBe(dataChecksum(bytes({ a: '2', b: '1' })))
})

test.each([
  ['one-01234567', true],
  ['one-two-01234567', false],
  ['one', false],
  ['one-0123456', false],
  ['one-0123456x', false],
  ['managedresource-one-01234567', false],
])('%s is the name of a Secret of the ManagedResource one: %s', (name, isIt) => {
  expect(isSecretNameOf({ name: 'one' }, name)).toBe(isIt)
})

describe('the recorded ManagedResources of control planes', () => {
  const references = controlPlaneCases.flatMap(name => {
    const { managedResources } = Object(readStored(`controlplane/${name}.json`))
    return Object.entries<{ annotations?: Record<string, string> }>(managedResources).flatMap(
      ([name, { annotations = {} }]) =>
        Object.entries(annotations).map(([key, value]) => ({ name, key, value })),
    )
  })
  const exact = references.filter(({ key, value }) => !`${key}${value}`.includes('<'))

  test('recorded ManagedResources reference their Secrets in the same way', () => {
    expect(exact.length).toBeGreaterThan(20)
    for (const { name, key, value } of exact) {
      expect(referenceTo(value)).toEqual({ [key]: value })
      expect(isSecretNameOf({ name }, value)).toBe(true)
    }
  })
})
