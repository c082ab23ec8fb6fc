import * as s3 from '@aws-sdk/client-s3'
import { findFunctions } from '../../functions/find-functions.ts'
import { type Aws, bucketNames } from '../../sandbox/providers/aws/simulator/aws.ts'
import { clientSettings } from '../../sandbox/providers/aws/simulator/testing/clients.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { type VirtualClock, virtualClock } from '../../shared/clock/clock.ts'
import { dueWork, secrets } from '../../shared/lifecycle/lifecycle.ts'
import { isWaiting } from '../live-record.ts'
import { startRunningSeed } from '../running-seed.ts'

type BackupKind = 'BackupBucket' | 'BackupEntry'

export const technicalId = 'shoot--foo--bar'
export const entryName = `${technicalId}--0c1f3a52-6a3f-4a0b-9d55-2f1f4f3f6d11`
export const day = 86_400_000
const region = 'eu-west-1'

export interface BackupSeedOptions {
  /** A virtual clock that advances while all work waits. Default: a real clock. */
  readonly clock?: VirtualClock
  readonly aws: Aws
  readonly name?: string
  readonly settings?: Readonly<Record<string, unknown>>
}

export const newVirtualAws = () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  return { clock, aws: shuffledAws({ clock }) }
}

/** Starts a seed with the backup functions. */
export const startBackupSeed = async ({ aws, name, settings, ...options }: BackupSeedOptions) => {
  const running = await startRunningSeed({
    functions: (await findFunctions()).filter(
      ({ kind }) => kind === 'BackupBucket' || kind === 'BackupEntry',
    ),
    kinds: ['BackupBucket', 'BackupEntry'],
    aws,
    clock: options.clock,
    ...(name !== undefined && { name }),
    ...(settings && { functionSettings: settings }),
  })
  const { seed, live, until } = running
  const { clock } = seed

  const metadataOf = (of: string, operation: string) => ({ name: of, annotations: running.asked(operation) })
  /** Creates a copy of the credentials for each object, as gardenlet does. */
  const createSecret = (of: string) =>
    running.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: of, namespace: 'garden' },
      data: { accessKeyID: btoa('AKIABACKUPS'), secretAccessKey: btoa('planted-secret-access-key') },
    })
  for (const of of ['garden', technicalId])
    await running.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: of } })

  return {
    aws,
    seed,
    live: (kind: BackupKind, of: string) => live(kind, of),
    until,
    createBucket: async (of: string, immutability?: object) => {
      await createSecret(`bucket-${of}`)
      await running.create({
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'BackupBucket',
        metadata: metadataOf(of, 'reconcile'),
        spec: {
          type: 'aws',
          region,
          secretRef: { name: `bucket-${of}`, namespace: 'garden' },
          ...(immutability && {
            providerConfig: {
              apiVersion: 'aws.provider.extensions.gardener.cloud/v1alpha1',
              kind: 'BackupBucketConfig',
              immutability,
            },
          }),
        },
      })
    },
    createEntry: async (of: string, bucketName: string, operation = 'reconcile') => {
      await createSecret(`entry-${of}`)
      await running.create({
        apiVersion: 'extensions.gardener.cloud/v1alpha1',
        kind: 'BackupEntry',
        metadata: metadataOf(of, operation),
        spec: { type: 'aws', region, bucketName, secretRef: { name: `entry-${of}`, namespace: 'garden' } },
      })
    },
    ask: (kind: BackupKind, of: string, operation: string) => running.ask(kind, { name: of }, operation),
    /** Confirms the deletion and deletes. */
    remove: (kind: BackupKind, of: string) => running.remove(kind, { name: of }),
    untilReady: (kind: BackupKind, of: string) => running.untilReady(kind, of, { mayFail: true }),
    untilGone: (kind: BackupKind, of: string, limitMs?: number) => running.untilGone(kind, of, limitMs),
    /** Returns its data as text, or undefined if it does not exist. */
    secret: async (of: string) => {
      const key = { name: of, namespace: technicalId }
      const found = await running.pass('a read', seed.kubernetes.get(secrets, key))
      const data = found && ((found as { readonly data?: Readonly<Record<string, string>> }).data ?? {})
      return data && Object.fromEntries(Object.entries(data).map(([field, value]) => [field, atob(value)]))
    },
    /**
     * Like `untilGone`, but over days: the clock jumps to when the object is due, as after a machine has slept. Returns
     * the reasons for the waits.
     */
    untilGoneLeaping: async (kind: BackupKind, of: string): Promise<readonly string[]> => {
      const waits: string[] = []
      for (let leaps = 0; leaps < 30; leaps++) {
        const rest = await until(`${of} to wait or to be gone`, () => {
          const object = live(kind, of)
          if (object === undefined) return 'gone'
          const due = dueWork(kind, object, clock.now())
          return due.kind === 'later' && isWaiting(object) ? { at: due.at, object } : undefined
        })
        if (rest === 'gone') return waits
        waits.push(rest.object.status?.lastOperation?.description ?? '')
        await options.clock?.advance(rest.at - clock.now())
      }
      throw new Error(`still there: ${waits.at(-1)}`)
    },
    actions: () => aws.calls.all().map(({ action }) => action),
    close: running.close,
  }
}
export type BackupSeed = Awaited<ReturnType<typeof startBackupSeed>>

/** Returns the actions of etcd's backups and an operator in the account. Their calls are not logged. */
export const operatorOf = (aws: Aws) => {
  const client = new s3.S3Client(clientSettings(aws))
  const quietly = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work
    aws.calls.clear()
    return result
  }
  return {
    client,
    quietly,
    put: (Bucket: string, ...keys: readonly string[]) =>
      quietly(
        Promise.all(keys.map(Key => client.send(new s3.PutObjectCommand({ Bucket, Key, Body: 'backup' })))),
      ),
    keys: (Bucket: string) =>
      quietly(
        client
          .send(new s3.ListObjectVersionsCommand({ Bucket }))
          .then(({ Versions = [] }) => Versions.map(({ Key = '' }) => Key)),
      ),
    buckets: () => bucketNames(aws.account()),
  }
}
