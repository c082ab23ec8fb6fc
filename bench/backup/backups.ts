import { apiVersion } from '../../shared/contract/constants.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
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

export const backupEntries: StartedKind = {
  kind: 'BackupEntry',
  bundle: 'dist/bundles/aws-backupentry/main.cjs',
  objects: objects,
  prepare: () => {},
  objectNumber: index =>
    backupObject('BackupEntry', `${namespace}--${index}`, { bucketName: 'backups-of-seed' }),
}
