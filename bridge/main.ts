import { parseArgs } from 'node:util'
import { systemClock } from '../shared/clock/clock.ts'
import { createKubernetes } from '../shared/kubernetes/client.ts'
import { httpTransport } from '../shared/kubernetes/http-transport.ts'
import { clusterAccess } from '../shared/kubernetes/kubeconfig.ts'
import { createLog } from '../shared/runtime/log.ts'
import {
  describeSettings,
  parseSettings,
  printableSettings,
  SettingsError,
} from '../shared/runtime/settings.ts'
import { type BridgeSettings, bridgeSettings } from './settings.ts'
import { startBridge } from './start.ts'

/** The process of the bridge: settings from flags and environment, ends cleanly at SIGTERM and SIGINT. */
const main = async (): Promise<void> => {
  const settings = readSettings()
  const log = createLog({ level: settings.logLevel, name: 'bridge' })
  const transport = httpTransport({ access: await readAccess(settings) })
  const kubernetes = createKubernetes({ transport: transport.send, clock: systemClock })
  const bridge = await startBridge({ settings, kubernetes, clock: systemClock, log })
  log.info('the bridge runs', { settings: printableSettings(bridgeSettings, settings), port: bridge.port })

  const ended = Promise.withResolvers<string>()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, ended.resolve)
  log.info('the bridge stops', { signal: await ended.promise })
  await bridge.close()
  transport.close()
}

const readAccess = async ({ kubeconfig }: BridgeSettings) => {
  const host = process.env.KUBERNETES_SERVICE_HOST
  const port = process.env.KUBERNETES_SERVICE_PORT
  try {
    return await clusterAccess({
      clock: systemClock,
      ...(kubeconfig === undefined ? {} : { file: kubeconfig }),
      ...(host === undefined || port === undefined ? {} : { inCluster: { host, port } }),
    })
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new SettingsError([`no access to a cluster, see --kubeconfig (TRELLIS_KUBECONFIG): ${problem}`])
  }
}

const readSettings = () => {
  const flags = Object.fromEntries(
    describeSettings(bridgeSettings).map(({ flag }) => [flag.slice(2), { type: 'string' as const }]),
  )
  const { values } = parseArgs({ options: flags })
  return parseSettings(bridgeSettings, { flags: values, env: process.env })
}

main().catch((error: unknown) => {
  const isSetting = error instanceof SettingsError || (error instanceof TypeError && 'code' in error)
  process.stderr.write(`trellis bridge: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = isSetting ? 2 : 1
})
