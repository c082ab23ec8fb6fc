import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { kindNames } from '../../shared/contract/kinds.ts'
import { bridgeProcesses } from './bridge-process.ts'
import { type HeavyServerOptions, startHeavyServer } from './heavy-server.ts'
import { manifestEnvironment } from './manifest-environment.ts'
import { startSink } from './sink.ts'

const processes = bridgeProcesses()
const folder = await mkdtemp(join(tmpdir(), 'trellis-heavy-'))

afterAll(async () => {
  processes.killAll()
  await rm(folder, { recursive: true })
})

const cases: readonly (HeavyServerOptions & { readonly what: string })[] = [
  {
    what: 'lists of 100 objects of 120 KB, where lists are not streamed',
    count: 100,
    bytes: 120_000,
    filling: 'values',
    streamed: false,
  },
  {
    what: 'lists of 100 objects of 120 KB, where lists are streamed',
    count: 100,
    bytes: 120_000,
    filling: 'values',
    streamed: true,
  },
  {
    what: 'lists of 40 objects of 1 MB, where lists are not streamed',
    count: 40,
    bytes: 1_000_000,
    filling: 'text',
    streamed: false,
  },
]

// Has the memory limit of its manifest, for all kinds at once. The sink accepts nothing until all objects are listed.
test.each(cases)(
  'the bridge with its shipped memory limit reads and sends $what',
  async options => {
    const server = await startHeavyServer(options)
    const sink = await startSink()
    let isDown = true
    sink.answer = response => response.writeHead(isDown ? 503 : 202).end()
    try {
      const kubeconfig = join(folder, `kubeconfig-${options.bytes}-${options.streamed}`)
      await writeFile(kubeconfig, server.kubeconfig)
      const bridge = processes.start({
        ...(await manifestEnvironment()),
        TRELLIS_KUBECONFIG: kubeconfig,
        K_SINK: sink.url,
        // No function serves the type of these objects.
        TRELLIS_SERVED: '',
        TRELLIS_KINDS: kindNames.join(),
        TRELLIS_LEADER_ELECTION: 'false',
        TRELLIS_INITIAL_PER_SECOND: '1000',
      })
      const port = await bridge.port
      const isReady = async () => (await fetch(`http://127.0.0.1:${port}/health/readiness`)).ok
      const ended = bridge.exited.then(how => expect.fail(`the bridge ended: ${JSON.stringify(how)}`))
      ended.catch(() => undefined)
      await Promise.race([expect.poll(isReady).toBe(true), ended])
      isDown = false
      const seen = () => new Set(sink.arrivals.map(({ id }) => id)).size
      const all = kindNames.length * options.count
      await Promise.race([
        sink.until(() => seen() === all),
        bridge.exited.then(how => expect.fail(`the bridge ended: ${JSON.stringify(how)}`)),
      ])
      expect(seen()).toBe(all)
      expect(await bridge.end('SIGTERM')).toEqual([0, null])
    } finally {
      sink.close()
      server.close()
    }
  },
  120_000,
)
