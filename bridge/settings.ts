import * as z from 'zod'
import { extensionClasses } from '../shared/contract/constants.ts'
import { type KindName, kindNames } from '../shared/contract/kinds.ts'
import { logLevels } from '../shared/runtime/log.ts'
import { splitList } from '../shared/runtime/settings.ts'
import type { Selection } from './selection.ts'

const list = <const T extends readonly string[]>(names: T) =>
  z
    .string()
    .transform(splitList)
    .pipe(z.array(z.enum(names)).min(1))

const httpUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' })

/** Every setting of the bridge; each is a flag and an environment variable (`--seed`, `TRELLIS_SEED`). */
export const bridgeSettings = z
  .object({
    seed: z.string().min(1).optional().meta({
      description: 'Name of the seed; the events get the source /seeds/<seed>.',
    }),
    source: z.string().min(1).optional().meta({
      description: 'Source of the events, a URI reference, instead of the one made from the seed.',
    }),
    sink: httpUrl.meta({
      description: 'URL that events are sent to: the ingress of the broker.',
      env: 'K_SINK',
    }),
    kubeconfig: z.string().min(1).optional().meta({
      description: "Kubeconfig file; without it the pod's service account, or what kubectl would use.",
    }),
    kinds: list(kindNames)
      .default([...kindNames])
      .meta({ description: 'Kinds to watch, comma-separated.' }),
    types: z.string().transform(splitList).default([]).meta({
      description: 'Only objects with one of these spec.type, comma-separated; empty: all.',
    }),
    classes: list(extensionClasses).default(['shoot']).meta({
      description: 'Only objects with one of these spec.class (shoot, seed, garden), comma-separated.',
    }),
    namespaces: z.string().transform(splitList).default([]).meta({
      description: 'Only objects in one of these namespaces, comma-separated; empty: all.',
    }),
    labels: z.string().min(1).optional().meta({
      description: 'Only objects that match this label selector: team=a,env!=test.',
    }),
    concurrency: z.coerce.number().int().min(1).max(1024).default(32).meta({
      description: 'Most events in flight at the same time.',
    }),
    initialPerSecond: z.coerce.number().positive().max(100_000).default(100).meta({
      description: 'Most events in a second for objects that exist at the start.',
    }),
    sendTimeoutMs: z.coerce.number().int().min(100).default(10_000).meta({
      description: 'Time in ms for the sink to answer one event.',
    }),
    unclaimedMs: z.coerce.number().int().min(1_000).default(90_000).meta({
      description: 'Time in ms after which an event that was accepted and not claimed is sent again.',
    }),
    port: z.coerce.number().int().min(0).max(65_535).default(8080).meta({
      description: 'Port of /metrics and the probes; 0 lets the system choose.',
      env: 'PORT',
    }),
    host: z.string().min(1).default('0.0.0.0').meta({ description: 'Address of /metrics and the probes.' }),
    logLevel: z.enum(logLevels).default('info').meta({ description: 'Least level that is logged.' }),
  })
  .refine(settings => (settings.seed === undefined) !== (settings.source === undefined), {
    error: 'give exactly one of --seed (TRELLIS_SEED) and --source (TRELLIS_SOURCE)',
  })

export type BridgeSettings = Readonly<z.output<typeof bridgeSettings>>

/** `source` of the events. */
export const sourceOf = ({ seed, source }: Pick<BridgeSettings, 'seed' | 'source'>): string =>
  source ?? `/seeds/${seed}`

export const selectionOf = (
  settings: Pick<BridgeSettings, 'kinds' | 'types' | 'classes' | 'namespaces' | 'labels'>,
): Selection => ({
  kinds: [...new Set<KindName>(settings.kinds)],
  types: settings.types,
  classes: settings.classes,
  namespaces: settings.namespaces,
  labels: settings.labels,
})
