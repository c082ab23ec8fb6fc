import { describe, expect, test } from 'vitest'
import { decodeNetworkConfig, isCidr, kubeProxyProblems, networkConfigProblems } from './calico.ts'

const problemsOf = (config: object, families: readonly string[] = ['IPv4']) =>
  networkConfigProblems(decodeNetworkConfig(config), families).map(
    ({ path, message }) => `${path}: ${message}`,
  )

describe('a NetworkConfig', () => {
  test.each([undefined, null, {}])('without fields (%j) turns optional features off', config => {
    expect(decodeNetworkConfig(config)).toEqual({ wireguardEncryption: false })
  })

  test('has its fields, and its sections default to off', () => {
    const config = {
      apiVersion: 'calico.networking.extensions.gardener.cloud/v1alpha1',
      kind: 'NetworkConfig',
      backend: 'bird',
      overlay: { createPodRoutes: true },
      typha: {},
      ipv4: null,
    }
    expect(decodeNetworkConfig(config)).toMatchObject({
      backend: 'bird',
      overlay: { enabled: false, createPodRoutes: true },
      typha: { enabled: false },
    })
    expect(decodeNetworkConfig(config).ipv4).toBeUndefined()
  })

  test.each([
    [{ foo: 1 }, 'strict decoding error: unknown field "foo"'],
    [{ overlay: { enable: true } }, 'unknown field "overlay.enable" (did you mean enabled?)'],
    [{ kind: 'Foo' }, 'kind: expected "NetworkConfig", found "Foo"'],
    [{ apiVersion: 'v2' }, 'apiVersion: expected'],
    [{ backend: 'ebgp' }, 'backend: expected one of "bird", "none", "vxlan", found "ebgp"'],
    [{ ipv4: { pool: 'gre' } }, 'ipv4.pool: expected one of "ipip", "vxlan", found "gre"'],
    [{ ipip: 'Sometimes' }, 'ipip: expected one of'],
    [{ autoScaling: {} }, 'autoScaling.mode: expected one of'],
    [
      { autoScaling: { mode: 'static', resources: { node: { gpu: '1' } } } },
      'unknown field "autoScaling.resources.node.gpu"',
    ],
    [{ serviceLoopPrevention: 'Yes' }, 'serviceLoopPrevention: expected one of'],
    [{ vethMTU: 1440 }, 'vethMTU: expected a string, found a number'],
    [{ vethMTU: 'x'.repeat(5_000) }, 'vethMTU: expected at most 1000 characters'],
    ['text', 'expected an object, found a string'],
    [[], 'expected an object, found a list'],
  ])('%j is refused by its schema', (config, message) => {
    expect(() => decodeNetworkConfig(config)).toThrow(message)
  })
})

describe('the problems of a NetworkConfig', () => {
  test.each<[object, string]>([
    [{ ipam: { cidr: '10.0.0.0/33' } }, 'ipam.cidr: expected usePodCidr or a CIDR, found "10.0.0.0/33"'],
    [
      { ipv4: { pool: 'vxlan', mode: 'CrossSubnet' } },
      'ipv4.mode: expected Always or Never with the pool vxlan, found "CrossSubnet"',
    ],
    [{ ipv6: {} }, 'ipv6: expected nothing: the shoot has no IPv6'],
    [{ vethMTU: '' }, 'vethMTU: expected bytes as a text such as "1440", found ""'],
    [{ vethMTU: '-1' }, 'vethMTU: expected bytes as a text such as "1440", found "-1"'],
    [
      { ipv4: { autoDetectionMethod: 'guess' } },
      'ipv4.autoDetectionMethod: expected first-found, kubernetes-internal-ip, can-reach=, interface=, skip-interface= or cidr=, found "guess"',
    ],
    [
      { ipv4: { autoDetectionMethod: 'first-found=1' } },
      'ipv4.autoDetectionMethod: expected first-found without a parameter, found "first-found=1"',
    ],
    [
      { ipv4: { autoDetectionMethod: 'interface=' } },
      'ipv4.autoDetectionMethod: expected interface= followed by the name of an interface, found "interface="',
    ],
    [
      { ipv4: { autoDetectionMethod: 'cidr=10.0.0.0' } },
      'ipv4.autoDetectionMethod: expected cidr= followed by a CIDR, found "cidr=10.0.0.0"',
    ],
    [
      { ipv4: { autoDetectionMethod: 'can-reach=A B' } },
      'ipv4.autoDetectionMethod: expected can-reach= followed by an address, found "can-reach=A B"',
    ],
    [
      { ipAutodetectionMethod: '' },
      'ipAutodetectionMethod: expected first-found, kubernetes-internal-ip, can-reach=, interface=, skip-interface= or cidr=, found ""',
    ],
    [
      { autoScaling: { mode: 'static', resources: { node: { cpu: '0' } } } },
      'autoScaling.resources.node.cpu: expected a quantity above 0 such as 500m or 1Gi, found "0"',
    ],
    [
      { autoScaling: { mode: 'vpa', resources: { typha: { memory: 'much' } } } },
      'autoScaling.resources.typha.memory: expected a quantity above 0 such as 500m or 1Gi, found "much"',
    ],
  ])('in %j name its field', (config, problem) => {
    expect(problemsOf(config)).toEqual([problem])
  })

  test.each<[readonly string[], object, readonly string[]]>([
    [
      ['IPv4', 'IPv6'],
      { ipam: { type: 'calico-ipam' } },
      ['ipam.type: expected host-local beside IPv6, found "calico-ipam"'],
    ],
    [['IPv4', 'IPv6'], { ipv6: { pool: 'ipip' } }, ['ipv6.pool: expected vxlan, found "ipip"']],
    [
      ['IPv6'],
      { ipv4: {}, ipip: 'Never' },
      ['ipv4: expected nothing: the shoot has no IPv4', 'ipip: expected nothing: the shoot has no IPv4'],
    ],
    [[], { ipv4: { mode: 'Never' } }, []],
  ])('exist for the families %j in %j', (families, config, problems) => {
    expect(problemsOf(config, families)).toEqual(problems)
  })

  test.each([
    'first-found',
    'kubernetes-internal-ip',
    'can-reach=8.8.8.8',
    'can-reach=example.org',
    'interface=(?i)eth.*',
    'skip-interface=lo',
    'cidr=10.0.0.0/8,2001:db8::/32',
  ])('are empty for the address detection %s', autoDetectionMethod => {
    expect(problemsOf({ ipv4: { autoDetectionMethod } })).toEqual([])
  })
})

test.each([
  ['10.0.0.0/16', true],
  ['10.0.0.1/16', true],
  ['2001:db8::/56', true],
  ['10.0.0.0/33', false],
  ['10.0.0.0', false],
  ['10.0.0.0/16/8', false],
  ['010.0.0.0/16', false],
  ['fe80::1%eth0/64', false],
  ['10.0.0.0/ 8', false],
  ['', false],
])('%j is an address range: %s', (text, is) => {
  expect(isCidr(text)).toBe(is)
})

test.each([
  [{}, undefined, 0],
  [{}, { enabled: true }, 0],
  [{}, {}, 0],
  [{}, { enabled: false }, 1],
  [{ ebpfDataplane: { enabled: false } }, { enabled: false }, 1],
  [{ ebpfDataplane: { enabled: true } }, { enabled: false }, 0],
])('Calico with %j and kube-proxy %j has %d problems', (config, kubeProxy, count) => {
  expect(kubeProxyProblems(decodeNetworkConfig(config), kubeProxy)).toHaveLength(count)
})
