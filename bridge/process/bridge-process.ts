import { access, constants } from 'node:fs/promises'
import { systemClock } from '../../shared/clock/clock.ts'
import { clusterAccess, createKubernetes, multiplexedTransport } from '../../shared/kubernetes/kubernetes.ts'
import { createLog } from '../../shared/log/log.ts'
import {
  envName,
  flagName,
  parseSettings,
  printableSettings,
  SettingsError,
} from '../../shared/runtime/runtime.ts'
import { print } from '../../shared/terminal/print.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import type { Bridge } from '../create-bridge.ts'
import { createMemoryObserver } from '../observers/memory/memory-observer.ts'
import { dumpRow } from './dump.ts'
import { joinElection } from './join-election.ts'
import { podNamespace } from './pod-namespace.ts'
import { readWaiting } from './read-waiting.ts'
import { type BridgeSettings, bridgeSettings, dumpSettings, selectionOf } from './settings.ts'
import { startBridge } from './start.ts'

export interface BridgeProcessInput {
  /** By flag name. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The longest time that `--dump` tries to read the API server. */
const dumpLimitMs = 60_000

/**
 * Runs a bridge's process: from its settings until SIGTERM or SIGINT, or until `--dump` has printed. Rejects with
 * `SettingsError` if the settings are invalid.
 */
export const bridgeProcess = (input: BridgeProcessInput): Promise<void> =>
  input.flags.dump || input.env[envName('dump')] ? dump(input) : run(input)

const run = async ({ flags, env }: BridgeProcessInput): Promise<void> => {
  const settings = parseSettings(bridgeSettings, { flags, env })
  await expectFiles(settings)
  const log = createLog({ level: settings.logLevel, name: 'bridge' })
  const pod = settings.kubeconfig === undefined ? podOf(env) : undefined
  const transport = multiplexedTransport({ access: await readAccess(settings, pod), clock: systemClock })
  const kubernetes = createKubernetes({ transport: transport.send, clock: systemClock })
  const memory = createMemoryObserver(systemClock)
  const leadership = await joinElection({ settings, inCluster: pod !== undefined, kubernetes, log })
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
    ...rows.map(row => ({ ...head, msg: 'waiting', ...dumpRow(row) })),
  ]
  print(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
}

const dump = async ({ flags, env }: BridgeProcessInput): Promise<void> => {
  const settings = parseSettings(dumpSettings, { flags, env })
  const pod = settings.kubeconfig === undefined ? podOf(env) : undefined
  const transport = multiplexedTransport({ access: await readAccess(settings, pod), clock: systemClock })
  try {
    const text = await readWaiting({
      kubernetes: createKubernetes({ transport: transport.send, clock: systemClock }),
      clock: systemClock,
      log: createLog({ level: settings.logLevel, name: 'bridge', destination: process.stderr }),
      selection: selectionOf(settings),
      format: settings.dump ?? 'table',
      limitMs: dumpLimitMs,
    })
    print(text)
  } finally {
    transport.close()
  }
}

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
