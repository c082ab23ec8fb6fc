import { type Kubernetes, KubernetesError } from '../../kubernetes/port.ts'
import { type SecretRef, secrets } from './read-secret.ts'

/**
 * The finalizer that a BackupBucket or BackupEntry keeps on its Secret, so that it can still delete
 * (docs/contract/lifecycle.md#finalizers).
 */
export interface SecretFinalizer {
  readonly exists: () => Promise<boolean>
  readonly add: () => Promise<'done' | 'missing'>
  readonly remove: () => Promise<'done' | 'missing'>
}

interface Input {
  readonly kubernetes: Kubernetes
  readonly ref: SecretRef
  readonly finalizer: string
  readonly throwIfExpired: () => void
  readonly signal: AbortSignal
}

/**
 * gardenlet patches the Secret every 5 s while a BackupEntry is deleted (docs/contract/kinds.md#backupentry): a lock
 * may be lost a few times.
 */
const tries = 5

export const secretFinalizer = ({
  kubernetes,
  ref,
  finalizer,
  throwIfExpired,
  signal,
}: Input): SecretFinalizer => {
  const change = async (next: (finalizers: readonly string[]) => readonly string[]) => {
    for (let attempt = 1; ; attempt++) {
      const secret = await kubernetes.get(secrets, ref, { signal })
      if (secret === undefined) return 'missing'
      const { uid, resourceVersion, finalizers = [] } = secret.metadata
      const wanted = next(finalizers)
      if (wanted.length === finalizers.length) return 'done'
      throwIfExpired()
      try {
        await kubernetes.patch(
          secrets,
          ref,
          { metadata: { uid, resourceVersion, finalizers: wanted } },
          { signal },
        )
        return 'done'
      } catch (error) {
        if (!(error instanceof KubernetesError) || error.status !== 409 || attempt === tries) throw error
      }
    }
  }
  return {
    exists: async () => (await kubernetes.get(secrets, ref, { signal })) !== undefined,
    add: () => change(present => (present.includes(finalizer) ? present : [...present, finalizer])),
    remove: () => change(present => present.filter(entry => entry !== finalizer)),
  }
}
