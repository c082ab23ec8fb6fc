import { randomUUID } from 'node:crypto'
import { access, constants } from 'node:fs/promises'
import { hostname } from 'node:os'
import { formatMilliseconds, systemClock } from '../../shared/clock/clock.ts'
import {
  clusterAccess,
  createKubernetes,
  type Kubernetes,
  multiplexedTransport,
} from '../../shared/kubernetes/kubernetes.ts'
import { createElection, type LeaseTimes } from '../../shared/leadership/election.ts'
import type { Leadership } from '../../shared/leadership/leadership.ts'
import { createLog, type Log } from '../../shared/log/log.ts'
import {
  envName,
  flagName,
  parseSettings,
  printableSettings,
  SettingsError,
} from '../../shared/runtime/runtime.ts'
import { print } from '../../shared/terminal/print.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import type { WaitingRow } from '../core/core.ts'
import type { Bridge } from '../create-bridge.ts'
import { createMemoryObserver } from '../observers/memory/memory-observer.ts'
import { podNamespace } from './pod-namespace.ts'
import { type BridgeSettings, bridgeSettings } from './settings.ts'
import { startBridge } from './start.ts'

export interface BridgeProcessInput {
  /** By flag name. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
  /** Default: those of client-go. */
  readonly leaseTimes?: LeaseTimes | undefined
}

/** Runs a bridge until SIGTERM or SIGINT. Rejects with `SettingsError` if its settings are invalid. */
export const bridgeProcess = async ({ flags, env, leaseTimes }: BridgeProcessInput): Promise<void> => {
  const settings = parseSettings(bridgeSettings, { flags, env })
  await expectFiles(settings)
  const log = createLog({ level: settings.logLevel, name: 'bridge' })
  const pod = settings.kubeconfig === undefined ? podOf(env) : undefined
  const transport = multiplexedTransport({ access: await readAccess(settings, pod), clock: systemClock })
  const kubernetes = createKubernetes({ transport: transport.send, clock: systemClock })
  const memory = createMemoryObserver(systemClock)
  const leadership = await joinElection({
    ...{ settings, kubernetes, log },
    inCluster: pod !== undefined,
    times: leaseTimes,
  })
  const { bridge, port, close } = await startBridge({
    settings,
    kubernetes,
    clock: systemClock,
    log,
    namespace: pod && (await podNamespace()),
    ...(leadership === undefined ? {} : { leadership }),
    observe: memory.event,
  })
  log.info('bridge running', { settings: printableSettings(bridgeSettings, settings), port })
  process.on('SIGUSR2', () => printWaiting(bridge))

  const ended = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, ended.resolve)
  log.info('bridge stopping', { signal: await ended.promise })
  memory.close()
  await close()
  transport.close()
}

/** Prints the waiting objects as lines of the log, whatever its level. */
const printWaiting = (bridge: Bridge) => {
  const head = { level: 'info', time: new Date(systemClock.now()).toISOString(), name: 'bridge' }
  const rows = bridge.waiting()
  const lines = [
    { ...head, msg: 'waiting objects', objects: rows.length, leading: bridge.leading() },
    ...rows.map(row => ({ ...head, msg: 'waiting', ...fieldsOf(row) })),
  ]
  print(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
}

const fieldsOf = ({ since, at, lastError, ...row }: WaitingRow) => ({
  ...row,
  ...(lastError === '' ? {} : { lastError }),
  since: formatMilliseconds(since),
  ...(at === undefined ? {} : { at: formatMilliseconds(at) }),
})

/** The files of default settings may be absent; explicitly set files may not. */
const expectFiles = async (settings: BridgeSettings): Promise<void> => {
  const problems: string[] = []
  for (const name of ['sinkCaFile', 'sinkTokenFile'] as const) {
    if (settings[name] === bridgeSettings.shape[name].parse(undefined)) continue
    await access(settings[name], constants.R_OK).catch((error: unknown) => {
      const problem = messageOf(error)
      problems.push(`${flagName(name)} (${envName(name)}): ${problem}`)
    })
  }
  if (problems.length > 0) throw new SettingsError(problems)
}

interface PodAddress {
  readonly host: string
  readonly port: string
}

const podOf = (env: BridgeProcessInput['env']): PodAddress | undefined => {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = env
  return host === undefined || port === undefined ? undefined : { host, port }
}

const readAccess = async (
  { kubeconfig }: Pick<BridgeSettings, 'kubeconfig'>,
  pod: PodAddress | undefined,
) => {
  try {
    return await clusterAccess({
      clock: systemClock,
      ...(kubeconfig === undefined ? {} : { file: kubeconfig }),
      ...(pod === undefined ? {} : { inCluster: pod }),
    })
  } catch (error) {
    // The YAML parser quotes the lines around; the first line has the position.
    const [problem = ''] = messageOf(error).split('\n')
    throw new SettingsError([
      `cannot access a cluster, see --kubeconfig (TRELLIS_KUBECONFIG): ${problem.replace(/:$/, '')}`,
    ])
  }
}

/**
 * Returns the election according to the settings; undefined: none. `inCluster`: this is a pod of the cluster that it
 * watches.
 */
const joinElection = async (options: {
  readonly settings: BridgeSettings
  readonly inCluster: boolean
  readonly times?: LeaseTimes | undefined
  readonly kubernetes: Kubernetes
  readonly log: Log
}): Promise<Leadership | undefined> => {
  const { settings, inCluster, times, kubernetes, log } = options
  if (!(settings.leaderElection ?? inCluster)) return undefined
  return createElection({
    kubernetes,
    lease: { namespace: (await podNamespace()) ?? 'trellis', name: settings.leaseName },
    // The same format as in users of client-go: a restarted pod of the same name is another candidate.
    identity: `${hostname()}_${randomUUID()}`,
    times,
    clock: systemClock,
    elapsed: () => performance.now(),
    log,
  })
}
