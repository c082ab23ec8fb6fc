import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { missingBundle } from '../bundle.ts'
import { atMost, type Benchmark, type Figure, here, percentile } from '../figure.ts'
import { startManyShoots } from '../infrastructure/many-shoots.ts'
import { sendAll } from '../infrastructure/send-all.ts'
import { usageOf } from '../process-usage.ts'

const rounds = 9
const perRound = 40
const warmUp = 80
const zones = 3
const bundle = 'dist/bundles/aws-infrastructure/main.cjs'
const name = 'CPU time of a step with reports of its calls, as a multiple of without'

/**
 * Measures the CPU time of steps with many calls, with and without reports to a bridge. The two processes take turns,
 * so that other load on the machine affects both equally.
 */
export const stepReports: Benchmark = {
  name: 'steps-reported',
  run: async () => {
    const missing = await missingBundle([bundle])
    if (missing !== undefined) return [{ name, missing }]
    const receiver = await countReports()
    const reported = await startSteps({ TRELLIS_REPORT_TO: receiver.url, TRELLIS_REPORT_STEPS: 'bridge' })
    const silent = await startSteps({ TRELLIS_REPORT_TO: receiver.url, TRELLIS_REPORT_STEPS: 'off' })
    try {
      const ratios: number[] = []
      const costs: number[] = []
      for (let round = 0; round < rounds; round++) {
        const turns = round % 2 === 0 ? [reported, silent] : [silent, reported]
        const cpu = new Map<typeof reported, number>()
        for (const steps of turns) cpu.set(steps, await steps.round())
        ratios.push((cpu.get(reported) ?? 0) / (cpu.get(silent) ?? 0))
        costs.push(cpu.get(silent) ?? 0)
      }
      if (receiver.steps() === 0) throw new Error('no step was reported')
      return [
        {
          name,
          value: percentile(ratios, 0.5),
          unit: '×',
          target: atMost(1.03),
          reference: { name: 'without, ms', value: percentile(costs, 0.5), source: here },
          with: `median of ${rounds} rounds of ${perRound} unchanged infrastructures, ${zones} zones; warm bundle`,
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
      await Promise.all([reported.close(), silent.close()])
      receiver.close()
    }
  },
}

/** A process of the function with its own seed. */
const startSteps = async (env: Readonly<Record<string, string>>) => {
  const shoots = await startManyShoots(warmUp + rounds * perRound, zones, env)
  const left: KubernetesObject[] = [...shoots.infrastructures]
  await sendAll(shoots.url, left.splice(0, warmUp))
  return {
    /** Runs steps, and returns the CPU time of one, in ms. */
    round: async (): Promise<number> => {
      const before = await usageOf(shoots.pid)
      await sendAll(shoots.url, left.splice(0, perRound))
      const after = await usageOf(shoots.pid)
      if (before === undefined || after === undefined)
        throw new Error('the system does not tell what a process takes')
      return (after.cpuMs - before.cpuMs) / perRound
    },
    close: shoots.close,
  }
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
