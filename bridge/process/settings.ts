import * as z from 'zod'
import { extensionClasses } from '../../shared/contract/constants.ts'
import { type KindName, kindNames } from '../../shared/contract/kinds.ts'
import { logLevels } from '../../shared/log/log.ts'
import { splitList } from '../../shared/runtime/runtime.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { parseServedObjects, type Selection } from '../core/core.ts'
import { dumpFormats } from './dump.ts'
import { parseExtensions } from './extension-settings.ts'
import { isLabelSelector } from './label-selector.ts'
import { parseOverrides } from './overrides.ts'

const list = <const T extends readonly string[]>(names: T) =>
  z
    .string()
    .transform(splitList)
    .pipe(z.array(z.enum(names)).min(1))

const httpUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' })

const labelSelector = z
  .string()
  .refine(isLabelSelector, { error: 'expected a label selector such as team=a,env!=test,zone in (a,b)' })

const certificates = z
  .string()
  .regex(/-----BEGIN CERTIFICATE-----/, { error: 'expected certificates in PEM format' })

/** `{"extensions":{"name":"value"}}`, as Knative sets it. */
const overrides = z.string().transform((text, context) => {
  try {
    return parseOverrides(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error) })
    return z.NEVER
  }
})

/** `DNSRecord/acme-dns/shoot+seed,Infrastructure/acme` */
const servedObjects = z.string().transform((text, context) => {
  try {
    return splitList(text).map(parseServedObjects)
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error) })
    return z.NEVER
  }
})

const what = {
  seed: z.string().min(1).optional().meta({
    description: 'Name of the seed; the events get the source /seeds/<seed>.',
  }),
  source: z.string().min(1).optional().meta({
    description: 'Source of the events, a URI reference, instead of the one made from the seed.',
  }),
  sink: httpUrl.meta({
    description:
      'URL that events are sent to: the ingress of the broker. In a cluster the SinkBinding of the bridge sets it in the Deployment once its Broker is ready; pods of before end without it (kubectl get sinkbindings,brokers).',
    env: 'K_SINK',
  }),
  kubeconfig: z.string().min(1).optional().meta({
    description: "Kubeconfig file; without it the pod's service account, or what kubectl would use.",
  }),
  kinds: list(kindNames)
    .default([...kindNames])
    .meta({ description: 'Kinds to watch, comma-separated.' }),
  served: servedObjects.default([]).meta({
    description:
      'What functions there are, comma-separated as Kind/type or Kind/type/class+class (shoot where there is none): only their objects, in place of kinds and classes; empty: by kinds, types and classes.',
  }),
  types: z.string().transform(splitList).default([]).meta({
    description: 'Only objects with one of these spec.type, comma-separated; empty: all.',
  }),
  classes: list(extensionClasses).default(['shoot']).meta({
    description: 'Only objects with one of these spec.class (shoot, seed, garden), comma-separated.',
  }),
  namespaces: z.string().transform(splitList).default([]).meta({
    description: 'Only objects in one of these namespaces, comma-separated; empty: all.',
  }),
  labels: labelSelector.optional().meta({
    description: 'Only objects that match this label selector: team=a,env!=test.',
  }),
  shards: z.coerce.number().int().min(1).max(1000).default(1).meta({
    description: 'Number of bridges that share the objects.',
  }),
  shard: z.coerce.number().int().min(0).optional().meta({
    description: 'Which of them this one is, from 0; needed when there are several.',
  }),
  shardBy: z.enum(['uid', 'namespace']).default('uid').meta({
    description: 'What decides on the shard of an object: its uid, or its namespace.',
  }),
}

const whereTo = {
  sinkCaCerts: certificates.optional().meta({
    description: 'Certificates (PEM) of authorities that the sink may have, besides the public ones.',
    env: 'K_CA_CERTS',
  }),
  sinkCaFile: z.string().min(1).default('/knative-custom-certs').meta({
    description: 'File, or folder with files, of more such certificates; read again when it changes.',
  }),
  sinkTokenFile: z.string().min(1).default('/oidc/token').meta({
    description: 'File with the token for the sink, where there is one; read again when it changes.',
  }),
  mode: z.enum(['binary', 'structured']).default('binary').meta({
    description: 'Content mode of the events: attributes as headers, or all in one JSON document.',
  }),
  ceOverrides: overrides.default({}).meta({
    description: 'Extensions to add to every event: {"extensions":{"team":"a"}}.',
    env: 'K_CE_OVERRIDES',
  }),
  concurrency: z.coerce.number().int().min(1).max(1024).default(32).meta({
    description: 'Most events in flight at the same time.',
  }),
  initialPerSecond: z.coerce.number().positive().max(100_000).default(100).meta({
    description: 'Most events in a second for objects that exist at the start.',
  }),
  connectTimeoutMs: z.coerce.number().int().min(100).default(10_000).meta({
    description: 'Time in ms for a connection to the sink, TLS included.',
  }),
  sendTimeoutMs: z.coerce.number().int().min(100).default(600_000).meta({
    description:
      'Time in ms for the sink to answer one event. A broker may answer only when the function has ended: above what its retries can take.',
  }),
  unclaimedMs: z.coerce.number().int().min(1_000).default(90_000).meta({
    description: 'Time in ms after which an event that was accepted and not claimed is sent again.',
  }),
}

