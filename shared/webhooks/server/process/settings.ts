import * as z from 'zod'
import { logLevels } from '../../../log/log.ts'
import { everyAddress } from '../../../runtime/listen.ts'
import { splitList } from '../../../runtime/runtime.ts'
import type { WebhookDefinition } from '../../admission/admission.ts'

const milliseconds = (byDefault: number, description: string) =>
  z.coerce.number().int().min(1).default(byDefault).meta({ description })

/** The settings of the webhook process. `webhookSettingsOf` adds those of the admission functions. */
export const webhookSettings = z.object({
  cluster: z.enum(['seed', 'garden']).default('seed').meta({
    description:
      'API servers that call the webhooks: of the seed and its shoots (seed), or of the virtual garden (garden).',
  }),
  components: z.string().transform(splitList).default([]).meta({
    description: 'Serve only webhooks of these components (provider-foo), separated by commas. Empty: all.',
  }),
  namespace: z.string().min(1).default('trellis').meta({
    description: 'Namespace of the process, its Services, its certificates and its Lease.',
    env: 'POD_NAMESPACE',
  }),
  leaseName: z.string().min(1).optional().meta({
    description:
      'Name of the Lease. Only replicas with the same components may share it. Default: trellis-webhook-seed or trellis-webhook-garden.',
  }),
  kubeconfig: z.string().min(1).optional().meta({
    description:
      'Kubeconfig file, or several as in KUBECONFIG=a:b, of the cluster in which the process runs. Default: the service account of the pod, else the kubeconfig of kubectl.',
  }),
  gardenKubeconfig: z.string().min(1).optional().meta({
    description: 'Kubeconfig file of the virtual garden. Required for cluster garden.',
    env: 'GARDEN_KUBECONFIG',
  }),
  url: z
    .url({ protocol: /^https$/ })
    .optional()
    .meta({
      description: 'URL of the webhooks for API servers, instead of the Service: https://127.0.0.1:9443.',
    }),
  serviceUrls: z.stringbool().default(false).meta({
    description:
      'If true, API servers call the webhooks at https://SERVICE.NAMESPACE:443. A virtual garden needs this because it has no such Services.',
    bare: 'true',
  }),
  ownerNamespace: z.string().min(1).optional().meta({
    description:
      'Namespace, at the calling API servers, whose deletion deletes the configurations. Default: that of the process.',
  }),
  address: z
    .string()
    .min(1)
    .default(everyAddress)
    .meta({ description: 'Address to listen on. `::`: all addresses of IPv6 and IPv4.', formerName: 'host' }),
  port: z.coerce.number().int().min(0).max(65_535).default(9443).meta({
    description: 'Port for reviews; 0 lets the system choose.',
  }),
  probePort: z.coerce.number().int().min(0).max(65_535).default(8080).meta({
    description: 'Port for the probes and /metrics, without TLS; 0 lets the system choose.',
  }),
  syncMs: milliseconds(60_000, 'Interval for checks of certificates and configurations.'),
  trustMs: milliseconds(
    120_000,
    'Time that a new CA is in all configurations before its certificate is served.',
  ),
  overlapMs: milliseconds(
    900_000,
    'Time that the previous CA stays trusted after a new certificate; at least several times syncMs.',
  ),
  drainAcceptMs: z.coerce.number().int().min(0).default(10_000).meta({
    description: 'Time at shutdown in which the process still accepts connections.',
  }),
  drainLimitMs: z.coerce.number().int().min(0).default(100_000).meta({
    description: 'Time limit at shutdown for callers to disconnect; idle ones disconnect after 90 s.',
  }),
  leaderElection: z.stringbool().optional().meta({
    description: 'If true, only the leader of several replicas writes. Default: true in a cluster.',
    bare: 'true',
  }),
  logLevel: z.enum(logLevels).default('info').meta({ description: 'Minimum level of log lines.' }),
})

export type WebhookSettings = Readonly<z.output<typeof webhookSettings>>

/**
 * Returns all settings of a process that serves these definitions. If several have a setting of one name, its value must
 * suit all of them.
 */
export const webhookSettingsOf = (
  definitions: readonly Pick<WebhookDefinition, 'settings'>[],
): z.ZodObject => {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, field] of definitions.flatMap(({ settings }) => Object.entries(settings.shape))) {
    const schema = field as z.ZodType
    const other = shape[name]
    shape[name] =
      other === undefined || other === schema ? schema : other.pipe(schema).meta(schema.meta() ?? {})
  }
  return z.object({ ...webhookSettings.shape, ...shape })
}

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

/** `trellis-webhook-seed`: a process for the garden may run in the same namespace. */
export const leaseNameOf = ({ leaseName, cluster }: Pick<WebhookSettings, 'cluster' | 'leaseName'>): string =>
  leaseName ?? `trellis-webhook-${cluster}`
