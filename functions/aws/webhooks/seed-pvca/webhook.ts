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

/** EBS takes the next change of a volume only six hours after the last one. */
const leastCooldown = '6h0m0s'
const leastMs = 6 * 3_600_000

/** Autoscalers of volumes: they wait between two changes for as long as AWS makes them wait. */
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
  // Those that Gardener makes, for its own volumes in all its namespaces; nobody else's wait for this process.
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

/** What is no duration, or one below zero, counts as none. */
const isTooEarly = (scaleUp: { readonly cooldownDuration?: string | null | undefined } | null | undefined) =>
  scaleUp !== undefined && scaleUp !== null && (parseDuration(scaleUp.cooldownDuration ?? '') ?? 0) < leastMs
