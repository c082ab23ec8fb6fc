import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { systemClock } from '../../../clock/clock.ts'
import {
  clusterAccess,
  createKubernetes,
  type Kubernetes,
  metadataOnly,
  multiplexedTransport,
} from '../../../kubernetes/kubernetes.ts'
import { createElection } from '../../../leadership/election.ts'
import { createLog, type Log } from '../../../log/log.ts'
import {
  closeOnTermination,
  parseSettings,
  printableSettings,
  SettingsError,
} from '../../../runtime/runtime.ts'
import { messageOf } from '../../../text/message-of.ts'
import type { WebhookDefinition } from '../../admission/admission.ts'
import { openShootOf } from '../lookup/cache-shoots.ts'
import { startWebhooks } from '../start.ts'
import { leaseNameOf, servedBy, type WebhookSettings, webhookSettingsOf } from './settings.ts'

export interface WebhookProcessInput {
  readonly definitions: readonly WebhookDefinition[]
  /** By flag name. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Runs a webhook process until SIGTERM or SIGINT. Rejects with `SettingsError` for invalid settings. */
export const webhookProcess = async ({ definitions, flags, env }: WebhookProcessInput): Promise<void> => {
  const schema = webhookSettingsOf(definitions)
  const settings = parseSettings(schema, { flags, env }) as WebhookSettings &
    Readonly<Record<string, unknown>>
  const served = servedBy(settings, definitions)
  if (served.length === 0)
    throw new SettingsError([
      `--components (TRELLIS_COMPONENTS): the ${settings.cluster} has no webhook of these components`,
    ])
  if (settings.cluster === 'garden' && settings.gardenKubeconfig === undefined)
    throw new SettingsError([
      'missing setting --garden-kubeconfig (TRELLIS_GARDEN_KUBECONFIG, GARDEN_KUBECONFIG)',
    ])

  const log = createLog({ level: settings.logLevel, name: 'webhook' })
  const pod = settings.kubeconfig === undefined ? podOf(env) : undefined
  const own = await connect(settings.kubeconfig, pod, '--kubeconfig (TRELLIS_KUBECONFIG)')
  const garden =
    settings.cluster === 'garden'
      ? await connect(settings.gardenKubeconfig, undefined, '--garden-kubeconfig (GARDEN_KUBECONFIG)')
      : undefined
  const stop = new AbortController()
  const starting = startWebhooks({
    definitions: served,
    settings,
    kubernetes: own.kubernetes,
    target: garden?.kubernetes ?? own.kubernetes,
    targetMetadata: garden?.metadata ?? own.metadata,
    openShoot: openShootOf(own.kubernetes, systemClock),
    clock: systemClock,
    log,
    signal: stop.signal,
    ...((settings.leaderElection ?? pod !== undefined) && {
      leadership: election(settings, own.kubernetes, log),
    }),
  })
  closeOnTermination(async () => {
    log.info('webhooks stopping')
    stop.abort(new Error('the process is shutting down'))
    const running = await starting.catch(() => undefined)
    await running?.close()
    own.close()
    garden?.close()
  })
  const { port, probePort } = await starting
  log.info('webhooks running', {
    settings: printableSettings(schema, settings),
    port,
    probePort,
    webhooks: served.length,
  })
}

const election = (settings: WebhookSettings, kubernetes: Kubernetes, log: Log) =>
  createElection({
    kubernetes,
    lease: { namespace: settings.namespace, name: leaseNameOf(settings) },
    // The same format as in users of client-go: a restarted pod of the same name is another candidate.
    identity: `${hostname()}_${randomUUID()}`,
    clock: systemClock,
    elapsed: () => performance.now(),
    log,
  })

interface ClusterConnection {
  readonly kubernetes: Kubernetes
  readonly metadata: Pick<Kubernetes, 'list' | 'watch'>
  readonly close: () => void
}

const connect = async (
  file: string | undefined,
  pod: ReturnType<typeof podOf>,
  setting: string,
): Promise<ClusterConnection> => {
  try {
    const access = await clusterAccess({
      clock: systemClock,
      ...(file !== undefined && { file }),
      ...(pod && { inCluster: pod }),
    })
    const transport = multiplexedTransport({ access, clock: systemClock })
    return {
      kubernetes: createKubernetes({ transport: transport.send, clock: systemClock }),
      metadata: createKubernetes({ transport: metadataOnly(transport.send), clock: systemClock }),
      close: () => transport.close(),
    }
  } catch (error) {
    // The YAML parser quotes the lines around; the first line has the position.
    const [problem = ''] = messageOf(error).split('\n')
    throw new SettingsError([`cannot access a cluster, see ${setting}: ${problem.replace(/:$/, '')}`])
  }
}

const podOf = (env: WebhookProcessInput['env']) => {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env
  return host === undefined || port === undefined ? undefined : { host, port }
}
