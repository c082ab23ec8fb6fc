import { describe, expect, test } from 'vitest'
import { addedBy, dualStack, infrastructureWith, ipv6Alone, renderedOf } from '../testing/control-plane.ts'

const cloudController = 'cloud-controller-manager'

const routeController = 'aws-custom-route-controller'

const ipamController = 'aws-ipam-controller'

describe('the controller of routes', () => {
  const asked = { providerConfig: { cloudControllerManager: { useCustomRouteController: true } } }
  const roles = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map(
    kind => `${kind} extensions.gardener.cloud:provider-aws:aws-custom-route-controller`,
  )

  test('runs if a user enables it', () => {
    expect(renderedOf(asked).replicas(routeController)).toBe(1)
    expect(addedBy(asked)).toEqual(roles)
  })

  test('does not run with IPv6 only, though its roles exist', () => {
    expect(renderedOf({ ...asked, ...ipv6Alone }).replicas(routeController)).toBe(0)
    expect(addedBy({ ...asked, ...ipv6Alone })).toEqual(expect.arrayContaining(roles))
    expect(renderedOf({ ...asked, ...dualStack }).replicas(routeController)).toBe(1)
  })

  test('may read only the Secret with the credentials', () => {
    const role = { apiGroups: [''], resources: ['secrets'], resourceNames: ['cloudprovider'], verbs: ['get'] }
    expect(renderedOf().find('Role', routeController)?.rules).toEqual([role])
    expect(renderedOf().find('Role', ipamController)?.rules).toEqual([role])
  })
})

describe('the IPAM controller', () => {
  test.each([
    ['IPv4', {}, { replicas: 0, mode: 'ipv4', primary: 'ipv4', range: '100.96.0.0/11' }],
    ['both', dualStack, { replicas: 1, mode: 'dual-stack', primary: 'ipv4', range: '100.96.0.0/11' }],
    [
      'both, IPv6 first',
      { ...dualStack, networking: { ipFamilies: ['IPv6', 'IPv4'] } },
      { replicas: 1, mode: 'dual-stack', primary: 'ipv6', range: '100.96.0.0/11' },
    ],
    ['IPv6', ipv6Alone, { replicas: 1, mode: 'ipv6', primary: 'ipv4', range: '192.168.0.0/16' }],
    [
      'IPv4, and nodes with IPv6',
      { networkStatus: { nodes: ['10.250.0.0/16', '2001:db8::/56'] } },
      { replicas: 1, mode: 'ipv4', primary: 'ipv4', range: '100.96.0.0/11' },
    ],
    [
      'IPv4 with a second range of pods',
      { networkStatus: { pods: ['100.96.0.0/11', '100.128.0.0/11'] } },
      { replicas: 0, mode: 'ipv4', primary: 'ipv4', range: '100.128.0.0/11' },
    ],
  ])('of a shoot with %s', (_, asked, { replicas, mode, primary, range }) => {
    const rendered = renderedOf(asked)
    expect(rendered.replicas(ipamController)).toBe(replicas)
    expect(rendered.flags(ipamController)).toEqual(
      expect.arrayContaining([
        `--mode=${mode}`,
        `--primary-ip-family=${primary}`,
        `--cluster-cidrs=${range}`,
      ]),
    )
    const roles = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']
    const ofShoot = rendered.names('shoot').filter(name => name.endsWith(` ${ipamController}`))
    expect(ofShoot).toEqual(replicas === 0 ? [] : roles.map(kind => `${kind} ${ipamController}`))
  })

  test.each([
    ['IPv4', {}, 25, 64],
    ['IPv6', ipv6Alone, 24, 25],
    ['both families', dualStack, 24, 64],
  ])('reads the size of a node’s range for a shoot with %s', (_, asked, ipv4, ipv6) => {
    const kubernetes = { kubeControllerManager: { nodeCIDRMaskSize: 25 } }
    expect(renderedOf({ ...asked, kubernetes }).flags(ipamController)).toEqual(
      expect.arrayContaining([`--node-cidr-mask-size-ipv4=${ipv4}`, `--node-cidr-mask-size-ipv6=${ipv6}`]),
    )
  })
})

describe('the cloud controller manager', () => {
  test('gets all pod ranges once, with the range of the spec first', () => {
    const rendered = renderedOf(dualStack)
    const ranges = '100.96.0.0/11,2001:db8:1::/56'
    expect(rendered.flags(cloudController)).toContain(`--cluster-cidr=${ranges}`)
    expect(rendered.flags(routeController)).toContain(`--pod-network-cidr=${ranges}`)
  })

  test('gets feature gates sorted by name', () => {
    const featureGates = { B: false, A: true }
    const flags = renderedOf({ providerConfig: { cloudControllerManager: { featureGates } } }).flags(
      cloudController,
    )
    expect(flags[flags.indexOf('--configure-cloud-routes=false') + 1]).toBe('--feature-gates=A=true,B=false')
    expect(renderedOf().flags(cloudController).join(' ')).not.toContain('--feature-gates')
  })

  test.each([
    [['nodes'], true],
    [['nodes', 'internal'], false],
    [['nodes', 'public'], false],
  ])('with subnets %j creates no load balancers: %s', (purposes, isOff) => {
    const flags = renderedOf({ infrastructure: infrastructureWith(...purposes) }).flags(cloudController)
    expect(flags.includes('--controllers=*,-service')).toBe(isOff)
  })
})
