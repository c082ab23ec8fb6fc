import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { changeNodes, nodeConfigSchema, reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'

/** Those of which Garden Linux says how processes are put into control groups. */
const types = ['gardenlinux', 'gardenlinux-fips']

const schema = nodeConfigSchema.extend({
  spec: nodeConfigSchema.shape.spec.extend({
    type: z.string(),
    criConfig: z.looseObject({ cgroupDriver: z.string().nullish() }).nullish(),
  }),
})

const systemd = { cgroupDriver: 'systemd' }

/**
 * Kubelet and containerd leave control groups to systemd, on machines with Garden Linux alone: no label tells the operating
 * system, so that a condition does, and nobody else's configs wait for this function
 * (docs/contract/small-kinds.md#webhook-of-garden-linux).
 */
export const definition = defineWebhook({
  name: 'osc',
  component: 'os-gardenlinux',
  action: 'mutate',
  target: 'seed',
  resources: [
    {
      group: 'extensions.gardener.cloud',
      versions: ['v1alpha1'],
      plural: 'operatingsystemconfigs',
      kind: 'OperatingSystemConfig',
    },
  ],
  matchConditions: [
    {
      name: 'types',
      expression: `object.spec.type in [${types.map(type => `'${type}'`).join(', ')}]`,
    },
  ],
  review: reviewerOf(schema, ({ object }) => {
    // An API server without conditions asks about all.
    if (!types.includes(object.spec.type) || object.spec.purpose !== 'reconcile') return {}
    const changed = changeNodes(object, { kubelet: { fieldsIfSet: systemd } })
    const { criConfig } = changed.spec
    return {
      changed: criConfig
        ? { ...changed, spec: { ...changed.spec, criConfig: { ...criConfig, ...systemd } } }
        : changed,
    }
  }),
})
