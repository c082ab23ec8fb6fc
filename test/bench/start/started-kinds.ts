import { generateKeyPairSync } from 'node:crypto'
import { clusterOf as bastionCluster, bastionOf } from '../../../functions/aws/bastion/testing/objects.ts'
import { secretConfigs, secretsIdentity } from '../../../functions/aws/controlplane/secrets.ts'
import {
  clusterOf as controlPlaneCluster,
  controlPlaneOf,
} from '../../../functions/aws/controlplane/testing/control-plane.ts'
import {
  infrastructureOf,
  clusterOf as networkCluster,
} from '../../../functions/aws/infrastructure/testing/objects.ts'
import {
  cloudProfile,
  infrastructureStatus,
  poolOf,
} from '../../../functions/aws/worker/machines/testing/request.ts'
import { type Aws, addImage, addNetwork } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { apiVersion, labels } from '../../../shared/contract/constants.ts'
import type { KindName } from '../../../shared/contract/kinds.ts'
import type { Kubernetes, KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { createSecretsManager } from '../../../shared/secrets-manager/secrets-manager.ts'
import { askedAt, giveZone, recordNumber, shootObjects } from '../../real/dns-shoot.ts'

/** The first event of a function: for a new object, which is `Succeeded` after one step. */
export interface StartedKind {
  readonly kind: KindName
  /** The file of the function, from the root of the project. */
  readonly bundle: string
  /** The objects that exist in the API server at the start. */
  readonly objects: readonly KubernetesObject[]
  readonly prepare?: (aws: Aws, kubernetes: Kubernetes) => void | Promise<void>
  readonly objectNumber: (index: number) => KubernetesObject
}

/** The largest number of objects of a kind that a benchmark asks for. */
const most = 400
const region = 'eu-west-1'
const secretAccessKey = 'made-up-for-the-benchmark'
const infrastructureKey = (index: number) => `AKIAINFRA${String(index).padStart(11, '0')}`
const bundleOf = (program: string) => `dist/bundles/${program}/main.cjs`

/** The namespace of a shoot that has one object of a kind. */
const shootName = (kind: KindName, index: number) => `shoot--bench--${kind.toLowerCase()}-${index}`
const inEach = <T>(make: (index: number) => readonly T[]): readonly T[] =>
  Array.from({ length: most }, (_, index) => make(index)).flat()
const secretRefIn = (namespace: string | undefined) => ({ name: 'cloudprovider', namespace })

/** A shoot's objects before gardenlet creates those that a function reconciles. */
const shootOf = (
  name: string,
  spec: unknown,
  accessKeyId = 'AKIABENCH00000000000',
): readonly KubernetesObject[] => [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [labels.role]: 'shoot' } } },
  { apiVersion, kind: 'Cluster', metadata: { name }, spec: Object(spec) },
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'cloudprovider', namespace: name },
    data: { accessKeyID: btoa(accessKeyId), secretAccessKey: btoa(secretAccessKey) },
  },
]

/** The object as gardenlet has just created it, in its own place. */
const placed = (
  { kind, spec }: { readonly kind: string; readonly spec?: unknown },
  metadata: KubernetesObject['metadata'],
  index: number,
): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { ...metadata, annotations: askedAt(index) },
  spec: { ...Object(spec), ...(metadata.namespace && { secretRef: secretRefIn(metadata.namespace) }) },
})
const backupSpec = { type: 'aws', region, secretRef: secretRefIn(shootName('BackupEntry', 0)) }

export const dnsRecords: StartedKind = {
  kind: 'DNSRecord',
  bundle: bundleOf('aws-dnsrecord'),
  objects: shootObjects,
  prepare: aws => giveZone(aws.account()),
  objectNumber: recordNumber,
}

const emptyShoots = inEach(index =>
  shootOf(shootName('BackupEntry', index), { cloudProfile: {}, seed: {}, shoot: {} }),
)

const backupBuckets: StartedKind = {
  kind: 'BackupBucket',
  bundle: bundleOf('aws-backupbucket'),
  objects: emptyShoots,
  objectNumber: index =>
    placed({ kind: 'BackupBucket', spec: backupSpec }, { name: `bucket-${index}` }, index),
}

/** Each belongs to a separate shoot, because the entries of one shoot write the same Secret. */
const backupEntries: StartedKind = {
  kind: 'BackupEntry',
  bundle: bundleOf('aws-backupentry'),
  objects: emptyShoots,
  objectNumber: index =>
    placed(
      { kind: 'BackupEntry', spec: { ...backupSpec, bucketName: 'backups-of-seed' } },
      { name: `${shootName('BackupEntry', index)}--${index}` },
      index,
    ),
}

