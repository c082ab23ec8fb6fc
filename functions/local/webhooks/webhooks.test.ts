import { describe, expect, test } from 'vitest'
import { sendReview, sendReviewAgain } from '../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { WebhookDefinition } from '../../../shared/webhooks/admission/admission.ts'
import { definition as calico } from './calico-self-hosted-shoot/webhook.ts'
import { definition as controlplane } from './controlplane/webhook.ts'
import { definition as networkpolicy } from './networkpolicy/webhook.ts'
import { definition as node } from './node/webhook.ts'
import { definition as prometheus } from './prometheus/webhook.ts'
import { definition as rolloutSpeedup } from './rollout-speedup/webhook.ts'
import { definition as shoot } from './shoot/webhook.ts'

const namespace = 'shoot--foo--bar'
const clusterOf = (spec: object = {}, name = namespace): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'Cluster',
  metadata: { name },
  spec: {
    cloudProfile: {},
    seed: { spec: { networks: { nodes: '172.18.0.0/16' } } },
    shoot: { spec },
  },
})

const play = async (
  definition: WebhookDefinition,
  object: KubernetesObject,
  {
    objects = [clusterOf()],
    settings = {},
  }: { objects?: readonly KubernetesObject[]; settings?: object } = {},
) => {
  const options = { objects, settings: settings as Readonly<Record<string, unknown>> }
  const created = { operation: 'CREATE', object } as const
  const answer = await sendReview(definition, created, options)
  if (answer.allowed) expect((await sendReviewAgain(definition, created, answer, options)).patch).toEqual([])
  return answer
}

const workload = (kind: string, name: string, pod: object | null, spec: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name, namespace },
  spec: { ...spec, template: { spec: pod } },
})

describe('components of a control plane', () => {
  test('the machine controller gets its sidecar for pods, with the image of an operator', async () => {
    const object = workload('Deployment', 'machine-controller-manager', { containers: [] })
    const { object: after } = await play(controlplane, object, {
      settings: { localMachineControllerImage: 'mirror.example/m:v9' },
    })
    expect(JSON.stringify(after)).toContain('"image":"mirror.example/m:v9"')
  })

  test('the machine controller of a self-hosted shoot uses its own cluster', async () => {
    const spec = { provider: { type: 'local', workers: [{ name: 'a', controlPlane: {} }] } }
    const object = workload('Deployment', 'machine-controller-manager', { containers: [] })
    const { object: after } = await play(controlplane, object, { objects: [clusterOf(spec)] })
    expect(JSON.stringify(after)).toContain('--target-kubeconfig=none')
  })

  test('unknown components cause no read of a Cluster', async () => {
    const object = workload('Deployment', 'vpn-seed-server', { containers: [] })
    expect(await play(controlplane, object, { objects: [] })).toMatchObject({ allowed: true, patch: [] })
  })

  test('a kubelet unit does not change', async () => {
    const content = '[Service]\r\nExecStart=/opt/bin/kubelet   --x\r\n'
    const { patch } = await play(controlplane, {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'OperatingSystemConfig',
      metadata: { name: 'x', namespace },
      spec: { purpose: 'reconcile', units: [{ name: 'kubelet.service', content }] },
    })
    expect(patch).toEqual([])
  })

  test('a provision config does not change', async () => {
    const file = { path: '/var/lib/kubelet/config/kubelet', content: { inline: { encoding: '', data: 'a' } } }
    const { patch } = await play(controlplane, {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'OperatingSystemConfig',
      metadata: { name: 'x', namespace },
      spec: { purpose: 'provision', files: [file] },
    })
    expect(patch).toEqual([])
  })
})

describe('a policy for private networks', () => {
  const policy = (except: readonly string[] | null, where = namespace): KubernetesObject => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'allow-to-private-networks', namespace: where },
    spec: { egress: [{ to: [{ ipBlock: { cidr: '172.16.0.0/12', except } }, { podSelector: {} }] }, {}] },
  })
  const blockOf = ({ spec }: KubernetesObject) => Object(spec).egress[0].to[0].ipBlock

  test('loses each exception for the nodes, and the list with its last one', async () => {
    const { object } = await play(networkpolicy, policy(['172.18.0.0/16', '172.18.0.0/16']))
    expect(blockOf(object)).toEqual({ cidr: '172.16.0.0/12' })
  })

  test('without exceptions does not change', async () => {
    expect((await play(networkpolicy, policy(null))).patch).toEqual([])
  })

  test('outside of shoot namespaces is allowed (L9)', async () => {
    const answer = await play(networkpolicy, policy(['172.18.0.0/16'], 'nowhere'))
    expect(answer).toMatchObject({ allowed: true, patch: [] })
  })

  test('of a seed without node ranges does not change', async () => {
    const cluster = { ...clusterOf(), spec: { cloudProfile: {}, seed: null, shoot: {} } }
    const answer = await play(networkpolicy, policy(['172.18.0.0/16']), { objects: [cluster] })
    expect(answer).toMatchObject({ allowed: true, patch: [] })
  })
})

