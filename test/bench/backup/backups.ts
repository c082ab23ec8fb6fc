import { apiVersion, labels } from '../../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { askedAt, namespace, shootObjects } from '../shoot.ts'
import type { StartedKind } from '../start-world.ts'

const objects: readonly KubernetesObject[] = [
  ...shootObjects,
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'backups', namespace },
    data: { accessKeyID: btoa('AKIABENCH00000000000'), secretAccessKey: btoa('made-up-for-the-benchmark') },
  },
]

const backupObject = (
  kind: 'BackupBucket' | 'BackupEntry',
  name: string,
  spec: object,
): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, annotations: askedAt(0) },
  spec: { type: 'aws', region: 'eu-west-1', secretRef: { name: 'backups', namespace }, ...spec },
})

export const backupBuckets: StartedKind = {
  kind: 'BackupBucket',
  bundle: 'dist/bundles/aws-backupbucket/main.cjs',
  objects: objects,
  prepare: () => {},
  objectNumber: index => backupObject('BackupBucket', `bucket-${index}`, {}),
}

/** The largest number that a benchmark asks for. */
const most = 240
const shootOf = (index: number) => `shoot--bench--entry-${index}`

/** Each belongs to a separate shoot, because the entries of one shoot write the same Secret. */
export const backupEntries: StartedKind = {
  kind: 'BackupEntry',
  bundle: 'dist/bundles/aws-backupentry/main.cjs',
  objects: [
    ...objects,
    ...Array.from({ length: most }, (_, index) => shootOf(index)).flatMap((name): KubernetesObject[] => [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels: { [labels.role]: 'shoot' } } },
      { apiVersion, kind: 'Cluster', metadata: { name }, spec: { cloudProfile: {}, seed: {}, shoot: {} } },
    ]),
  ],
  prepare: () => {},
  objectNumber: index =>
    backupObject('BackupEntry', `${shootOf(index)}--${index}`, { bucketName: 'backups-of-seed' }),
}
