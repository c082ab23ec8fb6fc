import { type ConditionUpdate, conditionOf, conditionsOf } from '../contract/conditions.ts'
import type { KubernetesObject } from '../kubernetes/kubernetes.ts'
import type { Log } from '../log/log.ts'
import type { GeneratedSecrets } from './create-secrets-manager.ts'

/** Type of the condition that is set after a CA was deleted by hand. gardenlet ignores unknown types. */
export const lostAuthorityType = 'CertificateAuthorityLost'

/** Returns the condition that reports replaced CAs to operators, or undefined if none is lost. */
const lostAuthorityCondition = (lost: readonly string[]): ConditionUpdate | undefined =>
  lost.length === 0
    ? undefined
    : {
        status: 'True',
        reason: 'SecretDeleted',
        message: `The Secret of ${lost.join(' and of ')} was deleted, and a new CA was created. ManagedResources get the new CA. Update all other clients that trust only the old CA.`,
      }

/**
 * Returns the condition for lost CAs, and whether the status has it already. The clean-up destroys the evidence of the
 * loss, so it must wait for the reconcile after the one that reported it. A process that dies in between then loses no
 * report.
 *
 * @example
 * const manager = createSecretsManager({ kubernetes, clock, namespace, identity: 'acme-dns', configs: [] })
 * const generated = await manager.generate()
 * const { condition, isReported } = reportLost(step, generated)
 * if (isReported) await generated.cleanUp()
 * return { kind: 'done', conditions: { [lostAuthorityType]: condition } }
 */
export const reportLost = (
  { object, log }: { readonly object: KubernetesObject; readonly log: Pick<Log, 'warn'> },
  { lostAuthorities }: Pick<GeneratedSecrets, 'lostAuthorities'>,
): { readonly condition: ConditionUpdate | undefined; readonly isReported: boolean } => {
  const condition = lostAuthorityCondition(lostAuthorities)
  const isReported =
    condition === undefined ||
    conditionOf(conditionsOf(object), lostAuthorityType)?.message === condition.message
  if (!isReported) log.warn('deleted CA was replaced by a new CA', { authorities: lostAuthorities })
  return { condition, isReported }
}
