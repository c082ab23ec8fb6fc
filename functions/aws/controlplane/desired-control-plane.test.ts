import { describe, expect, test } from 'vitest'
import { infrastructureWith, renderedOf } from './testing/control-plane.ts'

const cloudController = 'cloud-controller-manager'
const routeController = 'aws-custom-route-controller'
const ipamController = 'aws-ipam-controller'
const loadBalancerController = 'aws-load-balancer-controller'
const csiController = 'csi-driver-controller'

const deployments = [
  cloudController,
  routeController,
  ipamController,
  loadBalancerController,
  csiController,
  'csi-snapshot-controller',
]

const added = (asked: Parameters<typeof renderedOf>[0], resource = 'shoot') => {
  const before = renderedOf().names(resource)
  return renderedOf(asked)
    .names(resource)
    .filter(name => !before.includes(name))
}

const dualStack = {
  networking: { ipFamilies: ['IPv4', 'IPv6'] },
  networkStatus: { pods: ['100.96.0.0/11', '2001:db8:1::/56'], nodes: ['10.250.0.0/16', '2001:db8::/56'] },
}
const ipv6Alone = { networking: { ipFamilies: ['IPv6'], pods: '2001:db8:1::/56' } }

test('there are as many ManagedResources as clusters and times of life ask for', () => {
  expect(renderedOf().resources.map(({ objects: _, namespace: __, ...resource }) => resource)).toEqual([
    {
      name: 'extension-controlplane-configuration-seed',
      class: 'seed',
      key: 'cloud-provider-config',
    },
    { name: 'extension-controlplane-seed', class: 'seed', key: 'seed-controlplane' },
    {
      name: 'extension-controlplane-shoot',
      key: 'shoot-system-components',
      keepObjects: false,
      injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
      forceOverwriteAnnotations: false,
    },
    {
      name: 'extension-controlplane-shoot-crds',
      key: 'shoot-crds',
      keepObjects: false,
      injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
      forceOverwriteAnnotations: false,
    },
    {
      name: 'extension-controlplane-storageclasses',
      key: 'shoot-storageclasses',
      keepObjects: false,
      injectLabels: { 'shoot.gardener.cloud/no-cleanup': 'true' },
      forceOverwriteAnnotations: true,
    },
  ])
})

test('what goes into the seed is in the namespace of the shoot, or in none', () => {
  const [configuration, seed] = renderedOf(dualStack).resources
  const namespaces = [...(configuration?.objects ?? []), ...(seed?.objects ?? [])].map(
    ({ metadata }) => metadata.namespace,
  )
  expect(new Set(namespaces)).toEqual(new Set(['shoot--foo--bar']))
})

test('what others need comes first', () => {
  const asked = { providerConfig: { loadBalancerController: { enabled: true } } }
  const kinds = renderedOf(asked).resources.map(({ objects }) => [
    ...new Set(objects.map(({ kind }) => kind)),
  ])
  expect(kinds).toEqual([
    ['ConfigMap'],
    [
      'PodDisruptionBudget',
      'ServiceAccount',
      'Role',
      'RoleBinding',
      'Service',
      'Deployment',
      'PrometheusRule',
      'ServiceMonitor',
      'VerticalPodAutoscaler',
    ],
    [
      'ServiceAccount',
      'ClusterRole',
      'ClusterRoleBinding',
      'Role',
      'RoleBinding',
      'DaemonSet',
      'MutatingWebhookConfiguration',
      'ValidatingWebhookConfiguration',
      'CSIDriver',
    ],
    ['CustomResourceDefinition'],
    ['StorageClass', 'VolumeSnapshotClass'],
  ])
})

test('the same input gives the same objects', () => {
  expect(JSON.stringify(renderedOf().resources)).toBe(JSON.stringify(renderedOf().resources))
})

describe('replicas', () => {
  test('are one for what is always on, and none for what nobody asked for', () => {
    const { replicas } = renderedOf()
    expect(Object.fromEntries(deployments.map(name => [name, replicas(name)]))).toEqual({
      [cloudController]: 1,
      [routeController]: 0,
      [ipamController]: 0,
      [loadBalancerController]: 0,
      [csiController]: 1,
      'csi-snapshot-controller': 1,
    })
  })

  test('are none in the seed while the shoot sleeps, whatever is asked for', () => {
    const asked = {
      ...dualStack,
      providerConfig: {
        loadBalancerController: { enabled: true },
        cloudControllerManager: { useCustomRouteController: true },
      },
    }
    const awake = renderedOf(asked)
    const asleep = renderedOf(asked, { replicas: 0 })
    expect(deployments.map(awake.replicas)).toEqual(deployments.map(() => 1))
    expect(deployments.map(asleep.replicas)).toEqual(deployments.map(() => 0))
  })
})

