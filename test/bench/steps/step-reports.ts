import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { bundle } from '../../../build/images/images.ts'
import { atMost, type Benchmark, type Figure, percentile } from '../figure.ts'
import { serveManyShoots } from '../infrastructure/many-shoots.ts'

const rounds = 40
const perRound = 15
const warmUp = 100
const zones = 3

/**
 * Measures the CPU time of steps with many calls, with and without reports to a bridge. Both run in one process and take
 * turns, so that compiled code and other load on the machine are the same for both. The servers are in this process.
 */
export const stepReports: Benchmark = {
  name: 'steps-reported',
  run: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trellis-bench-'))
    const receiver = await countReports()
    const shoots = await serveManyShoots(warmUp + 2 * rounds * perRound, zones)
    try {
      const args = [await bundled(folder), shoots.kubeconfig, receiver.url, String(rounds), String(perRound)]
      const { stdout } = await promisify(execFile)(process.execPath, args, {
        // Under the limit of a function, the objects of the benchmark would leave most time to garbage collection.
        env: { ...process.env, ...shoots.env, NODE_OPTIONS: '' },
      })
      const results: readonly { readonly reported: number; readonly unreported: number }[] =
        JSON.parse(stdout)
      return [
        {
          name: 'CPU time of a step with reports of its calls, as a multiple of one without',
          value: percentile(
            results.map(({ reported, unreported }) => reported / unreported),
            0.5,
          ),
          unit: '×',
          target: atMost(1.03),
          with: `${percentile(
            results.map(({ unreported }) => unreported),
            0.5,
          ).toFixed(
            1,
          )} ms without; median of ${rounds} pairs of ${perRound} unchanged infrastructures, ${zones} zones`,
        },
        {
          name: 'calls in the report of such a step',
          value: receiver.calls() / receiver.steps(),
          unit: 'requests',
        },
        {
          name: 'size of the report of such a step',
          value: receiver.bytes() / receiver.steps() / 1024,
          unit: 'KiB',
        },
      ] satisfies readonly Figure[]
    } finally {
      await shoots.close()
      receiver.close()
      await rm(folder, { recursive: true })
    }
  },
}

/** Bundles the program as an image does. Returns its file. */
const bundled = async (folder: string): Promise<string> => {
  const out = join(folder, 'main.cjs')
  await bundle({ source: { entryPoints: ['test/bench/steps/step-rounds.ts'] }, out })
  const reader = 'shared/kubernetes/access/read-kubeconfig.ts'
  await bundle({ source: { entryPoints: [reader] }, out: join(folder, 'kubeconfig.cjs') })
  return out
}

/** Counts the steps in the reports of functions, as a bridge receives them. */
const countReports = async () => {
  let steps = 0
  let calls = 0
  let bytes = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const { steps: reported = [] } = JSON.parse(Buffer.concat(chunks).toString())
      for (const step of reported) {
        steps++
        calls += step.calls.length
        bytes += JSON.stringify(step).length
      }
      response.writeHead(204).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/reports`,
    steps: () => steps,
    calls: () => calls,
    bytes: () => bytes,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
