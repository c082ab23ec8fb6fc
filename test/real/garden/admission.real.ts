import { afterAll, beforeAll, expect, test } from 'vitest'
import { landscape } from '../../../sandbox/providers/aws/demo/whole-shoot.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { webhookProcesses } from '../../webhook/webhook-process.ts'
import { untilPasses } from '../until-passes.ts'
import { startWebhookService } from '../webhook-service.ts'
import { describeWith } from '../with-part.ts'
import { cloudProfile, gardenObjects, projectNamespace, projectObjects, seedSpec } from './landscape.ts'
import { registrationOf } from './page-command.ts'
import { type Path, secret, shoot, shootProviders, withPart } from './shoot-objects.ts'
import { type Garden, startGarden } from './start-garden.ts'

const inShoot = (path: Path, value: unknown) => withPart(shoot, ['spec', 'provider', ...path], value)
const networks = ['infrastructureConfig', 'networks']
const zone = [...networks, 'zones', 0]
const otherProfile = withPart(cloudProfile, ['metadata', 'name'], 'other')
const inProfile = (path: Path, value: unknown) =>
  withPart(otherProfile, ['spec', 'providerConfig', ...path], value)

const config = 'aws.provider.extensions.gardener.cloud/v1alpha1'
const identity = (roleARN: string): KubernetesObject => ({
  apiVersion: 'security.gardener.cloud/v1alpha1',
  kind: 'WorkloadIdentity',
  metadata: { name: 'other', namespace: projectNamespace },
  spec: {
    audiences: ['sts.amazonaws.com'],
    targetSystem: {
      type: 'aws',
      providerConfig: { apiVersion: config, kind: 'WorkloadIdentityConfig', roleARN },
    },
  },
})
const seed: KubernetesObject = {
  apiVersion: 'core.gardener.cloud/v1beta1',
  kind: 'Seed',
  metadata: { name: 'other' },
  spec: seedSpec('other'),
}
const withRetention = (immutability: object): KubernetesObject =>
  withPart(seed, ['spec', 'backup', 'providerConfig'], {
    apiVersion: config,
    kind: 'BackupBucketConfig',
    immutability,
  })
const key = landscape.credentials

