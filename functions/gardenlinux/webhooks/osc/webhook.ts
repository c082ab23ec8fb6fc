import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { changeNodes, nodeConfigSchema, reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'

/** Types for which Garden Linux sets the cgroup driver. */
const types = ['gardenlinux', 'gardenlinux-fips']

const schema = nodeConfigSchema.extend({
  spec: nodeConfigSchema.shape.spec.extend({
    type: z.string(),
    criConfig: z.looseObject({ cgroupDriver: z.string().nullish() }).nullish(),
  }),
})

const systemd = { cgroupDriver: 'systemd' }

/**
 * Sets systemd as cgroup driver of kubelet and containerd, only on machines with Garden Linux. No label names the
 * operating system, so a match condition selects the configs, and other configs do not wait for this function
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
    // An API server without match conditions sends all configs.
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