describe('the load balancer controller', () => {
  const asked = { providerConfig: { loadBalancerController: { enabled: true, ingressClassName: 'mine' } } }

  test('runs where a user wants it, with roles, webhooks and kinds in the shoot', () => {
    expect(renderedOf(asked).replicas(loadBalancerController)).toBe(1)
    expect(added(asked)).toEqual([
      'ServiceAccount aws-load-balancer-controller',
      'ClusterRole aws-load-balancer-controller-role',
      'ClusterRoleBinding aws-load-balancer-controller-rolebinding',
      'Role aws-load-balancer-controller-leader-election-role',
      'RoleBinding aws-load-balancer-controller-leader-election-rolebinding',
      'MutatingWebhookConfiguration aws-load-balancer-controller-webhook',
      'ValidatingWebhookConfiguration aws-load-balancer-controller-webhook',
    ])
    expect(added(asked, 'shoot-crds')).toEqual([
      'CustomResourceDefinition ingressclassparams.elbv2.k8s.aws',
      'CustomResourceDefinition targetgroupbindings.elbv2.k8s.aws',
    ])
  })

  test('has the class that a user names, and alb otherwise, also while it is off', () => {
    expect(renderedOf(asked).flags(loadBalancerController)).toContain('--ingress-class=mine')
    expect(renderedOf().flags(loadBalancerController)).toContain('--ingress-class=alb')
  })

  test('has webhooks that trust the bundle of the control plane', () => {
    const { find } = renderedOf(asked)
    const clients = ['Mutating', 'Validating'].flatMap(kind => {
      const configuration = find(`${kind}WebhookConfiguration`, 'aws-load-balancer-controller-webhook')
      const webhooks = configuration?.webhooks as { clientConfig: { caBundle: string; url: string } }[]
      return webhooks.map(({ clientConfig }) => clientConfig)
    })
    expect(clients).toHaveLength(5)
    for (const { caBundle, url } of clients) {
      expect(caBundle).toBe(Buffer.from('certificates').toString('base64'))
      expect(url).toMatch(/^https:\/\/aws-load-balancer-controller-webhook-service\.shoot--foo--bar:443\/\w/)
    }
  })
})

describe('the controller of routes', () => {
  const asked = { providerConfig: { cloudControllerManager: { useCustomRouteController: true } } }
  const roles = ['ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding'].map(
    kind => `${kind} extensions.gardener.cloud:provider-aws:aws-custom-route-controller`,
  )

  test('runs where a user wants it', () => {
    expect(renderedOf(asked).replicas(routeController)).toBe(1)
    expect(added(asked)).toEqual(roles)
  })

  test('does not run with IPv6 alone, though its roles are there', () => {
    expect(renderedOf({ ...asked, ...ipv6Alone }).replicas(routeController)).toBe(0)
    expect(added({ ...asked, ...ipv6Alone })).toEqual(expect.arrayContaining(roles))
    expect(renderedOf({ ...asked, ...dualStack }).replicas(routeController)).toBe(1)
  })

  test('may read the Secret with the credentials alone', () => {
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
  ])('takes the size of a node’s range for a shoot with %s', (_, asked, ipv4, ipv6) => {
    const kubernetes = { kubeControllerManager: { nodeCIDRMaskSize: 25 } }
    expect(renderedOf({ ...asked, kubernetes }).flags(ipamController)).toEqual(
      expect.arrayContaining([`--node-cidr-mask-size-ipv4=${ipv4}`, `--node-cidr-mask-size-ipv6=${ipv6}`]),
    )
  })
})

describe('the cloud controller manager', () => {
  test('knows all ranges of pods, each once, that of the spec first', () => {
    const rendered = renderedOf(dualStack)
    const ranges = '100.96.0.0/11,2001:db8:1::/56'
    expect(rendered.flags(cloudController)).toContain(`--cluster-cidr=${ranges}`)
    expect(rendered.flags(routeController)).toContain(`--pod-network-cidr=${ranges}`)
  })

  test('has feature gates in the order of their names', () => {
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
  ])('with subnets %j makes no load balancers: %s', (purposes, isOff) => {
    const flags = renderedOf({ infrastructure: infrastructureWith(...purposes) }).flags(cloudController)
    expect(flags.includes('--controllers=*,-service')).toBe(isOff)
  })
})