/** Objects with a part of the refusal, as docs/admission.md has it. Undefined: Gardener and the admission accept it. */
const reviews: readonly {
  readonly what: string
  readonly object: KubernetesObject
  readonly refusal?: RegExp
}[] = [
  { what: 'a Shoot', object: shoot },
  {
    what: 'a subnet outside of the nodes',
    object: inShoot([...zone, 'workers'], '10.251.0.0/19'),
    refusal: /zones\[0\]\.workers: .*expected a CIDR inside networking\.nodes \(10\.250\.0\.0\/16\)/,
  },
  {
    what: 'two equal subnets',
    object: inShoot([...zone, 'internal'], '10.250.96.0/22'),
    refusal: /overlap/,
  },
  {
    what: 'no range',
    object: inShoot([...networks, 'vpc'], { cidr: '10.250.0.0/33' }),
    refusal: /vpc\.cidr/,
  },
  { what: 'an unknown field', object: inShoot([...networks, 'vpcs'], {}), refusal: /vpcs/ },
  { what: 'a VPC twice', object: inShoot([...networks, 'vpc', 'id'], 'vpc-1'), refusal: /networks\.vpc/ },
  {
    what: 'no zone',
    object: inShoot([...networks, 'zones'], []),
    refusal: /networks\.zones: Required value/,
  },
  {
    what: 'a zone without a public subnet',
    object: inShoot([...zone, 'public'], undefined),
    refusal: /zones\[0\]\.public: Required value/,
  },
  {
    what: 'a zone that the profile does not have',
    object: inShoot([...zone, 'name'], 'eu-west-1b'),
    refusal: /zones\[0\]\.name: Unsupported value: "eu-west-1b"/,
  },
  {
    what: 'another kind of config',
    object: inShoot(['infrastructureConfig', 'kind'], 'ControlPlaneConfig'),
    refusal: /infrastructureConfig.*InfrastructureConfig/,
  },
  {
    what: 'an unknown field of the control plane',
    object: inShoot(['controlPlaneConfig', 'storages'], {}),
    refusal: /unknown field "storages" \(did you mean storage\?\)/,
  },
  {
    what: 'a volume without IOPS',
    object: inShoot(['workers', 0, 'volume', 'type'], 'io1'),
    refusal: /workers\[0\]\.providerConfig: Required value/,
  },
  {
    what: 'a pool with an unknown field',
    object: inShoot(['workers', 0, 'providerConfig'], {
      apiVersion: config,
      kind: 'WorkerConfig',
      volumes: {},
    }),
    refusal: /workers\[0\]\.providerConfig.*volumes/,
  },
  { what: 'a profile', object: otherProfile },
  {
    what: 'a profile without AMIs',
    object: inProfile(['machineImages'], []),
    refusal: /spec\.providerConfig\.machineImages: Required value/,
  },
  {
    what: 'an AMI that is none',
    object: inProfile(['machineImages', 0, 'versions', 0, 'regions', 0, 'ami'], ''),
    refusal: /regions\[0\]\.ami: Required value/,
  },
  { what: 'an unknown field of a profile', object: inProfile(['images'], []), refusal: /images/ },
  { what: 'a Secret', object: secret(key) },
  {
    what: 'a short key',
    object: secret({ ...key, accessKeyID: 'AKIA' }),
    refusal: /secret\.data\[accessKeyID\]: Invalid value: "\(hidden\)"/,
  },
  {
    what: 'a trailing newline',
    object: secret({ ...key, secretAccessKey: `${key.secretAccessKey}\n` }),
    refusal: /secret\.data\[secretAccessKey\]: Invalid value: "\(hidden\)"/,
  },
  {
    what: 'another key',
    object: secret({ ...key, token: 'a' }),
    refusal: /secret\.data\[token\]: Forbidden/,
  },
  {
    what: 'half of a key',
    object: secret({ accessKeyID: String(key.accessKeyID) }),
    refusal: /secret\.data\[secretAccessKey\]: Required value/,
  },
  { what: 'a WorkloadIdentity', object: identity('arn:aws:iam::123456789012:role/nodes') },
  { what: 'no role', object: identity('nodes'), refusal: /spec\.targetSystem\.providerConfig\.roleARN/ },
  { what: 'a Seed', object: seed },
  {
    what: 'a retention without a mode',
    object: withRetention({ retentionType: 'bucket', retentionPeriod: '24h', mode: 'strange' }),
    refusal: /spec\.backup\.providerConfig\.immutability\.mode/,
  },
]

describeWith('garden', 'admission in a real garden', programs => {
  let garden: Garden
  const undo: (() => unknown)[] = []
  beforeAll(async () => {
    garden = await startGarden(programs)
    undo.push(garden.close)
    const kubeconfig = await garden.server.kubeconfig()
    for (const provider of shootProviders) await registrationOf({ provider, kubeconfig })
    const service = await startWebhookService()
    undo.push(service.close)
    const processes = webhookProcesses()
    undo.push(processes.killAll)
    const started = processes.start({
      TRELLIS_CLUSTER: 'garden',
      TRELLIS_COMPONENTS: 'admission-aws',
      TRELLIS_KUBECONFIG: kubeconfig,
      GARDEN_KUBECONFIG: kubeconfig,
      TRELLIS_URL: service.url,
      POD_NAMESPACE: 'garden',
    })
    service.add(await started.ports)
    await untilPasses(async () => {
      const kind = { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration' }
      const { items } = await garden.kubernetes.list(await garden.resourceOf(kind))
      expect([items.length > 0, service.ready()]).toEqual([true, 1])
    })
    await garden.create([...gardenObjects, ...projectObjects])
  })
  afterAll(async () => {
    for (const step of undo.reverse()) await step()
  })

  test.each(reviews)('reviews $what', async ({ object, refusal }) => {
    const found = await garden.refusalOf(object)
    if (refusal === undefined) expect(found).toBe(undefined)
    else expect(found).toMatch(refusal)
  })
})
