import { join } from 'node:path'
import { apiVersion } from '../../shared/contract/constants.ts'
import type { KindName } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, type Figure, here, percentile } from '../figure.ts'
import { askedAt, giveZone, recordNumber, shootObjects } from '../shoot.ts'
import { startWorld } from '../start-world.ts'

const runs = 9
const technicalId = 'shoot--bench--rose'

const backupObject = (kind: KindName, name: string, spec: object): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name, annotations: askedAt(0) },
  spec: { type: 'aws', region: 'eu-west-1', secretRef: { name: 'backups', namespace: technicalId }, ...spec },
})

interface Starting {
  readonly kind: KindName
  readonly bundle: string
  readonly objectOf: (index: number) => KubernetesObject
}

const record: Starting = {
  kind: 'DNSRecord',
  bundle: 'dist/functions/aws-dnsrecord.cjs',
  objectOf: recordNumber,
}
const others: readonly Starting[] = [
  {
    kind: 'BackupBucket',
    bundle: 'dist/functions/aws-backupbucket.cjs',
    objectOf: index => backupObject('BackupBucket', `bucket-${index}`, {}),
  },
  {
    kind: 'BackupEntry',
    bundle: 'dist/functions/aws-backupentry.cjs',
    objectOf: index =>
      backupObject('BackupEntry', `${technicalId}--${index}`, { bucketName: 'backups-of-seed' }),
  },
]

const objects: readonly KubernetesObject[] = [
  ...shootObjects,
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'backups', namespace: technicalId },
    data: { accessKeyID: btoa('AKIABENCH00000000000'), secretAccessKey: btoa('made-up-for-the-benchmark') },
  },
]

/** From the start of a process to the answer to its first event, beside that of a DNSRecord: new objects, all made. */
export const backupStarts: Benchmark = {
  name: 'backup-start',
  run: async () => {
    const all = [record, ...others]
    const missing = await missingBundle(all.map(({ bundle }) => bundle))
    if (missing !== undefined) return [{ name: 'backups: process start → first event answered', missing }]
    const world = await startWorld(objects)
    giveZone(world.account)
    try {
      const cache = { NODE_COMPILE_CACHE: join(world.folder, 'compile-cache') }
      const start = async ({ kind, bundle, objectOf }: Starting, index: number): Promise<number> => {
        const { message, checkSucceeded } = await world.create(kind, objectOf(index))
        const ms = await world.startFunction(bundle, message, cache)
        await checkSucceeded()
        return ms
      }
      const times = new Map(all.map(({ kind }) => [kind, [] as number[]]))
      // The first ones write the caches. In turn, so that what else the machine does hits all alike.
      for (const each of all) await start(each, 0)
      for (let run = 1; run <= runs; run++) {
        for (const each of all) times.get(each.kind)?.push(await start(each, run))
      }
      const reference = percentile(times.get('DNSRecord') ?? [], 0.5)
      return others.map(
        ({ kind }): Figure => ({
          name: `${kind}: process start → first event answered, median`,
          value: percentile(times.get(kind) ?? [], 0.5),
          unit: 'ms',
          target: atMost(Math.round(reference * 1.1)),
          reference: { name: 'DNSRecord', value: reference, source: here },
          with: `compile cache primed; ${runs} runs in turn; Kubernetes by TLS, AWS by HTTP, both on 127.0.0.1`,
        }),
      )
    } finally {
      await world.close()
    }
  },
}
