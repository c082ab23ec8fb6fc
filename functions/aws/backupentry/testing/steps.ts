import { createSteppedSeed } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import type { VirtualClock } from '../../../../shared/clock/clock.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import type { BackupEntry } from '../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'
import { connectionOver } from '../../testing/actuator-steps.ts'
import { definition } from '../function.ts'

const { resource } = kinds.BackupEntry

export const technicalId = 'shoot--foo--bar'
export const entryName = `${technicalId}--5a3b-77`

export interface EntryParts {
  readonly name?: string
  readonly bucketName: string
  readonly region?: string
  /** Data and labels of the Secret, as text. */
  readonly secret?: Readonly<Record<string, string>>
  readonly secretLabels?: Readonly<Record<string, string>>
  readonly secretAnnotations?: Readonly<Record<string, string>>
}

const entryOf = ({ name = entryName, bucketName, region = 'eu-west-1' }: EntryParts): BackupEntry => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'BackupEntry',
  metadata: {
    name,
    annotations: {
      'gardener.cloud/operation': 'reconcile',
      'confirmation.gardener.cloud/deletion': 'true',
    },
  },
  spec: { type: 'aws', region, bucketName, secretRef: { name: 'entry', namespace: 'garden' } },
})

/** A seed with one BackupEntry. */
export const seedWith = async (requestHandler: AwsRequestHandler, clock: VirtualClock, parts: EntryParts) => {
  const { name = entryName, secret = { accessKeyID: 'AKIATEST', secretAccessKey: 'secret-of-the-entry' } } =
    parts
  let dies = () => {}
  const interference = { before: () => dies(), after: () => dies() }
  const seed = createSteppedSeed({
    definition,
    clock,
    connection: connectionOver(requestHandler, interference),
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: technicalId } },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: 'entry',
          namespace: 'garden',
          labels: parts.secretLabels ?? {},
          annotations: parts.secretAnnotations ?? {},
        },
        data: Object.fromEntries(Object.entries(secret).map(([key, text]) => [key, btoa(text)])),
      },
    ],
  })
  const { kubernetes } = seed
  await kubernetes.create(resource, entryOf(parts) as unknown as KubernetesObject)
  const one = seed.object({ name })
  const entry = () => one.live() as Promise<BackupEntry | undefined>
  const step = (next = () => {}) => {
    dies = next
    return one.step()
  }
  return {
    kubernetes,
    /** Executes one step. `dies` ends every call to AWS. */
    step,
    entry,
    secretOfEtcd: (secretName = 'etcd-backup') =>
      kubernetes.get(secrets, { name: secretName, namespace: technicalId }),
    credentials: () => kubernetes.get(secrets, { name: 'entry', namespace: 'garden' }),
    ask: one.ask,
    remove: () => kubernetes.delete(resource, { name }),
    /** Repeats the step until the entry is gone. Returns the descriptions of the waits. */
    untilGone: async () => {
      const descriptions: string[] = []
      for (let count = 0; count < 60; count++) {
        if ((await entry()) === undefined) return descriptions
        await step()
        descriptions.push((await entry())?.status?.lastOperation?.description ?? 'gone')
        await clock.advance(120_000)
      }
      throw new Error(`still there after 60 steps: ${descriptions.at(-1)}`)
    },
  }
}
