import * as z from 'zod'
import { defineWebhook, type WebhookDefinition, type WebhookOptions } from '../admission.ts'

const settings = z.object({ colour: z.string().default('green').meta({ description: 'The label.' }) })

/** A small admission function that adds a label to each ConfigMap. */
export const tinyWebhook = (given: Partial<WebhookOptions<typeof settings>> = {}): WebhookDefinition =>
  defineWebhook({
    name: 'tiny',
    component: 'provider-tiny',
    action: 'mutate',
    target: 'seed',
    resources: [{ group: '', versions: ['v1'], plural: 'configmaps', kind: 'ConfigMap' }],
    settings,
    review: ({ object }, _, { colour }) => ({
      changed: {
        ...object,
        metadata: { ...object.metadata, labels: { ...object.metadata.labels, colour } },
      },
    }),
    ...given,
  })
