import { formatSeconds, parseTimestamp, type Timestamp } from '../clock/clock.ts'
import type { ManagedSecret } from './managed-secret.ts'
import type { SecretStore } from './secret-store.ts'

/**
 * How long a Secret stays after a reconcile has ended without it. Pods that mount it start until the Deployment which names
 * its successor is applied and rolled out.
 */
export const unusedForMs = 10 * 60_000

/** What becomes of a Secret that nobody needs. */
export const unusedEnding = (secret: ManagedSecret, now: Timestamp): 'mark' | 'keep' | 'remove' => {
  // No pod mounts a CA: they have its certificate from the bundle. Its key is not left lying about.
  if (isAuthority(secret)) return 'remove'
  const since = parseTimestamp(secret.unusedSince)
  // A mark of the future is one of a wrong clock.
  if (since === undefined || since > now) return 'mark'
  return now - since >= unusedForMs ? 'remove' : 'keep'
}

/** Marks or removes Secrets that nobody needs. One that has changed since it was read is left to the next time. */
export const cleanUp = async (
  store: SecretStore,
  unused: readonly ManagedSecret[],
  now: Timestamp,
): Promise<void> => {
  const endingIn = (ending: 'mark' | 'remove') =>
    unused.filter(secret => unusedEnding(secret, now) === ending)
  // CAs last, and only then: that a certificate is marked says that its CA is gone on purpose.
  let areMarked = true
  for (const secret of endingIn('mark'))
    if ((await store.mark(secret, formatSeconds(now))) === 'changed') areMarked = false
  for (const secret of endingIn('remove')) if (areMarked || !isAuthority(secret)) await store.remove(secret)
}

export const isAuthority = ({ data }: Pick<ManagedSecret, 'data'>): boolean => data['ca.key'] !== undefined