describe('credentials', () => {
  const asked = {
    secretLabels: { 'security.gardener.cloud/purpose': 'workload-identity-token-requestor' },
  }
  const cloudproviderOf = (name: string, rendered: ReturnType<typeof renderedOf>) =>
    JSON.stringify(
      rendered
        .workload(name)
        .spec.template.spec.volumes.filter((volume: Readonly<Record<string, unknown>>) =>
          JSON.stringify(volume).includes('"cloudprovider"'),
        ),
    )

  test('are a file with an access key', () => {
    const rendered = renderedOf()
    for (const name of [cloudController, loadBalancerController, csiController]) {
      expect(rendered.workload(name).spec.template.spec.containers[0]?.env).toContainEqual({
        name: 'AWS_SHARED_CREDENTIALS_FILE',
        value: '/srv/cloudprovider/credentialsFile',
      })
      expect(cloudproviderOf(name, rendered)).toContain('"key":"credentialsFile"')
      expect(cloudproviderOf(name, rendered)).not.toContain('"key":"token"')
    }
    for (const name of [routeController, ipamController]) expect(cloudproviderOf(name, rendered)).toBe('[]')
  })

  test('are a token and a role with a workload identity', () => {
    const rendered = renderedOf(asked)
    for (const name of [cloudController, loadBalancerController]) {
      const env = rendered.workload(name).spec.template.spec.containers[0]?.env ?? []
      expect(env.map(variable => variable.name)).toEqual(
        expect.arrayContaining(['AWS_WEB_IDENTITY_TOKEN_FILE', 'AWS_ROLE_ARN']),
      )
      expect(env.map(variable => variable.name)).not.toContain('AWS_SHARED_CREDENTIALS_FILE')
    }
    for (const name of [
      cloudController,
      loadBalancerController,
      csiController,
      routeController,
      ipamController,
    ])
      expect(cloudproviderOf(name, rendered)).toContain('"key":"token"')
    expect(rendered.container('aws-csi-driver', csiController).env).toContainEqual({
      name: 'AWS_SHARED_CREDENTIALS_FILE',
      value: '/var/run/secrets/gardener.cloud/workload-identity/credentialsFile',
    })
    expect(cloudproviderOf(csiController, rendered)).toContain('"key":"credentialsFile"')
  })

  test('that change make new pods of all that use them, and of no others', () => {
    const before = renderedOf()
    const after = renderedOf({}, { cloudproviderData: { credentialsFile: 'bmV3' } })
    const changed = deployments.filter(
      name => JSON.stringify(before.workload(name)) !== JSON.stringify(after.workload(name)),
    )
    expect(changed).toEqual(deployments.filter(name => name !== 'csi-snapshot-controller'))
  })
})

test('another configuration makes new pods of the cloud controller manager alone', () => {
  const before = renderedOf()
  const after = renderedOf({
    infrastructure: { vpc: { id: 'vpc-1', subnets: [{ purpose: 'public', id: 'other', zone: 'z' }] } },
  })
  const changed = deployments.filter(
    name => JSON.stringify(before.workload(name)) !== JSON.stringify(after.workload(name)),
  )
  expect(changed).toEqual([cloudController])
})

describe('volumes', () => {
  const gate = '--feature-gates=VolumeAttributesClass=true'
  const annotation = 'aws.provider.extensions.gardener.cloud/enable-volume-attributes-class'

  test.each([
    ['1.33.3', 'true', true],
    ['1.33.3', 'T', true],
    ['1.33.3', 'yes', false],
    ['1.33.3', 'false', false],
    ['1.34.0', 'true', false],
  ])('of %s have attributes by a gate with %s: %s', (version, value, isThere) => {
    const { flags } = renderedOf({ version, annotations: { [annotation]: value } })
    for (const sidecar of ['aws-csi-provisioner', 'aws-csi-resizer'])
      expect(flags(sidecar, csiController).includes(gate)).toBe(isThere)
    expect(flags('aws-csi-attacher', csiController)).not.toContain(gate)
  })

  test('are limited on a node as the shoot says', () => {
    const prefix = 'aws.provider.extensions.gardener.cloud'
    const annotations = {
      [`${prefix}/volume-attach-limit`]: '20',
      [`${prefix}/reserved-volume-attachments`]: '3',
      [`${prefix}/legacy-xfs`]: 'true',
    }
    const limits = ['--volume-attach-limit=20', '--reserved-volume-attachments=3', '--legacy-xfs=true']
    expect(renderedOf({ annotations }).flags('csi-driver-node')).toEqual(expect.arrayContaining(limits))
    for (const limit of limits) expect(renderedOf().flags('csi-driver-node')).not.toContain(limit)
  })

  test('have default classes, unless a user keeps that choice', () => {
    const defaults = (asked: Parameters<typeof renderedOf>[0]) => {
      const { find } = renderedOf(asked)
      return ['StorageClass', 'VolumeSnapshotClass'].map(kind =>
        Object.keys(find(kind, 'default')?.metadata.annotations ?? {}).filter(key => key.includes('default')),
      )
    }
    expect(defaults({})).toEqual([
      ['storageclass.kubernetes.io/is-default-class'],
      ['snapshot.storage.kubernetes.io/is-default-class'],
    ])
    expect(defaults({ providerConfig: { storage: { managedDefaultClass: false } } })).toEqual([[], []])
  })
})

