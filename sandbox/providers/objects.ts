import { readFile } from 'node:fs/promises'
import { parseAllDocuments } from 'yaml'
import { systemClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { LastOperation } from '../../shared/contract/objects.ts'
import type { GroupVersionResource, KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import type { Seed } from '../seed/seed.ts'

const resources: Readonly<Record<string, GroupVersionResource>> = {
  Namespace: { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
  Secret: { group: '', version: 'v1', plural: 'secrets', namespaced: true },
  Cluster: clusterKind.resource,
  DNSRecord: kinds.DNSRecord.resource,
  Infrastructure: kinds.Infrastructure.resource,
}

/** An extension object, with the fields that the tour reads. */
export interface DemoObject extends KubernetesObject {
  readonly status?: {
    readonly observedGeneration?: number
    readonly lastOperation?: LastOperation
    readonly lastError?: { readonly codes?: readonly string[] }
  }
}

/** Creates new objects like `kubectl apply -f examples/…`. */
export const apply = async (
  { kubernetes }: Pick<Seed, 'kubernetes'>,
  file: string,
): Promise<readonly KubernetesObject[]> => {
  const text = await readFile(new URL(`../../examples/${file}`, import.meta.url), 'utf8')
  const created: KubernetesObject[] = []
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS() as KubernetesObject
    const resource = resources[object.kind]
    if (resource === undefined)
      throw new Error(`${file} contains an object of the unknown kind ${object.kind}`)
    created.push(await kubernetes.create(resource, object))
  }
  return created
}

/** The patch with which gardenlet requests a reconcile. */
export const request = () => ({
  annotations: {
    [annotations.operation]: 'reconcile',
    [annotations.timestamp]: new Date().toISOString(),
  },
})

/** Waits until an object fulfils a condition. */
export const until = async (
  { kubernetes, clock }: Pick<Seed, 'kubernetes' | 'clock'>,
  resource: GroupVersionResource,
  key: ObjectKey,
  reached: (object: DemoObject | undefined) => boolean,
  signal: AbortSignal,
): Promise<DemoObject | undefined> => {
  for (;;) {
    const object = (await kubernetes.get(resource, key, { signal })) as DemoObject | undefined
    if (reached(object)) return object
    await clock.sleep(10, signal)
  }
}

/** Returns true if an object is idle after a success: no operation is requested, and no step runs. */
export const isReady = (object: DemoObject | undefined): boolean =>
  object?.status?.lastOperation?.state === 'Succeeded' &&
  object.status.observedGeneration === object.metadata.generation &&
  dueWork(object.kind as KindName, object, systemClock.now()).kind === 'none'

/** Deletes objects as gardenlet does: confirms, deletes, waits until they are gone. */
export const remove = async (
  sandbox: Pick<Seed, 'kubernetes' | 'clock'>,
  resource: GroupVersionResource,
  keys: readonly ObjectKey[],
  signal: AbortSignal,
): Promise<void> => {
  for (const key of keys) {
    await sandbox.kubernetes.patch(resource, key, {
      metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } },
    })
    await sandbox.kubernetes.delete(resource, key)
  }
  for (const key of keys) await until(sandbox, resource, key, object => object === undefined, signal)
}
