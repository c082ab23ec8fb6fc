import { formatSeconds, parseTimestamp, type Timestamp } from '../clock/clock.ts'
import type { ManagedSecret } from './managed-secret.ts'
import type { SecretStore } from './secret-store.ts'

/**
 * Milliseconds that a Secret is retained after a reconcile that no longer needs it. Until the Deployment with the
 * successor is applied and rolled out, new pods still mount the old Secret.
 */
export const unusedForMs = 10 * 60_000

/** Returns the action for an unused Secret. */
const unusedEnding = (secret: ManagedSecret, now: Timestamp): 'mark' | 'keep' | 'remove' => {
  // Pods do not mount a CA; they get its certificate from the bundle. Its key is removed at once.
  if (isAuthority(secret)) return 'remove'
  const since = parseTimestamp(secret.unusedSince)
  // A mark in the future was set by a wrong clock.
  if (since === undefined || since > now) return 'mark'
  return now - since >= unusedForMs ? 'remove' : 'keep'
}

/** Marks or removes unused Secrets. A Secret that has changed since it was read is skipped until the next time. */
export const cleanUp = async (
  store: SecretStore,
  unused: readonly ManagedSecret[],
  now: Timestamp,
): Promise<void> => {
  const endingIn = (ending: 'mark' | 'remove') =>
    unused.filter(secret => unusedEnding(secret, now) === ending)
  // CAs are last, and only if all marks succeeded: a marked certificate shows that its CA was removed on purpose.
  let areMarked = true
  for (const secret of endingIn('mark'))
    if ((await store.mark(secret, formatSeconds(now))) === 'changed') areMarked = false
  for (const secret of endingIn('remove')) if (areMarked || !isAuthority(secret)) await store.remove(secret)
}

export const isAuthority = ({ data }: Pick<ManagedSecret, 'data'>): boolean => data['ca.key'] !== undefined
