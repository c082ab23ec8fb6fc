import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lookupIn, sendReview, sendReviewAgain } from '../../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { clusterOf, infrastructureConfig, namespace, type ShootParts } from '../testing/cluster.ts'
import { definition } from './webhook.ts'

const deployment = (name: string, pod: object, metadata: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: { template: { metadata, spec: pod } },
})

const withCommand = (name: string, ...command: string[]) =>
  deployment(name, { containers: [{ name: name.replace('virtual-garden-', ''), command }] })

const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name: 'cloudprovider' } }

const play = async (object: KubernetesObject, shoot: ShootParts = {}, settings = {}) => {
  const options = { objects: [clusterOf(shoot), secret], settings }
  const created = { operation: 'CREATE', object } as const
  const answer = await sendReview(definition, created, options)
  if (answer.allowed) expect((await sendReviewAgain(definition, created, answer, options)).patch).toEqual([])
  return answer
}

const commandAfter = async (object: KubernetesObject, shoot?: ShootParts): Promise<unknown> => {
  const { object: after } = await play(object, shoot)
  const { containers } = (after.spec as { template: { spec: { containers: { command: unknown }[] } } })
    .template.spec
  return containers[0]?.command
}

const attributesClass = {
  annotations: { 'aws.provider.extensions.gardener.cloud/enable-volume-attributes-class': 'true' },
}

describe('a component', () => {
  test('that has the gate with another value gets ours instead', async () => {
    const command = [
      'x',
      '--feature-gates=A=true,VolumeAttributesClass=false',
      '--runtime-config=storage.k8s.io/v1beta1=false',
    ]
    expect(await commandAfter(withCommand('kube-apiserver', ...command), attributesClass)).toEqual([
      'x',
      '--feature-gates=A=true,VolumeAttributesClass=true',
      '--runtime-config=storage.k8s.io/v1beta1=true',
    ])
  })

  test('of the virtual garden is changed like that of a shoot', async () => {
    expect(
      await commandAfter(withCommand('virtual-garden-kube-apiserver', 'x', '--cloud-provider=aws')),
    ).toEqual(['x'])
  })

  test('with node ranges gets the flag at the end', async () => {
    const object = withCommand('kube-controller-manager', 'x', '--allocate-node-cidrs=true', '--v=2')
    expect(await commandAfter(object, { spec: { networking: { ipFamilies: ['IPv6'] } } })).toEqual([
      'x',
      '--v=2',
      '--cloud-provider=external',
      '--allocate-node-cidrs=false',
    ])
  })

  test('without its container gets the other changes', async () => {
    const metadata = { annotations: { 'checksum/secret-cloudprovider': 'x' } }
    const { object } = await play(deployment('kube-apiserver', { containers: [{ name: 'x' }] }, metadata))
    expect(object.spec).toEqual({ template: { metadata: {}, spec: { containers: [{ name: 'x' }] } } })
  })

  test('of a shoot with an invalid version is refused', async () => {
    const { code, message } = await play(withCommand('kube-scheduler', 'x'), {
      spec: { kubernetes: { version: 'PLANTED' } },
    })
    expect({ code, message }).toEqual({ code: 403, message: 'invalid semantic version' })
  })

  test('that is unknown causes no read of a Cluster', async () => {
    const options = { lookup: lookupIn([]) }
    const object = withCommand('vpn-seed-server', 'x', '--cloud-provider=aws')
    expect(await sendReview(definition, { operation: 'CREATE', object }, options)).toMatchObject({
      allowed: true,
      patch: [],
    })
  })

  test('with null instead of lists and maps does not change', async () => {
    const object = deployment('kube-apiserver', { containers: null, volumes: null }, { annotations: null })
    expect(await play(object)).toMatchObject({ allowed: true, patch: [] })
  })
})