describe('EFS', () => {
  const asked = {
    infrastructureConfig: { elasticFileSystem: { enabled: true } },
    infrastructure: { ...infrastructureWith('nodes', 'public'), elasticFileSystem: { ID: 'fs-1' } },
  }

  test('comes with the file system of the infrastructure', () => {
    expect(added(asked)).toEqual([
      'ServiceAccount efs-csi-controller-sa',
      'ServiceAccount efs-csi-node-sa',
      'StorageClass efs-sc',
      'ClusterRole efs-csi-external-provisioner-role',
      'ClusterRole efs-csi-node-role',
      'ClusterRoleBinding efs-csi-provisioner-binding',
      'ClusterRoleBinding efs-csi-node-binding',
      'DaemonSet csi-driver-efs-node',
      'Deployment efs-csi-controller',
      'CSIDriver efs.csi.aws.com',
    ])
    expect(renderedOf(asked).find('StorageClass', 'efs-sc')?.parameters).toMatchObject({
      fileSystemId: 'fs-1',
    })
    expect(added({ infrastructureConfig: { elasticFileSystem: { enabled: false } } })).toEqual([])
  })

  test.each([
    ['IPv4', {}, 'ipv4'],
    ['IPv6', ipv6Alone, 'ipv6'],
    ['both', dualStack, 'ipv4'],
  ])('asks for its region by the first of %s', (_, networking, value) => {
    const { container } = renderedOf({ ...asked, ...networking })
    expect(container('aws-csi-driver-efs', 'efs-csi-controller').env).toContainEqual({
      name: 'AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE',
      value,
    })
  })
})

describe('the policy against Calico', () => {
  const noOverlay = { providerConfig: { overlay: { enabled: false } } }
  const policies = [
    'MutatingAdmissionPolicy block-calico-network-unavailable',
    'MutatingAdmissionPolicyBinding block-calico-network-unavailable-binding',
  ]
  const switchedOn = (version: string) => ({
    kubeAPIServer: {
      featureGates: { MutatingAdmissionPolicy: true },
      runtimeConfig: { [`admissionregistration.k8s.io/${version}`]: true },
    },
  })

  test.each([
    ['1.36.0', {}, 'v1'],
    ['1.34.2', switchedOn('v1beta1'), 'v1beta1'],
    ['1.33.3', switchedOn('v1alpha1'), 'v1alpha1'],
  ])('is there in %s', (version, kubernetes, expected) => {
    const asked = { version, kubernetes, networking: noOverlay }
    expect(added(asked)).toEqual(policies)
    const { find } = renderedOf(asked)
    expect(find('MutatingAdmissionPolicy', 'block-calico-network-unavailable')?.apiVersion).toBe(
      `admissionregistration.k8s.io/${expected}`,
    )
  })

  test.each([
    ['where the API server has none', { version: '1.35.0' }],
    [
      'with the gate alone',
      {
        version: '1.34.2',
        kubernetes: { kubeAPIServer: { featureGates: { MutatingAdmissionPolicy: true } } },
      },
    ],
    ['with the other version alone', { version: '1.34.2', kubernetes: switchedOn('v1alpha1') }],
    ['with another network', { version: '1.36.0', networking: { ...noOverlay, type: 'cilium' } }],
    [
      'with an overlay',
      { version: '1.36.0', networking: { providerConfig: { overlay: { enabled: true } } } },
    ],
  ])('is not there %s', (_, asked) => {
    expect(added({ networking: noOverlay, ...asked })).toEqual([])
  })
})
