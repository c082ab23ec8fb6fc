import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../component.ts'

const deploymentSchema = z.looseObject({
  spec: z.looseObject({
    minReadySeconds: z.int().nullish(),
    template: z.looseObject({
      spec: z
        .looseObject({
          containers: z.array(z.looseObject({ readinessProbe: z.looseObject({}).nullish() })).nullish(),
        })
        .nullish(),
    }),
  }),
})

/** In seconds. */
const readySeconds = 5
const graceSeconds = 3
const probe = { initialDelaySeconds: 3, periodSeconds: 5 }

/** API servers of a garden: speeds up their rolling updates. */
export const definition = defineWebhook({
  name: 'rollout-speedup',
  component,
  action: 'mutate',
  target: 'seed',
  resources: [{ group: 'apps', versions: ['v1'], plural: 'deployments', kind: 'Deployment' }],
  namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'garden' } },
  objectSelector: { matchExpressions: [{ key: 'role', operator: 'In', values: ['apiserver'] }] },
  review: reviewerOf(deploymentSchema, ({ object }) => {
    const { minReadySeconds, template } = object.spec
    const { spec: pod } = template
    return {
      changed: {
        ...object,
        spec: {
          ...object.spec,
          ...((minReadySeconds ?? 0) > readySeconds && { minReadySeconds: readySeconds }),
          template: pod
            ? {
                ...template,
                spec: {
                  ...pod,
                  terminationGracePeriodSeconds: graceSeconds,
                  ...(pod.containers && {
                    containers: pod.containers.map(container =>
                      container.readinessProbe
                        ? { ...container, readinessProbe: { ...container.readinessProbe, ...probe } }
                        : container,
                    ),
                  }),
                },
              }
            : template,
        },
      },
    }
  }),
})
