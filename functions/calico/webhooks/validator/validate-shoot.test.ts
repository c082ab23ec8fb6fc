import { describe, expect, test } from 'vitest'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { validateShoot } from './validate-shoot.ts'

const shootWith = (spec: object): KubernetesObject => ({
  apiVersion: 'core.gardener.cloud/v1beta1',
  kind: 'Shoot',
  metadata: { name: 'rose', namespace: 'garden-dev' },
  spec: { networking: { type: 'calico' }, provider: { workers: [{ name: 'pool' }] }, ...spec },
})

const refusalOf = async (spec: object): Promise<readonly string[]> => {
  const lookup = { get: async () => undefined, list: async () => ({ items: [], resourceVersion: '1' }) }
  const outcome = await validateShoot(
    {
      uid: '1',
      operation: 'CREATE',
      resource: { group: 'core.gardener.cloud', version: 'v1beta1', plural: 'shoots' },
      name: 'rose',
      namespace: 'garden-dev',
      object: shootWith(spec),
      dryRun: false,
    },
    lookup,
    {},
  )
  return outcome.refused?.problems ?? []
}
const network = (providerConfig: unknown, more: object = {}) => ({
  networking: { type: 'calico', providerConfig, ...more },
})

describe('a Shoot', () => {
  test.each([
    ['that says nothing', {}],
    ['without nodes', { ...network({ foo: 1 }), provider: { workers: [] } }],
    [
      'without kube-proxy, in the eBPF mode',
      { ...network({ ebpfDataplane: { enabled: true } }), kubernetes: { kubeProxy: { enabled: false } } },
    ],
    ['of two families', network({ ipv6: { sourceNATEnabled: true } }, { ipFamilies: ['IPv4', 'IPv6'] })],
  ])('%s is allowed', async (_, spec) => {
    expect(await refusalOf(spec)).toEqual([])
  })

  test.each([
    [
      'without kube-proxy',
      { kubernetes: { kubeProxy: { enabled: false } } },
      'spec.kubernetes.kubeProxy.enabled: Forbidden: Disabling kube-proxy is forbidden in conjunction with calico without running in ebpf dataplane',
    ],
    [
      'with a field that is unknown',
      network({ foo: 1 }),
      'spec.networking.providerConfig: Invalid value: strict decoding error: unknown field "foo"',
    ],
    [
      'with a mode that the pool has not',
      network({ ipv4: { pool: 'vxlan', mode: 'Off' } }),
      'spec.networking.providerConfig.ipv4.mode: Unsupported value: "Off": expected Always or Never with the pool vxlan',
    ],
    [
      'with a range that is none',
      network({}, { pods: '10.0.0.0/40' }),
      'spec.networking.pods: Invalid value: "10.0.0.0/40": expected a CIDR such as 10.0.0.0/16',
    ],
    [
      'with a family that is none',
      network({}, { ipFamilies: ['IPv5'] }),
      'spec.networking.ipFamilies: Invalid value: ["IPv5"]: expected IPv4, IPv6 or both',
    ],
    [
      'with a family twice',
      network({}, { ipFamilies: ['IPv4', 'IPv4'] }),
      'spec.networking.ipFamilies: Invalid value: ["IPv4","IPv4"]: expected each family once',
    ],
    [
      'that is malformed',
      { networking: 'x' },
      'spec.networking: Invalid value: "x": expected an object, found a string',
    ],
  ])('%s is refused with the field', async (_, spec, problem) => {
    expect(await refusalOf(spec)).toEqual([problem])
  })
})
