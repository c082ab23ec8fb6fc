import * as z from 'zod'
import { logLevels } from '../../../log/log.ts'
import { splitList } from '../../../runtime/runtime.ts'
import type { WebhookDefinition } from '../../admission/admission.ts'

const milliseconds = (byDefault: number, description: string) =>
  z.coerce.number().int().min(1).default(byDefault).meta({ description })

/** The settings of the webhook process. `webhookSettingsOf` adds those of the admission functions. */
export const webhookSettings = z.object({
  cluster: z.enum(['seed', 'garden']).default('seed').meta({
    description:
      'Whose API servers ask: those of the seed and its shoots (seed), or the virtual garden (garden).',
  }),
  components: z.string().transform(splitList).default([]).meta({
    description: 'Only webhooks of these components (provider-foo), comma-separated; empty: all.',
  }),
  namespace: z.string().min(1).default('trellis').meta({
    description: 'Namespace of the process: of its Services, its certificates and its Lease.',
    env: 'POD_NAMESPACE',
  }),
  leaseName: z.string().min(1).optional().meta({
    description:
      'Name of the Lease of the replicas: those that serve the same components share one, and nobody else. By default trellis-webhook-seed or trellis-webhook-garden.',
  }),
  kubeconfig: z.string().min(1).optional().meta({
    description:
      "Kubeconfig file of the cluster it runs in; without it the pod's service account, or what kubectl would use.",
  }),
  gardenKubeconfig: z.string().min(1).optional().meta({
    description: 'Kubeconfig file of the virtual garden; needed for it.',
    env: 'GARDEN_KUBECONFIG',
  }),
  url: z
    .url({ protocol: /^https$/ })
    .optional()
    .meta({
      description: 'URL by which API servers reach it, in place of its Service: https://127.0.0.1:9443.',
    }),
  serviceUrls: z.stringbool().default(false).meta({
    description:
      'Whether API servers reach it by URLs of its Services (https://<service>.<namespace>:443): those of a virtual garden, in which there are no such Services.',
    bare: 'true',
  }),
  ownerNamespace: z.string().min(1).optional().meta({
    description:
      'Namespace, in the cluster whose API servers ask, that owns the configurations: they go with it. By default that of the process.',
  }),
  host: z.string().min(1).default('0.0.0.0').meta({ description: 'Address to listen on.' }),
  port: z.coerce.number().int().min(0).max(65_535).default(9443).meta({
    description: 'Port that takes reviews; 0 lets the system choose.',
  }),
  probePort: z.coerce.number().int().min(0).max(65_535).default(8080).meta({
    description: 'Port of the probes and /metrics, without TLS; 0 lets the system choose.',
  }),
  syncMs: milliseconds(60_000, 'Time in ms after which certificates and configurations are looked at again.'),
  trustMs: milliseconds(
    120_000,
    'How long in ms a new CA is in all configurations before a certificate by it is shown.',
  ),
  settleMs: milliseconds(
    900_000,
    'How long in ms after a new certificate the CA of the one before stays trusted; at least some syncMs.',
  ),
  drainAcceptMs: z.coerce.number().int().min(0).default(10_000).meta({
    description: 'How long in ms it goes on taking connections at shutdown, when it is not ready any more.',
  }),
  drainLimitMs: z.coerce.number().int().min(0).default(100_000).meta({
    description: 'How long in ms at most it waits at shutdown for callers to leave; idle ones do after 90 s.',
  }),
  leaderElection: z.stringbool().optional().meta({
    description: 'Whether one of several replicas alone writes; by default where it is a pod of the cluster.',
    bare: 'true',
  }),
  logLevel: z.enum(logLevels).default('info').meta({ description: 'Least level that is logged.' }),
})

export type WebhookSettings = Readonly<z.output<typeof webhookSettings>>

/** Returns all settings of a process that serves these definitions. */
export const webhookSettingsOf = (definitions: readonly Pick<WebhookDefinition, 'settings'>[]): z.ZodObject =>
  z.object({
    ...webhookSettings.shape,
    ...Object.assign({}, ...definitions.map(({ settings }) => settings.shape)),
  })

/** Returns the definitions that the settings select. */
export const servedBy = (
  { cluster, components }: Pick<WebhookSettings, 'cluster' | 'components'>,
  definitions: readonly WebhookDefinition[],
): readonly WebhookDefinition[] =>
  definitions.filter(
    ({ target, component }) =>
      (target === 'garden') === (cluster === 'garden') &&
      (components.length === 0 || components.includes(component)),
  )