const duration = (byDefault: number, description: string) =>
  z.coerce.number().int().min(100).max(3_600_000).default(byDefault).meta({ description })

const who = {
  leaderElection: z.stringbool().optional().meta({
    description:
      'Whether several bridges elect the one that sends; without it: in a cluster yes, elsewhere no.',
    bare: 'true',
  }),
  leaseName: z.string().min(1).default('trellis-bridge').meta({
    description: 'Name of the Lease that they elect with; of several shards each has its own.',
  }),
  leaseNamespace: z.string().min(1).optional().meta({
    description: "Namespace of the Lease; without it the pod's own, or trellis.",
  }),
  leaseDurationMs: duration(15_000, 'Time in ms after which a leader that is not heard of is replaced.'),
  leaseRenewMs: duration(10_000, 'Time in ms after which a leader stops if it could not renew its lease.'),
  leaseRetryMs: duration(2_000, 'Time in ms between two attempts to renew the lease, or to get it.'),
}

/** `trellis-foo,provider-bar/bar+bar-dns=its-namespace` */
const extensions = z.string().transform((text, context) => {
  try {
    return parseExtensions(splitList(text))
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOf(error) })
    return z.NEVER
  }
})

const heartbeat = {
  extensions: extensions.default([]).meta({
    description:
      'Extensions for which the bridge renews the heartbeat, comma-separated: names of ControllerRegistrations with their types (provider-foo/foo+foo-dns). Without types: all that the bridge watches. With =namespace if the namespace has no labels of gardenlet.',
  }),
  heartbeatRenewMs: duration(30_000, 'Time in ms between two renewals of a heartbeat.'),
}

const itself = {
  port: z.coerce.number().int().min(0).max(65_535).default(8080).meta({
    description: 'Port of /metrics and the probes; 0 lets the system choose.',
    env: 'PORT',
  }),
  host: z.string().min(1).default('0.0.0.0').meta({ description: 'Address of /metrics and the probes.' }),
  dump: z.enum(dumpFormats).optional().meta({
    description: 'Only print what has work to do and why, as table or json, and end; needs no sink.',
    bare: 'table',
  }),
  logLevel: z.enum(logLevels).default('info').meta({ description: 'Least level that is logged.' }),
}

const fields = { ...what, ...whereTo, ...who, ...heartbeat, ...itself }

const shardError = {
  error: '--shard (TRELLIS_SHARD) must be given with --shards (TRELLIS_SHARDS): from 0 to one less',
}

/** The settings for `--dump`, which needs neither a sink nor a source nor a shard. */
export const dumpSettings = z
  .object({ ...fields, sink: fields.sink.optional().meta(fields.sink.meta() ?? {}) })
  .refine(({ shard = 0, shards }) => shard < shards, shardError)

/** Every setting of the bridge; each is a flag and an environment variable (`--seed`, `TRELLIS_SEED`). */
export const bridgeSettings = z
  .object(fields)
  .refine(settings => (settings.seed === undefined) !== (settings.source === undefined), {
    error: 'give exactly one of --seed (TRELLIS_SEED) and --source (TRELLIS_SOURCE)',
  })
  .refine(
    ({ shard, shards }) => (shards === 1 ? (shard ?? 0) === 0 : shard !== undefined && shard < shards),
    shardError,
  )
  .refine(
    ({ leaseRetryMs, leaseRenewMs, leaseDurationMs }) =>
      2 * leaseRetryMs <= leaseRenewMs && leaseRenewMs < leaseDurationMs,
    {
      error:
        'these must grow: twice --lease-retry-ms (TRELLIS_LEASE_RETRY_MS), --lease-renew-ms (TRELLIS_LEASE_RENEW_MS), --lease-duration-ms (TRELLIS_LEASE_DURATION_MS)',
    },
  )

export type BridgeSettings = Readonly<z.output<typeof bridgeSettings>>

/** `source` of the events. */
export const sourceOf = ({ seed, source }: Pick<BridgeSettings, 'seed' | 'source'>): string =>
  source ?? `/seeds/${seed}`

export const selectionOf = (
  settings: Pick<
    BridgeSettings,
    'kinds' | 'served' | 'types' | 'classes' | 'namespaces' | 'labels' | 'shards' | 'shard' | 'shardBy'
  >,
): Selection => ({
  ...(settings.served.length === 0
    ? { kinds: [...new Set<KindName>(settings.kinds)], classes: settings.classes }
    : {
        kinds: [...new Set<KindName>(settings.served.map(({ kind }) => kind))],
        classes: [...new Set(settings.served.flatMap(({ classes }) => classes))],
        served: settings.served,
      }),
  types: settings.types,
  namespaces: settings.namespaces,
  labels: settings.labels,
  ...(settings.shard === undefined || settings.shards === 1
    ? {}
    : { shard: { index: settings.shard, of: settings.shards, by: settings.shardBy } }),
})

/** The Lease of this bridge's shard: two shards never compete. */
export const leaseNameOf = ({
  leaseName,
  shard,
  shards,
}: Pick<BridgeSettings, 'leaseName' | 'shard' | 'shards'>): string =>
  shards === 1 ? leaseName : `${leaseName}-${shard}-of-${shards}`
