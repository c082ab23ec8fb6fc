import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kindNames } from '../../../shared/contract/kinds.ts'
import { bridgeProcesses } from '../../bridge/bridge-process.ts'
import { type HeavyServerOptions, startHeavyServer } from '../../bridge/heavy-server.ts'
import { startSink } from '../../bridge/sink.ts'
import { type Benchmark, below, type Row } from '../figure.ts'
import { usageOf } from '../process-usage.ts'
import { manifestEnvironment } from './manifest-environment.ts'

/** The wait after the last event until garbage is collected. */
const settlingMs = 5_000

const sizes: readonly (Omit<HeavyServerOptions, 'streamed'> & { readonly what: string })[] = [
  { what: '500 objects of 120 KB of each kind', count: 500, bytes: 120_000, filling: 'values' },
  { what: '500 objects of 1 MB of each kind', count: 500, bytes: 1_000_000, filling: 'text' },
]

const measure = async (options: HeavyServerOptions) => {
  const server = await startHeavyServer(options)
  const sink = await startSink()
  const processes = bridgeProcesses()
  const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
  try {
    const kubeconfig = join(folder, 'kubeconfig')
    await writeFile(kubeconfig, server.kubeconfig)
    const env = {
      ...(await manifestEnvironment()),
      TRELLIS_KUBECONFIG: kubeconfig,
      K_SINK: sink.url,
      TRELLIS_KINDS: kindNames.join(),
      TRELLIS_LEADER_ELECTION: 'false',
      TRELLIS_INITIAL_PER_SECOND: '1000',
    }
    const bridge = processes.start(env, ['dist/bundles/bridge/main.cjs'])
    let isRunning = true
    bridge.exited.then(() => {
      isRunning = false
    })
    const all = kindNames.length * options.count
    const seen = () => new Set(sink.arrivals.map(({ id }) => id)).size
    await Promise.race([sink.until(() => seen() >= all), bridge.exited])
    await sleep(settlingMs)
    const usage = await usageOf(bridge.pid)
    if (!isRunning || usage === undefined) throw new Error('the bridge ended, or the system tells no usage')
    return usage
  } finally {
    processes.killAll()
    sink.close()
    server.close()
    await rm(folder, { recursive: true })
  }
}

/**
 * Objects of the maximum size of etcd, all of which need work, on a separate server: no kube-apiserver can hold so
 * many.
 */
export const heavyObjects: Benchmark = {
  name: 'bridge-heavy',
  run: async () => {
    const rows: Row[] = []
    for (const streamed of [false, true]) {
      for (const { what, ...options } of sizes) {
        const { peakMb, residentMb } = await measure({ ...options, streamed })
        const name = `${what}, ${streamed ? 'streamed' : 'listed in pages'}`
        rows.push(
          { name: `${name}: peak resident memory`, value: peakMb, unit: 'MB', target: below(220) },
          { name: 'the same, after all events were sent', value: residentMb, unit: 'MB', target: below(200) },
        )
      }
    }
    return rows
  },
}
