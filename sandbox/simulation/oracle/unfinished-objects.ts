import type { LastOperation } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { broken } from '../invariants/invariants.ts'

/** Returns a sentence for each extension object that has not succeeded. */
export const unfinishedObjects = (objects: readonly KubernetesObject[]): readonly string[] =>
  objects.flatMap(({ apiVersion, kind, metadata, status }) => {
    if (!apiVersion.startsWith('extensions.gardener.cloud/') || kind === 'Cluster') return []
    const { lastOperation, lastError } = Object(status) as {
      readonly lastOperation?: LastOperation
      readonly lastError?: { readonly description: string }
    }
    const { namespace = '', name, deletionTimestamp } = metadata
    if (lastOperation?.state === 'Succeeded' && !lastError && deletionTimestamp === undefined) return []
    const text = lastError?.description ?? lastOperation?.description ?? 'it has no status'
    return [
      broken(
        'a newer request is never lost',
        `${kind} ${namespace}/${name} is ${lastOperation?.type} ${lastOperation?.state}: ${text}`,
      ),
    ]
  })
