import * as z from 'zod'
import type { ExtensionClass } from '../../shared/contract/constants.ts'
import { type KindName, kindNames } from '../../shared/contract/kinds.ts'
import { logLevels } from '../../shared/log/log.ts'
import { parsePrograms } from '../../shared/runner/runner.ts'
import { everyAddress } from '../../shared/runtime/listen.ts'
import { splitList } from '../../shared/runtime/runtime.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { defaultUnclaimedMs, type Selection } from '../core/core.ts'
import { parseDeclaredHealth } from './declared-health.ts'
import { parseExtensions } from './extension-settings.ts'
import { parseOverrides } from './overrides.ts'
import { objectsOf, parseServedObjects } from './served-objects.ts'

const list = <const T extends readonly string[]>(names: T) =>
  z
    .string()
    .transform(splitList)
    .pipe(z.array(z.enum(names)).min(1))

const httpUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' })

const certificates = z
  .string()
  .regex(/-----BEGIN CERTIFICATE-----/, { error: 'expected certificates in PEM format' })

/** A text that is read, or refused with the message of the error. */
const textFor = <T>(read: (text: string) => T) =>
  z.string().transform((text, context) => {
    try {
      return read(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: messageOf(error) })
      return z.NEVER
    }
  })

/** `{"extensions":{"name":"value"}}`, as Knative sets it. */
const overrides = textFor(parseOverrides)

/** `DNSRecord/acme-dns/shoot+seed,Infrastructure/acme` */
const servedObjects = textFor(text => splitList(text).map(parseServedObjects))

/** `[{"name":"acme-compact","functions":[…]}]` */
const programs = textFor(parsePrograms)

const watched = {
  seed: z.string().min(1).meta({
    description: 'Name of the seed, in the source of events: /seeds/NAME.',
  }),
  sink: httpUrl.optional().meta({
    description:
      'URL that receives the events: the ingress of the Broker. In a cluster, the SinkBinding of the bridge sets it when its Broker is ready (kubectl get sinkbindings,brokers). Required unless there are programs.',
    env: 'K_SINK',
  }),
  kubeconfig: z.string().min(1).optional().meta({
    description:
      'Kubeconfig file, or several as in KUBECONFIG=a:b. Default: the service account of the pod, else the kubeconfig of kubectl.',
  }),
  kinds: list(kindNames)
    .default([...kindNames])
    .meta({ description: 'Kinds to watch, separated by commas.' }),
  served: servedObjects.default([]).meta({
    description:
      'Available functions, separated by commas, as Kind/type or Kind/type/class+class (default class: shoot), with /unchecked after the classes if the function has no health checks. The bridge watches only their objects. Overrides kinds.',
  }),
  namespaces: z.string().transform(splitList).default([]).meta({
    description: 'Only objects in one of these namespaces, separated by commas. Empty: all.',
  }),
}

const delivery = {
  sinkCaCerts: certificates.optional().meta({
    description: 'Additional CA certificates (PEM) to trust for the sink.',
    env: 'K_CA_CERTS',
  }),
  sinkCaFile: z.string().min(1).default('/knative-custom-certs').meta({
    description: 'File or folder with additional CA certificates; read again when it changes.',
  }),
  sinkTokenFile: z.string().min(1).default('/oidc/token').meta({
    description: 'File with the token for the sink; read again when it changes.',
  }),
  undeliveredTo: z
    .url({ protocol: /^http$/ })
    .optional()
    .meta({
      description:
        'URL of the dead letter sink of the Broker: the Service of all replicas. A replica that does not lead passes undelivered events to it.',
    }),
  ceOverrides: overrides.default({}).meta({
    description: 'Extension attributes of every event: {"extensions":{"team":"a"}}.',
    env: 'K_CE_OVERRIDES',
  }),
  initialPerSecond: z.coerce.number().positive().max(100_000).default(100).meta({
    description: 'Maximum events per second for objects found at the start.',
  }),
  unclaimedMs: z.coerce.number().int().min(1_000).default(defaultUnclaimedMs).meta({
    description: 'Time after which an accepted but unclaimed event is sent again.',
  }),
}

const units = { s: 1_000, m: 60_000, h: 3_600_000 } as const

/** Returns `90s`, `20m` or `1h` in milliseconds. */
const millisecondsOf = (text: string): number =>
  Number(text.slice(0, -1)) * units[text.at(-1) as keyof typeof units]

const runner = {
  programs: programs.optional().meta({
    description:
      'Programs of functions that run beside the bridge instead of behind a sink, as JSON: [{"name":"acme-compact","memory":"384Mi","functions":[{"name":"acme-dnsrecord","kind":"DNSRecord","types":["acme-dns"],"concurrency":50}]}].',
  }),
  programsFolder: z.string().min(1).default('/trellis/programs').meta({
    description: 'Folder with the bundle of each program, in a folder of its name.',
  }),
  programIdleMs: z.coerce.number().int().min(100).default(60_000).meta({
    description: 'Time without events after which a program ends.',
  }),
}

