import * as z from 'zod'
import { parseDuration } from '../../../../shared/contract/duration.ts'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../registration.ts'

const autoscalerSchema = z.looseObject({
  spec: z.looseObject({
    volumePolicies: z
      .array(z.looseObject({ scaleUp: z.looseObject({ cooldownDuration: z.string().nullish() }).nullish() }))
      .nullish(),
  }),
})

/** EBS allows the next change of a volume only six hours after the last one. */
const leastCooldown = '6h0m0s'
const leastMs = 6 * 3_600_000

/** Volume autoscalers. Their cooldown between two changes is at least that of AWS. */
export const definition = defineWebhook({
  name: 'seed-pvca',
  component,
  action: 'mutate',
  target: 'seed',
  resources: [
    {
      group: 'autoscaling.gardener.cloud',
      versions: ['v1alpha1'],
      plural: 'persistentvolumeclaimautoscalers',
      kind: 'PersistentVolumeClaimAutoscaler',
    },
  ],
  // Selects only autoscalers that Gardener creates for its own volumes, in all its namespaces. Others do not wait for
  // this process.
  objectSelector: { matchExpressions: [{ key: 'observability.gardener.cloud/app', operator: 'Exists' }] },
  deleting: true,
  review: reviewerOf(autoscalerSchema, ({ object }) => {
    const { volumePolicies } = object.spec
    if (!volumePolicies?.some(({ scaleUp }) => isTooEarly(scaleUp))) return {}
    return {
      changed: {
        ...object,
        spec: {
          ...object.spec,
          volumePolicies: volumePolicies.map(policy =>
            isTooEarly(policy.scaleUp)
              ? { ...policy, scaleUp: { ...policy.scaleUp, cooldownDuration: leastCooldown } }
              : policy,
          ),
        },
      },
    }
  }),
})

/** Returns true if the cooldown is too short. An invalid or negative duration counts as zero. */
const isTooEarly = (scaleUp: { readonly cooldownDuration?: string | null | undefined } | null | undefined) =>
  scaleUp !== undefined && scaleUp !== null && (parseDuration(scaleUp.cooldownDuration ?? '') ?? 0) < leastMs
