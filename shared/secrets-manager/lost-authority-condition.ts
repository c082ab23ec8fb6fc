import { type ConditionUpdate, conditionOf, conditionsOf } from '../contract/conditions.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import type { Log } from '../log/log.ts'
import type { GeneratedSecrets } from './create-secrets-manager.ts'

/** A condition of this type is there after somebody has deleted a CA. gardenlet passes over types that it does not know. */
export const lostAuthorityType = 'CertificateAuthorityLost'

/** What an operator has to know of CAs that are others now. Undefined: none is lost. */
const lostAuthorityCondition = (lost: readonly string[]): ConditionUpdate | undefined =>
  lost.length === 0
    ? undefined
    : {
        status: 'True',
        reason: 'SecretDeleted',
        message: `The Secret of ${lost.join(' and of ')} was deleted by somebody, and a new CA made in its place. What ManagedResources apply is told of it; who else trusts only the old one has to be told.`,
      }

/**
 * The condition of what was found lost, and whether the status has it. The clean-up takes away what the loss is seen by, so it
 * is for the reconcile after the one that has told it: none that dies in between loses it.
 */
export const tellLost = (
  { object, log }: { readonly object: KubernetesObject; readonly log: Pick<Log, 'warn'> },
  { lostAuthorities }: Pick<GeneratedSecrets, 'lostAuthorities'>,
): { readonly condition: ConditionUpdate | undefined; readonly isReported: boolean } => {
  const condition = lostAuthorityCondition(lostAuthorities)
  const isReported =
    condition === undefined ||
    conditionOf(conditionsOf(object), lostAuthorityType)?.message === condition.message
  if (!isReported)
    log.warn('a CA was deleted by somebody and is another one now', { authorities: lostAuthorities })
  return { condition, isReported }
}