const election = {
  leaderElection: z.stringbool().optional().meta({
    description: 'If true, several bridges elect the one that sends. Default: true in a cluster.',
    bare: 'true',
  }),
  leaseName: z.string().min(1).default('trellis-bridge').meta({
    description: 'Name of the Lease of the election.',
  }),
}

/** `trellis-foo,provider-bar/bar+bar-dns=its-namespace` */
const extensions = textFor(text => parseExtensions(splitList(text)))

const heartbeat = {
  extensions: extensions.default([]).meta({
    description:
      'Extensions whose heartbeat the bridge renews, separated by commas: names of ControllerRegistrations with their types (provider-foo/foo+foo-dns). Without types: all that the bridge watches. Add =namespace if the namespace lacks the labels of gardenlet.',
  }),
}

const health = {
  health: textFor(parseDeclaredHealth).default([]).meta({
    description:
      'Conditions of single functions and the objects that they depend on, as JSON: [{"kind":"Extension","type":"acme","conditions":["SystemComponentsHealthy"],"reads":[{"resource":{"group":"apps","version":"v1","plural":"deployments","namespaced":true},"name":"acme"}]}]. Others have the conditions of their kind.',
  }),
  healthRound: z
    .string()
    .regex(/^\d{1,6}[smh]$/, 'expected a duration such as 90s, 20m or 1h')
    .refine(text => millisecondsOf(text) >= 60_000 && millisecondsOf(text) <= 24 * 3_600_000, {
      error: 'expected 1m to 24h',
    })
    .default('20m')
    .meta({
      description:
        'Time between two health checks of all objects of a provider (90s, 20m, 1h), from 1m to 24h.',
    }),
}

const ownProcess = {
  port: z.coerce.number().int().min(0).max(65_535).default(8080).meta({
    description: 'Port of /metrics and the probes; 0 lets the system choose.',
    env: 'PORT',
  }),
  address: z
    .string()
    .min(1)
    .default(everyAddress)
    .meta({ description: 'Address to listen on. `::`: all addresses of IPv6 and IPv4.', formerName: 'host' }),
  journalBytes: z.coerce
    .number()
    .int()
    .min(0)
    .max(256 * 1024 * 1024)
    .default(4 * 1024 * 1024)
    .meta({
      description: 'Bytes for the last events and steps, which GET /journal returns. 0: no journal.',
    }),
  logLevel: z.enum(logLevels).default('info').meta({ description: 'Minimum level of log lines.' }),
}

const fields = { ...watched, ...delivery, ...runner, ...election, ...heartbeat, ...health, ...ownProcess }

const fieldsOfAll = z.object(fields)

const hasSink = (settings: z.output<typeof fieldsOfAll>): boolean =>
  settings.sink !== undefined ||
  settings.sinkCaCerts !== undefined ||
  (['sinkCaFile', 'sinkTokenFile'] as const).some(name => settings[name] !== fields[name].parse(undefined))

/** The settings that select objects; the others may be absent. */
export const selectingSettings = z.object({ ...fields, seed: fields.seed.optional() })

/** Every setting of the bridge; each is a flag and an environment variable (`--seed`, `TRELLIS_SEED`). */
export const bridgeSettings = fieldsOfAll
  .refine(({ sink, programs }) => sink !== undefined || programs !== undefined, {
    // Beside problems of other fields too.
    when: ({ issues }) => !issues.some(({ path }) => path?.[0] === 'sink' || path?.[0] === 'programs'),
    error: `missing setting --sink (TRELLIS_SINK) or --programs (TRELLIS_PROGRAMS): ${fields.sink.meta()?.description}`,
  })
  .refine(settings => settings.programs === undefined || !hasSink(settings), {
    error:
      '--programs (TRELLIS_PROGRAMS) replaces a sink: remove --sink (TRELLIS_SINK, K_SINK), --sink-ca-certs (K_CA_CERTS), --sink-ca-file (TRELLIS_SINK_CA_FILE) and --sink-token-file (TRELLIS_SINK_TOKEN_FILE)',
  })

export type BridgeSettings = Readonly<z.output<typeof bridgeSettings>>

/** The interval between two health checks of all objects, in milliseconds. */
export const roundMsOf = ({ healthRound }: Pick<BridgeSettings, 'healthRound'>): number =>
  millisecondsOf(healthRound)

/** @param classes if the settings list no functions */
export const selectionOf = (
  settings: Pick<BridgeSettings, 'kinds' | 'served' | 'programs' | 'namespaces'>,
  classes: readonly ExtensionClass[] = ['shoot'],
): Selection => {
  const served =
    settings.served.length === 0 && settings.programs !== undefined
      ? objectsOf(settings.programs)
      : settings.served
  return {
    ...(served.length === 0
      ? { kinds: [...new Set<KindName>(settings.kinds)], classes }
      : {
          kinds: [...new Set<KindName>(served.map(({ kind }) => kind))],
          classes: [...new Set(served.flatMap(({ classes }) => classes))],
          served,
        }),
    namespaces: settings.namespaces,
  }
}
