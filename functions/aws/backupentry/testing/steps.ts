import { StandardRetryStrategy } from '@smithy/core/retry'
import { createApiServer } from '../../../../sandbox/kubernetes/kubernetes.ts'
import type { VirtualClock } from '../../../../shared/clock/clock.ts'
import { allCrds } from '../../../../shared/contract/crds/crd-of.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import type { BackupEntry } from '../../../../shared/contract/objects.ts'
import { eventId } from '../../../../shared/events/events.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import { createKubernetes } from '../../../../shared/kubernetes/kubernetes.ts'
import type { Backend } from '../../../../shared/lifecycle/lifecycle.ts'
import { dueWork, runStep } from '../../../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../../../shared/log/log.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'
import { backupEntryActuator } from '../actuator.ts'
import { backupEntrySettings } from '../settings.ts'

const namespaces: GroupVersionResource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
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

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A seed with one BackupEntry, and its steps as the lifecycle executes them. */
export const seedWith = async (requestHandler: AwsRequestHandler, clock: VirtualClock, parts: EntryParts) => {
  const kubernetes = createKubernetes({
    transport: createApiServer({ clock, objects: allCrds() }).transport,
    clock,
  })
  const { name = entryName, secret = { accessKeyID: 'AKIATEST', secretAccessKey: 'secret-of-the-entry' } } =
    parts
  for (const namespace of ['garden', technicalId]) {
    await kubernetes.create(namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: namespace },
    })
  }
  await kubernetes.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'entry',
      namespace: 'garden',
      labels: parts.secretLabels ?? {},
      annotations: parts.secretAnnotations ?? {},
    },
    data: Object.fromEntries(Object.entries(secret).map(([key, text]) => [key, btoa(text)])),
  })
  await kubernetes.create(resource, entryOf(parts) as unknown as KubernetesObject)

  /** The id of the event that the bridge sends for the due work of the entry. */
  const dueId = async (): Promise<string> => {
    const object = await kubernetes.get(resource, { name })
    const due = object && dueWork('BackupEntry', object, clock.now())
    return object === undefined || due === undefined || due.kind === 'none'
      ? 'nothing-is-due'
      : eventId(object.metadata.uid ?? '', object.metadata.generation ?? 0, due.operation, due.cause)
  }

  /** Executes one step. `settings` are those of its function. `dies` ends every call to AWS. */
  const step = async (settings: object = {}, dies: () => void = () => {}) => {
    const actuator = backupEntryActuator({
      clock,
      settings: backupEntrySettings.parse(settings),
      connection: {
        requestHandler: {
          handle: async (request, options) => {
            dies()
            const answer = await requestHandler.handle(request, options)
            dies()
            return answer
          },
        },
        retryStrategy: new StandardRetryStrategy({
          maxAttempts: 1,
          backoff: { computeNextBackoffDelay: () => 0, setDelayBase: () => {} },
        }),
      },
    })
    const backend = { kind: 'BackupEntry', types: ['aws'], actuator } as unknown as Backend
    return runStep(
      { kubernetes, clock, log: silent, backend },
      { id: await dueId(), reason: 'annotation', name },
      new AbortController().signal,
    )
  }
  const entry = () => kubernetes.get(resource, { name }) as Promise<BackupEntry | undefined>
  return {
    kubernetes,
    step,
    entry,
    secretOfEtcd: (secretName = 'etcd-backup') =>
      kubernetes.get(secrets, { name: secretName, namespace: technicalId }),
    credentials: () => kubernetes.get(secrets, { name: 'entry', namespace: 'garden' }),
    ask: (operation: string) =>
      kubernetes.patch(
        resource,
        { name },
        { metadata: { annotations: { 'gardener.cloud/operation': operation } } },
      ),
    remove: () => kubernetes.delete(resource, { name }),
    /** Repeats the step until the entry is gone. Returns the descriptions of the waits. */
    untilGone: async (settings: object = {}, dies?: () => void) => {
      const descriptions: string[] = []
      for (let count = 0; count < 60; count++) {
        const object = await entry()
        if (object === undefined) return descriptions
        await step(settings, dies)
        descriptions.push((await entry())?.status?.lastOperation?.description ?? 'gone')
        await clock.advance(120_000)
      }
      throw new Error(`still there after 60 steps: ${descriptions.at(-1)}`)
    },
  }
}
