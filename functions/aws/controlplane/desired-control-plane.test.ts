import { describe, expect, test } from 'vitest'
import { recordsOf, valueAt } from '../../../shared/decode/record-of.ts'
import { controlPlaneLogs } from './objects/logs.ts'
import { addedBy, dualStack, renderedOf } from './testing/control-plane.ts'

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

test('the ManagedResources have the names, classes and flags that Gardener expects', () => {
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

test('an object for the seed is in the namespace of the shoot or cluster-scoped', () => {
  const [configuration, seed] = renderedOf(dualStack).resources
  const namespaces = [...(configuration?.objects ?? []), ...(seed?.objects ?? [])].map(
    ({ metadata }) => metadata.namespace,
  )
  expect(new Set(namespaces)).toEqual(new Set(['shoot--foo--bar']))
})

test('dependencies precede their dependents', () => {
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

test('the log lines of containers in the seed are parsed, except those of the node controllers', () => {
  const unparsed = [routeController, ipamController]
  const asked = { providerConfig: { loadBalancerController: { enabled: true } } }
  const objects = renderedOf(asked).resources[1]?.objects ?? []
  const containers = objects.flatMap(({ kind, metadata: { name }, spec }) =>
    kind === 'Deployment' && !unparsed.includes(name)
      ? recordsOf(valueAt(spec, 'template', 'spec', 'containers')).map(({ name: container }) => [
          name,
          String(container),
        ])
      : [],
  )
  const formats = containers.map(([pod, container]) =>
    controlPlaneLogs.filter(log => pod?.startsWith(log.pod) && container?.startsWith(log.container)),
  )
  expect(formats.map(({ length }) => length)).toEqual(containers.map(() => 1))
  expect(new Set(formats.flat())).toEqual(new Set(controlPlaneLogs))
})

test('the same input gives the same objects', () => {
  expect(JSON.stringify(renderedOf().resources)).toBe(JSON.stringify(renderedOf().resources))
})

describe('replicas', () => {
  test('are one per default feature, and none for features that are off', () => {
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

  test('are none in the seed while the shoot is hibernated, regardless of the spec', () => {
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

  test('runs if a user enables it, with roles, webhooks and kinds in the shoot', () => {
    expect(renderedOf(asked).replicas(loadBalancerController)).toBe(1)
    expect(addedBy(asked)).toEqual([
      'ServiceAccount aws-load-balancer-controller',
      'ClusterRole aws-load-balancer-controller-role',
      'ClusterRoleBinding aws-load-balancer-controller-rolebinding',
      'Role aws-load-balancer-controller-leader-election-role',
      'RoleBinding aws-load-balancer-controller-leader-election-rolebinding',
      'MutatingWebhookConfiguration aws-load-balancer-controller-webhook',
      'ValidatingWebhookConfiguration aws-load-balancer-controller-webhook',
    ])
    expect(addedBy(asked, 'shoot-crds')).toEqual([
      'CustomResourceDefinition ingressclassparams.elbv2.k8s.aws',
      'CustomResourceDefinition targetgroupbindings.elbv2.k8s.aws',
    ])
  })

  test('has the ingress class of the user, or alb by default, even while it is disabled', () => {
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

  test('restart all pods that use them, and no others, when they change', () => {
    const before = renderedOf()
    const after = renderedOf({}, { cloudproviderData: { credentialsFile: 'bmV3' } })
    const changed = deployments.filter(
      name => JSON.stringify(before.workload(name)) !== JSON.stringify(after.workload(name)),
    )
    expect(changed).toEqual(deployments.filter(name => name !== 'csi-snapshot-controller'))
  })
})

test('another configuration restarts only the pods of the cloud controller manager', () => {
  const before = renderedOf()
  const after = renderedOf({
    infrastructure: { vpc: { id: 'vpc-1', subnets: [{ purpose: 'public', id: 'other', zone: 'z' }] } },
  })
  const changed = deployments.filter(
    name => JSON.stringify(before.workload(name)) !== JSON.stringify(after.workload(name)),
  )
  expect(changed).toEqual([cloudController])
})