const bastionShoot = bastionCluster()
const { name: bastionNamespace } = bastionShoot.metadata

/** A bastion takes 10 calls to AWS, a record 3. */
const bastions: StartedKind = {
  kind: 'Bastion',
  bundle: bundleOf('aws-bastion'),
  objects: shootOf(bastionNamespace, bastionShoot.spec),
  prepare: aws => {
    addImage(aws.account(), region, { id: 'ami-0aaaaaaaaaaaaaaa1', name: 'bench', architecture: 'x86_64' })
    addNetwork(aws.account(), region, {
      name: bastionNamespace,
      cidr: '10.250.0.0/16',
      subnet: { name: `${bastionNamespace}-public-utility-z0`, cidr: '10.250.96.0/22' },
      group: { name: `${bastionNamespace}-nodes`, description: 'Security group for nodes' },
    })
  },
  objectNumber: index => placed(bastionOf(), { name: `cli-${index}`, namespace: bastionNamespace }, index),
}

/** Networks of shoots, each in a separate AWS account. */
export const infrastructures: StartedKind = {
  kind: 'Infrastructure',
  bundle: bundleOf('aws-infrastructure'),
  objects: inEach(index =>
    shootOf(shootName('Infrastructure', index), networkCluster().spec, infrastructureKey(index)),
  ),
  prepare: aws => {
    for (let index = 0; index < most; index++) {
      const account = aws.account(String(200_000_000_000 + index))
      account.register({ accessKeyId: infrastructureKey(index), secretAccessKey })
    }
  },
  objectNumber: index =>
    placed(infrastructureOf(), { name: 'rose', namespace: shootName('Infrastructure', index) }, index),
}

const workerShoot = (technicalID: string) => ({
  cloudProfile: {
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'CloudProfile',
    metadata: { name: 'aws' },
    spec: { type: 'aws', regions: [{ name: region, zones: [{ name: `${region}a` }] }], ...cloudProfile },
  },
  seed: {},
  shoot: {
    metadata: { name: 'rose', namespace: 'garden-bench' },
    spec: { networking: { ipFamilies: ['IPv4'] }, hibernation: { enabled: true } },
    status: { technicalID },
  },
})

/** Workers of hibernated shoots: the function creates all objects and does not wait for machines. */
export const workers: StartedKind = {
  kind: 'Worker',
  bundle: bundleOf('aws-worker'),
  objects: inEach(index => [
    ...shootOf(shootName('Worker', index), workerShoot(shootName('Worker', index))),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'osc-result-a', namespace: shootName('Worker', index) },
      data: { cloud_config: btoa('#!/bin/bash\necho\n') },
    },
  ]),
  objectNumber: index =>
    placed(
      {
        kind: 'Worker',
        spec: {
          type: 'aws',
          region,
          infrastructureProviderStatus: infrastructureStatus,
          pools: [poolOf({ architecture: 'amd64' })],
        },
      },
      { name: 'rose', namespace: shootName('Worker', index) },
      index,
    ),
}

/**
 * ControlPlanes of hibernated shoots: the function creates all objects and does not wait for a resource manager. Their
 * certificates already exist, because creating three RSA keys takes longer than a start, and varies.
 */
export const controlPlanes: StartedKind = {
  kind: 'ControlPlane',
  bundle: bundleOf('aws-controlplane'),
  objects: inEach(index =>
    shootOf(
      shootName('ControlPlane', index),
      controlPlaneCluster({ hibernation: { wanted: true, reached: true } }).spec,
    ),
  ),
  prepare: async (_, kubernetes) => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
    for (let index = 0; index < most; index++) {
      const namespace = shootName('ControlPlane', index)
      const { authorities, certificates } = secretConfigs(namespace)
      await createSecretsManager({
        kubernetes,
        clock: systemClock,
        namespace,
        identity: secretsIdentity,
        configs: [...authorities, ...certificates],
        createKeyPair: async () => keys,
      }).generate()
    }
  },
  objectNumber: index =>
    placed(controlPlaneOf({}), { name: 'rose', namespace: shootName('ControlPlane', index) }, index),
}

/** The kinds of `aws` whose objects are `Succeeded` after one step; an Infrastructure takes several. */
export const succeedingKinds: readonly StartedKind[] = [
  dnsRecords,
  backupBuckets,
  backupEntries,
  bastions,
  workers,
  controlPlanes,
]
