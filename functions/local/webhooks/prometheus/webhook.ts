import * as z from 'zod'
import { splitList } from '../../../../shared/runtime/runtime.ts'
import { defineWebhook } from '../../../../shared/webhooks/admission/define-webhook.ts'
import { reviewerOf } from '../../../../shared/webhooks/components/webhooks.ts'
import { component } from '../component.ts'

const labels = z.record(z.string(), z.string())

const prometheusSchema = z.looseObject({
  spec: z.looseObject({
    podMetadata: z.looseObject({ labels: labels.nullish() }).nullish(),
    externalLabels: labels.nullish(),
  }),
})
type Prometheus = z.output<typeof prometheusSchema>

const labelText = /^[A-Za-z_][A-Za-z0-9_]*=.+$/

const settings = z.object({
  prometheusExternalLabels: z
    .string()
    .transform(splitList)
    .refine(list => list.every(label => labelText.test(label)), 'expected name=value, comma-separated')
    .transform(list => Object.fromEntries(list.map(label => label.split(/=(.*)/s, 2))))
    .default({})
    .meta({
      description:
        'Labels for exported metrics of a seed of provider local: name=value, separated by commas.',
    }),
  prometheusRemoteWriteUrls: z
    .string()
    .transform(splitList)
    .refine(
      list => list.every(url => z.url({ protocol: /^https?$/ }).safeParse(url).success),
      'expected URLs',
    )
    .default([])
    .meta({
      description:
        'Remote-write targets for metrics of gardenlet in a seed of provider local, separated by commas.',
    }),
})

/** Names in garden and seed. gardenlet creates the one named `seed`. */
const names = ['garden', 'longterm', 'seed']

/** Prometheus of Gardener: it terminates sooner, and that of the seed writes to a place that tests read. */
export const definition = defineWebhook({
  name: 'prometheus',
  component,
  action: 'mutate',
  target: 'seed',
  resources: [
    { group: 'monitoring.coreos.com', versions: ['v1'], plural: 'prometheuses', kind: 'Prometheus' },
  ],
  objectSelector: {
    matchExpressions: [
      { key: 'app', operator: 'In', values: ['prometheus'] },
      { key: 'role', operator: 'In', values: ['monitoring'] },
      { key: 'name', operator: 'In', values: names },
    ],
  },
  settings,
  review: reviewerOf<typeof prometheusSchema, z.output<typeof settings>>(
    prometheusSchema,
    ({ name, object }, _, given) => {
      if (!names.includes(name)) return {}
      const spec = { ...object.spec, terminationGracePeriodSeconds: 60 }
      return { changed: { ...object, spec: name === 'seed' ? ofSeed(spec, given) : spec } }
    },
  ),
})

const ofSeed = (
  { remoteWrite: _, ...spec }: Prometheus['spec'],
  { prometheusExternalLabels, prometheusRemoteWriteUrls }: z.output<typeof settings>,
) => ({
  ...spec,
  podMetadata: {
    ...spec.podMetadata,
    labels: { ...spec.podMetadata?.labels, 'networking.gardener.cloud/to-private-networks': 'allowed' },
  },
  ...(Object.keys(prometheusExternalLabels).length > 0 && {
    externalLabels: { ...spec.externalLabels, ...prometheusExternalLabels },
  }),
  ...(prometheusRemoteWriteUrls.length > 0 && { remoteWrite: prometheusRemoteWriteUrls.map(remoteWrite) }),
})

const keepAction = (sourceLabel: string, regex: string) => ({
  sourceLabels: [sourceLabel],
  regex,
  action: 'keep',
})

const remoteWrite = (url: string) => ({
  url,
  writeRelabelConfigs: [keepAction('job', 'gardenlet'), keepAction('__name__', '(up|flow_.+|gardenlet_.+)')],
})
