import * as s3 from '@aws-sdk/client-s3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bucketNames } from '../../sandbox/providers/aws/simulator/aws.ts'
import { clientSettings } from '../../sandbox/providers/aws/simulator/testing/clients.ts'
import { annotations, apiVersion } from '../../shared/contract/constants.ts'
import { type KindName, kinds } from '../../shared/contract/kinds.ts'
import { secrets } from '../../shared/kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { accessManifests, bestDefinitions, define } from './definitions.ts'
import { type RealCluster, startRealCluster } from './real-cluster.ts'
import { type RealSeed, startRealSeed } from './real-seed.ts'
import { describeWith } from './with-part.ts'

const technicalId = 'shoot--foo--bar'
const bucket = 'backups-of-seed'
const entry = `${technicalId}--0c1f3a52-6a3f-4a0b-9d55-2f1f4f3f6d11`

const namespaceOf = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name },
})
const secretOf = (name: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'garden' },
  data: { accessKeyID: btoa('AKIAEXAMPLE'), secretAccessKey: btoa('example') },
})
const objectOf = (kind: KindName, name: string, spec: object): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: {
    name,
    annotations: {
      [annotations.operation]: 'reconcile',
      [annotations.timestamp]: '2026-11-21T12:00:00.000000001Z',
      [annotations.deletionConfirmation]: 'true',
    },
  },
  spec: {
    type: 'aws',
    region: 'eu-west-1',
    secretRef: { name: `${kind.toLowerCase()}-${name}`, namespace: 'garden' },
    ...spec,
  },
})

describeWith('kube', 'backups on kube-apiserver', programs => {
  describe.each(bestDefinitions)('with $whose CRDs', ({ load }) => {
    let cluster: RealCluster
    let seed: RealSeed
    beforeAll(async () => {
      cluster = await startRealCluster(programs)
      await define(cluster.kubernetes, await load())
      await cluster.create([...(await accessManifests()), ...['garden', technicalId].map(namespaceOf)])
      await cluster.create([secretOf(`backupbucket-${bucket}`), secretOf(`backupentry-${entry}`)])
      seed = await startRealSeed(cluster, 'BackupBucket,BackupEntry')
    })
    afterAll(async () => {
      await seed?.close()
      await cluster?.close()
    })

    const stateOf = async (kind: KindName, name: string) => {
      const object = await cluster.kubernetes.get(kinds[kind].resource, { name })
      return (object?.status as { readonly lastOperation?: { readonly state: string } } | undefined)
        ?.lastOperation?.state
    }
    const gone = (kind: KindName, name: string) =>
      expect.poll(() => cluster.kubernetes.get(kinds[kind].resource, { name })).toBeUndefined()

    test('a bucket and the Secret of etcd are created with only the permissions of the manifests', async () => {
      await cluster.kubernetes.create(
        kinds.BackupBucket.resource,
        objectOf('BackupBucket', bucket, {
          providerConfig: {
            apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
            kind: 'BackupBucketConfig',
            immutability: { retentionType: 'bucket', retentionPeriod: '24h', mode: 'governance' },
          },
        }),
      )
      await expect.poll(() => stateOf('BackupBucket', bucket)).toBe('Succeeded')
      expect(bucketNames(seed.aws.account())).toEqual([bucket])
      await cluster.kubernetes.create(
        kinds.BackupEntry.resource,
        objectOf('BackupEntry', entry, { bucketName: bucket }),
      )
      await expect.poll(() => stateOf('BackupEntry', entry)).toBe('Succeeded')
      expect(
        await cluster.kubernetes.get(secrets, { name: 'etcd-backup', namespace: technicalId }),
      ).toMatchObject({ data: { bucketName: btoa(bucket), region: btoa('eu-west-1') } })
    })

    test('an entry is deleted with its Secret, and S3 deletes its locked objects', async () => {
      const client = new s3.S3Client(clientSettings(seed.aws))
      const Key = `${entry}/etcd-main/a`
      await client.send(new s3.PutObjectCommand({ Bucket: bucket, Key, Body: 'x' }))
      await cluster.kubernetes.delete(kinds.BackupEntry.resource, { name: entry })
      await gone('BackupEntry', entry)
      expect(
        await cluster.kubernetes.get(secrets, { name: 'etcd-backup', namespace: technicalId }),
      ).toBeUndefined()
      const { TagSet } = await client.send(new s3.GetObjectTaggingCommand({ Bucket: bucket, Key }))
      expect(TagSet).toEqual([{ Key: 'gc-marked-for-deletion', Value: 'true' }])
    })

    test('a bucket with a locked object waits, and its status has the count', async () => {
      await cluster.kubernetes.delete(kinds.BackupBucket.resource, { name: bucket })
      const live = async () => await cluster.kubernetes.get(kinds.BackupBucket.resource, { name: bucket })
      await expect.poll(live).toMatchObject({
        status: {
          lastOperation: {
            state: 'Processing',
            description: expect.stringContaining('Waiting for 1 locked object'),
          },
          state: { kind: 'BackupDeletionState', progress: { deleted: 0 } },
        },
      })
    })

    test('the Secrets of deleted objects have no finalizer of the function', async () => {
      const secret = await cluster.kubernetes.get(secrets, {
        name: `backupentry-${entry}`,
        namespace: 'garden',
      })
      expect(secret?.metadata.finalizers ?? []).toEqual([])
    })
  })
})