describe('Prometheus', () => {
  const prometheusOf = (name: string, spec: object): KubernetesObject => ({
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'Prometheus',
    metadata: { name, namespace: 'garden' },
    spec,
  })

  test('of the seed writes to the place of an operator instead of the old one', async () => {
    const { object } = await play(
      prometheus,
      prometheusOf('seed', { externalLabels: { a: 'b' }, remoteWrite: [{ url: 'http://old' }] }),
      {
        settings: {
          prometheusExternalLabels: 'run=42,job=a=b',
          prometheusRemoteWriteUrls: 'https://metrics.example.org/write',
        },
      },
    )
    expect(object.spec).toEqual({
      externalLabels: { a: 'b', run: '42', job: 'a=b' },
      podMetadata: { labels: { 'networking.gardener.cloud/to-private-networks': 'allowed' } },
      remoteWrite: [
        {
          url: 'https://metrics.example.org/write',
          writeRelabelConfigs: [
            { sourceLabels: ['job'], regex: 'gardenlet', action: 'keep' },
            { sourceLabels: ['__name__'], regex: '(up|flow_.+|gardenlet_.+)', action: 'keep' },
          ],
        },
      ],
      terminationGracePeriodSeconds: 60,
    })
  })

  test.each([
    [{ prometheusExternalLabels: 'a' }, 'name=value'],
    [{ prometheusRemoteWriteUrls: 'file:///etc/passwd' }, 'expected URLs'],
  ])('is refused with the setting %j', (settings, message) => {
    expect(() => prometheus.settings.parse(settings)).toThrow(message)
  })
})

describe('an API server of the garden', () => {
  test('gets a faster rollout', async () => {
    const { object } = await play(
      rolloutSpeedup,
      workload(
        'Deployment',
        'kube-apiserver',
        {
          containers: [
            { name: 'a', readinessProbe: { periodSeconds: 30, failureThreshold: 3 } },
            { name: 'b' },
          ],
        },
        { minReadySeconds: 30 },
      ),
    )
    expect(object.spec).toEqual({
      minReadySeconds: 5,
      template: {
        spec: {
          terminationGracePeriodSeconds: 3,
          containers: [
            { name: 'a', readinessProbe: { initialDelaySeconds: 3, periodSeconds: 5, failureThreshold: 3 } },
            { name: 'b' },
          ],
        },
      },
    })
  })

  test('with a faster rollout retains its time', async () => {
    const { object } = await play(
      rolloutSpeedup,
      workload('Deployment', 'a', { containers: null }, { minReadySeconds: 1 }),
    )
    expect(object.spec).toMatchObject({ minReadySeconds: 1 })
  })
})

describe('a node', () => {
  const nodeOf = (fields: object): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'machine-1' },
    ...fields,
  })

  test.each([{}, { spec: null, status: null }, { spec: {} }])(
    'without a rollout setting is allowed (L7): %j',
    async fields => {
      const { allowed, object } = await play(node, nodeOf(fields))
      expect({ allowed, object }).toMatchObject({
        allowed: true,
        object: { spec: { providerID: 'machine-1' } },
      })
    },
  )

  test('retains its other fields', async () => {
    const { object } = await play(
      node,
      nodeOf({ spec: { providerID: 'a' }, status: { capacity: { pods: '110', cpu: 2 }, phase: 'x' } }),
    )
    expect(object).toMatchObject({
      spec: { providerID: 'a' },
      status: { capacity: { pods: '110', cpu: '100', memory: '100Gi' }, phase: 'x' },
    })
    expect(object.status).not.toHaveProperty('allocatable')
  })
})

describe('the configuration of kube-proxy', () => {
  const mapOf = (text: string): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'kube-proxy-config-1', namespace: 'kube-system' },
    data: { 'config.yaml': text },
  })
  const head = 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n'
  const textAfter = async (text: string) =>
    Object((await play(shoot, mapOf(text))).object.data)['config.yaml'] as string

  test('that needs no change is retained byte for byte', async () => {
    const text = `${head}conntrack: { maxPerCore:   0 } # as it is\n`
    expect(await textAfter(text)).toBe(text)
  })

  test.each(['', 'conntrack: null\n', 'conntrack:\n  min: 5\n'])('gets no limit: %j', async part => {
    expect(await textAfter(`${head}# kept\nmode: iptables\n${part}`)).toMatch(
      /# kept\nmode: iptables\nconntrack:\n(.*\n)*? {2}maxPerCore: 0\n/,
    )
  })

  test.each(['PLANTED', 'a: [PLANTED', '- PLANTED', 'kind: PLANTED\n'])(
    '%j is refused without revealing it',
    async text => {
      const { allowed, message } = await play(shoot, mapOf(text))
      expect(allowed).toBe(false)
      expect(message).toMatch(/^could not decode kube-proxy configuration: /)
      expect(message).not.toContain('PLANTED')
    },
  )
})

describe('Calico of a self-hosted shoot', () => {
  const object = workload('DaemonSet', 'calico-node', {
    containers: [{ name: 'calico-node' }, { name: 'b' }],
  })
  const envOf = ({ spec }: KubernetesObject) => Object(spec).template.spec.containers[0].env

  test('on machines of others leaves addresses for the pods of shoots', async () => {
    const { object: after } = await play(calico, object, { objects: [clusterOf({}, 'kube-system')] })
    expect(envOf(after)).toEqual([{ name: 'CALICO_IPV4POOL_CIDR', value: '10.1.0.0/16' }])
  })

  test.each<[string, readonly KubernetesObject[]]>([
    ['on Gardener’s machines', [clusterOf({ credentialsBindingName: 'a' }, 'kube-system')]],
    ['that is none', []],
  ])('%s does not change', async (_, objects) => {
    expect((await play(calico, object, { objects })).patch).toEqual([])
  })
})
