import * as z from 'zod'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../component.ts'

const quantities = z.record(z.string(), z.union([z.string(), z.number()])).nullish()
const nodeSchema = z.looseObject({
  spec: z.looseObject({ providerID: z.string().nullish() }).nullish(),
  status: z.looseObject({ allocatable: quantities, capacity: quantities }).nullish(),
})

/** More than any host has: workloads on nodes of a local setup are small and should never wait for capacity. */
const plenty = { cpu: '100', memory: '100Gi' }

/** Nodes, which are pods that share one host. A node without a reported status does not change. */
export const definition = defineWebhook({
  name: 'node',
  component,
  action: 'mutate',
  target: 'shoot',
  resources: [{ group: '', versions: ['v1'], plural: 'nodes/*', kind: 'Node' }],
  timeoutSeconds: 5,
  review: reviewerOf(nodeSchema, ({ name, object }) => {
    const { spec, status } = object
    return {
      changed: {
        ...object,
        ...(!spec?.providerID && { spec: { ...spec, providerID: name } }),
        ...(status && {
          status: {
            ...status,
            ...(status.allocatable && { allocatable: { ...status.allocatable, ...plenty } }),
            ...(status.capacity && { capacity: { ...status.capacity, ...plenty } }),
          },
        }),
      },
    }
  }),
})
