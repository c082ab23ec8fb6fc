import { describe, expect, test } from 'vitest'
import { type OpenStackAsked, password, renderedOf } from '../testing/control-plane.ts'

/** The lines of the sections with a name, without the other ones. */
const section = (config: string, name: string): readonly string[] =>
  config
    .split(/^(?=\[)/m)
    .filter(text => text.startsWith(`[${name}`))
    .flatMap(text => text.split('\n').filter(line => line !== ''))

const classesOf = (asked: OpenStackAsked) => section(renderedOf(asked).config, 'LoadBalancer')

describe('the credentials', () => {
  const global = (credentials: Readonly<Record<string, string>>) =>
    section(renderedOf({ credentials }).config, 'Global')
  const { password: _, username: __, ...common } = password

  test('are in each configuration in the seed, and in none of the shoot', () => {
    const { secretText, resources } = renderedOf()
    for (const name of ['cloud-provider-disk-config', 'cloud-provider-disk-config-csi'])
      expect(secretText(name)).toContain('password="planted-secret-value"')
    const shoot = resources.find(({ name }) => name === 'extension-controlplane-shoot')
    const texts = shoot?.objects.map(({ data }) => Object.values(Object(data)).map(value => atob(`${value}`)))
    expect(JSON.stringify(texts)).not.toContain('planted-secret-value')
  })

  test('with a quote and a backslash are escaped (D19)', () => {
    expect(global({ ...password, password: 'a"b\\c' })).toContain('password="a\\"b\\\\c"')
  })

  test('of an application credential have all its names', () => {
    const lines = global({
      ...common,
      username: 'gardener',
      applicationCredentialName: 'app',
      applicationCredentialSecret: 'secret',
    })
    expect(lines.slice(4, 8)).toEqual([
      'username="gardener"',
      'application-credential-id=""',
      'application-credential-name="app"',
      'application-credential-secret="secret"',
    ])
    expect(lines.join()).not.toContain('password')
  })

  test('name the CA and the missing verification', () => {
    const { config, secretText, flags } = renderedOf({
      credentials: { ...password, caCert: 'certificates\n', insecure: ' True ' },
    })
    expect(section(config, 'Global').slice(-2)).toEqual([
      'tls-insecure=true',
      'ca-file="/etc/kubernetes/cloudprovider/keystone-ca.crt"',
    ])
    for (const name of [
      'cloud-provider-config',
      'cloud-provider-disk-config',
      'cloud-provider-disk-config-csi',
    ])
      expect(secretText(name, 'keystone-ca.crt')).toBe('certificates\n')
    expect(flags).toContain('--user-agent=acme')
  })

  test('without a URL use the Keystone of the CloudProfile', () => {
    const { authURL: _, ...credentials } = password
    const profile = { keystoneURL: 'https://profile.example.com', keystoneCACert: 'of the profile' }
    const { config, secretText } = renderedOf({ credentials, profile })
    expect(config).toContain('auth-url="https://profile.example.com"')
    expect(secretText('cloud-provider-config', 'keystone-ca.crt')).toBe('of the profile')
  })
})

describe('load balancers', () => {
  const pool = (fields: object) => ({
    profile: { constraints: { floatingPools: [{ loadBalancerClasses: [{ name: 'a' }], ...fields }] } },
  })

  test.each([
    ['a pool without a region (D1)', { name: 'public' }],
    ['a pool for any network (D1)', { name: '*' }],
    ['a pool of the region', { name: 'pub*', region: 'RegionOne' }],
  ])('have the classes of %s', (_, fields) => {
    expect(classesOf(pool(fields))).toContain('[LoadBalancerClass "a"]')
  })

  test.each([
    ['another network', { name: 'private' }],
    ['another region', { name: 'public', region: 'elsewhere' }],
    ['another domain', { name: 'public', domain: 'other' }],
  ])('have no classes of a pool of %s', (_, fields) => {
    expect(classesOf(pool(fields)).join()).not.toContain('LoadBalancerClass')
  })

  const vpn = { name: 'vpn', purpose: 'vpn', floatingSubnetTags: 'tag' }
  const ofProfile = pool({ name: 'public', loadBalancerClasses: [{ name: 'a' }, vpn] })

  test('have the classes of the user instead, and the one for the VPN', () => {
    const providerConfig = { loadBalancerClasses: [{ name: 'mine' }] }
    const lines = classesOf({ ...ofProfile, providerConfig })
    expect(lines.slice(-3)).toEqual([
      '[LoadBalancerClass "mine"]',
      '[LoadBalancerClass "vpn"]',
      'floating-subnet-tags="tag"',
    ])
    expect(lines.join()).not.toContain('LoadBalancerClass "a"')
  })

  test('have none of the profile if the user lists none', () => {
    const lines = classesOf({ ...pool({ name: 'public' }), providerConfig: { loadBalancerClasses: [] } })
    expect(lines.join()).not.toContain('LoadBalancerClass')
  })

  test('have the networks of the class for the purpose, else of that name, else of the first', () => {
    const standard = (...loadBalancerClasses: readonly object[]) =>
      classesOf({ providerConfig: { loadBalancerClasses } })
        .slice(0, 9)
        .filter(line => /^(?:floating|subnet)/.test(line))
    const first = { name: 'first', floatingNetworkID: 'n1', subnetID: 's1' }
    const named = { name: 'default', floatingSubnetName: 'f2' }
    const purposed = { name: 'x', purpose: 'default', floatingSubnetID: 'f3' }
    const network = 'floating-network-id="0a000000-0000-4000-8000-000000000005"'
    const subnet = 'subnet-id="0a000000-0000-4000-8000-000000000002"'
    expect(standard(first)).toEqual(['floating-network-id="n1"', 'subnet-id="s1"'])
    expect(standard(first, named)).toEqual([network, 'floating-subnet="f2"'])
    expect(standard(first, named, purposed)).toEqual([network, 'floating-subnet-id="f3"'])
    expect(standard({ name: 'y', purpose: 'private', subnetID: 's4' })).toEqual([network, 'subnet-id="s4"'])
    expect(standard({ name: 'z' })).toEqual([network, subnet])
  })

  test('of a class keep its own network (D20)', () => {
    const providerConfig = { loadBalancerClasses: [{ name: 'a' }, { name: 'b', floatingNetworkID: 'own' }] }
    expect(classesOf({ providerConfig }).slice(-3)).toEqual([
      '[LoadBalancerClass "a"]',
      '[LoadBalancerClass "b"]',
      'floating-network-id="own"',
    ])
  })

  test('of a user add no other setting', () => {
    const name = 'a"]\n[Global]\nauth-url="https://attacker.example.com'
    const { config } = renderedOf({
      providerConfig: { loadBalancerClasses: [{ name, floatingSubnetName: name }] },
    })
    expect(section(config, 'Global').filter(line => line.startsWith('auth-url'))).toHaveLength(1)
  })

  test('of OVN have its method', () => {
    expect(classesOf({ providerConfig: { loadBalancerProvider: 'ovn' } }).slice(6, 9)).toEqual([
      'lb-provider="ovn"',
      'lb-method="SOURCE_IP_PORT"',
      'manage-security-groups=true',
    ])
  })
})

describe('routes', () => {
  const overlay = (enabled: boolean) => ({
    shootSpec: { networking: { providerConfig: { overlay: { enabled } } } },
  })

  test('are in the router only without an overlay', () => {
    expect(section(renderedOf(overlay(true)).config, 'Route')).toEqual(['[Route]'])
    expect(section(renderedOf(overlay(false)).config, 'Route')).toEqual([
      '[Route]',
      'router-id="0a000000-0000-4000-8000-000000000003"',
    ])
  })

  test('without an overlay are protected from Calico from 1.36 on', () => {
    const ids = (version: string) =>
      renderedOf({ shootSpec: { ...overlay(false).shootSpec, kubernetes: { version } } }).ids
    expect(ids('1.36.0')).toContain('MutatingAdmissionPolicy block-calico-network-unavailable')
    expect(ids('1.35.0')).not.toContain('MutatingAdmissionPolicy block-calico-network-unavailable')
  })
})

test('a dual-stack shoot has the pod ranges of both families', () => {
  const { flags } = renderedOf({
    shootSpec: { networking: { ipFamilies: ['IPv4', 'IPv6'] } },
    shootStatus: { networking: { pods: ['100.96.0.0/11', '2001:db8:1::/56'] } },
  })
  expect(flags).toContain('--cluster-cidr=100.96.0.0/11,2001:db8:1::/56')
})

test('a request timeout that is no plain duration is quoted', () => {
  expect(renderedOf({ profile: { requestTimeout: '1m # x' } }).config).toContain('request-timeout="1m # x"')
})

test('the nodes restart their driver if its configuration changes', () => {
  const checksum = (profile: object) => {
    const { template } = Object(
      renderedOf({ profile: { ...profile } }).find('DaemonSet', 'csi-driver-node').spec,
    )
    return template.metadata.annotations['checksum/secret-cloud-provider-config']
  }
  // Of Helm 3 with the chart of the Go extension v1.58.
  expect(checksum({})).toBe('4db36dbd5628c38131a2023180183b6407aef863622c218735bb33f77e9bdb87')
  expect(checksum({ nodeVolumeAttachLimit: 20 })).not.toBe(checksum({}))
})

test('the components restart if the credentials change', () => {
  const checksums = (secret: string) => {
    const { find } = renderedOf({ credentials: { ...password, password: secret } })
    return ['cloud-controller-manager', 'csi-driver-controller'].map(name =>
      JSON.stringify(Object(find('Deployment', name).spec).template.metadata.annotations),
    )
  }
  const [before, after] = [checksums('a'), checksums('b')]
  expect(before.filter((text, index) => text === after[index])).toEqual([])
})