describe('the machine controller', () => {
  test('uses the access key of a Secret without labels', async () => {
    const unlabelled = {
      ...secret,
      metadata: { ...secret.metadata, labels: null },
    } as unknown as KubernetesObject
    const object = deployment('machine-controller-manager', { containers: [] })
    const answer = await sendReview(
      definition,
      { operation: 'CREATE', object },
      { objects: [clusterOf(), unlabelled] },
    )
    expect(answer.allowed).toBe(true)
    expect(JSON.stringify(answer.object)).not.toContain('workload-identity')
  })

  test('gets the image of an operator’s override', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-images-'))
    try {
      const file = join(folder, 'images.yaml')
      await writeFile(
        file,
        'images: [{ name: machine-controller-manager-provider-aws, repository: mirror.example/m, tag: v9 }]',
      )
      const object = deployment('machine-controller-manager', { containers: [] })
      const { object: after } = await play(object, {}, { imagevectorOverwrite: file })
      expect(JSON.stringify(after)).toContain('"image":"mirror.example/m:v9"')
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

const nodes = (
  parts: { readonly units?: readonly object[]; readonly files?: readonly object[] } = {},
  pool = 'pool1',
): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'OperatingSystemConfig',
  metadata: { name: 'x', namespace, labels: { 'worker.gardener.cloud/pool': pool } },
  spec: { purpose: 'reconcile', ...parts },
})
const kubeletFile = (data: string, encoding = 'b64') => ({
  files: [{ path: '/var/lib/kubelet/config/kubelet', content: { inline: { encoding, data } } }],
})
const kubeletUnit = (content: string) => ({ units: [{ name: 'kubelet.service', content }] })
const contentOf = ({ spec }: KubernetesObject): string => {
  const { units } = spec as { readonly units: readonly { readonly name: string; readonly content: string }[] }
  return units.find(({ name }) => name === 'kubelet.service')?.content ?? ''
}

describe('nodes', () => {
  const ofPool = (version: string) => ({
    spec: {
      kubernetes: { version: '1.34.2' },
      provider: {
        infrastructureConfig,
        workers: [{ name: 'pool1', kubernetes: { version } }, { name: 'pool2' }],
      },
    },
  })

  test.each([
    ['pool1', 'v1.32.0'],
    ['pool2', 'v1.34.1'],
    ['gone', 'v1.34.1'],
  ])('have the credential provider of the version of their pool: %s', async (pool, tag) => {
    const { object } = await play(nodes({}, pool), ofPool('1.32.7'))
    expect(JSON.stringify(object)).toContain(`ecr-credential-provider:${tag}"`)
  })

  test('of a version without a credential provider are refused', async () => {
    const { code, message } = await play(nodes(), ofPool('1.31.5'))
    expect({ code, message }).toEqual({
      code: 403,
      message: 'could not find image "ecr-credential-provider" for Kubernetes 1.31.5',
    })
  })

  test('of a shoot with an invalid version are refused', async () => {
    const { code, message } = await play(nodes(), {
      spec: { kubernetes: { version: 'new' }, provider: { infrastructureConfig } },
    })
    expect({ code, message }).toEqual({ code: 403, message: 'invalid semantic version' })
  })

  test('without labels belong to no pool', async () => {
    const object = {
      ...nodes(),
      metadata: { name: 'x', namespace, labels: null },
    } as unknown as KubernetesObject
    const { object: after } = await play(object, ofPool('1.32.7'))
    expect(JSON.stringify(after)).toContain('ecr-credential-provider:v1.34.1"')
  })

  test('retain an ExecStart that resets earlier ones', async () => {
    const { object } = await play(nodes(kubeletUnit('[Service]\nExecStart=\nExecStart=/opt/bin/kubelet\n')))
    expect(contentOf(object)).toMatch(
      /^\[Service\]\nExecStart=\nExecStart=\/opt\/bin\/kubelet --cloud-provider=external /,
    )
  })

  test('without an InfrastructureConfig have neither registry nor MTU', async () => {
    expect(await play(nodes(), { spec: { provider: { type: 'aws' } } })).toMatchObject({ patch: [] })
  })

  test('retain a correct unit for the MTU', async () => {
    const { object } = await play(nodes({ units: [{ name: 'custom-mtu.service', content: '[Unit]\n' }] }))
    expect(JSON.stringify(object)).toContain('ExecStart=/opt/bin/mtu-customizer.sh')
  })

  test('of a config with unknown fields are refused with their names', async () => {
    const provider = { infrastructureConfig: { ...infrastructureConfig, foo: 'PLANTED' } }
    const { message } = await play(nodes(), { spec: { provider } })
    expect(message).toMatch(/^could not decode infrastructureConfig of shoot 'garden-foo\/bar': foo: /)
    expect(message).not.toContain('PLANTED')
  })

  test('handle a unit with Windows line breaks like any other', async () => {
    const unit = '[Service]\r\nExecStart=/opt/bin/kubelet \\\r\n    --cloud-provider=aws\r\n'
    const { object } = await play(nodes(kubeletUnit(unit)))
    expect(contentOf(object)).toMatch(
      /^\[Service\]\nExecStart=\/opt\/bin\/kubelet --cloud-provider=external \\\n {4}--image/,
    )
  })

  test('retain arguments in quotes', async () => {
    const { object } = await play(nodes(kubeletUnit('[Service]\nExecStart=/opt/bin/kubelet --x="a  b"\n')))
    expect(contentOf(object)).toContain('kubelet --x="a  b" \\\n')
  })

  test.each<[string, object, RegExp]>([
    ['a unit that is none', kubeletUnit('PLANTED'), /^could not decode kubelet\.service: line 1 is neither/],
    [
      'an empty configuration',
      kubeletFile(''),
      /^could not decode kubelet configuration: it is not a KubeletConf/,
    ],
    ['no base64', kubeletFile('PLANTED!'), /^could not decode kubelet configuration: expected base64 text$/],
    ['no text', kubeletFile('/w=='), /^could not decode kubelet configuration: it is not UTF-8 text$/],
    [
      'another encoding',
      kubeletFile('PLANTED', 'gzip'),
      /^could not decode kubelet configuration: its encoding/,
    ],
    ['no YAML', kubeletFile('"PLANTED', ''), /^could not decode kubelet configuration: line 1: not YAML/],
    [
      'units that are none',
      { units: 'PLANTED' },
      /^could not decode the object: spec\.units: expected a list/,
    ],
    [
      'a file without a path',
      { files: [{}] },
      /^could not decode the object: spec\.files\[0\]\.path: expected/,
    ],
  ])('with %s are refused, with an error that does not reveal it', async (_, parts, message) => {
    const answer = await play(nodes(parts))
    expect(answer.allowed).toBe(false)
    expect(answer.message).toMatch(message)
    expect(answer.message).not.toContain('PLANTED')
  })

  test('with a file from a Secret retain it', async () => {
    const files = [
      { path: '/var/lib/kubelet/config/kubelet', content: { secretRef: { name: 'a', dataKey: 'b' } } },
    ]
    const { object } = await play(nodes({ files }))
    expect(object.spec).toMatchObject({ files: expect.arrayContaining(files) })
  })

  test('with a megabyte of files are changed', async () => {
    const files = Array.from({ length: 1_000 }, (_, index) => ({
      path: `/f${index}`,
      content: { inline: { encoding: '', data: 'x'.repeat(1_000) } },
    }))
    const { allowed, patch } = await play(nodes({ files }))
    expect({ allowed, operations: patch.length }).toEqual({ allowed: true, operations: 4 })
  })
})

test('an autoscaler of another name does not change', async () => {
  const object = {
    apiVersion: 'autoscaling.k8s.io/v1',
    kind: 'VerticalPodAutoscaler',
    metadata: { name: 'x', namespace },
    spec: {},
  }
  expect(await play(object)).toMatchObject({ allowed: true, patch: [] })
})
