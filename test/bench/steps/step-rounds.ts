import { definition } from '../../../functions/aws/infrastructure/function.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { kinds } from '../../../shared/contract/kinds.ts'
import { buildEvent } from '../../../shared/events/events.ts'
import type { StepReport } from '../../../shared/journal/journal.ts'
import { clusterAccess, createKubernetes, httpTransport } from '../../../shared/kubernetes/kubernetes.ts'
import { eventHandler, httpReports, processSettings } from '../../../shared/runtime/runtime.ts'

/** A program that runs steps with and without reports in turns, and prints the CPU time of each round in ms. */

const [kubeconfig = '', reportTo = '', rounds = '', perRound = ''] = process.argv.slice(2)
const sideBySide = 4
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

const main = async (): Promise<void> => {
  const transport = httpTransport({ access: await clusterAccess({ clock: systemClock, file: kubeconfig }) })
  const kubernetes = createKubernetes({ transport: transport.send, clock: systemClock })
  const settings = processSettings(definition, { env: {} })
  const ports = { kubernetes, clock: systemClock, log: silent, onRequest: () => {} }
  const reports: StepReport[] = []
  const reported = eventHandler(definition, settings, { ...ports, onStep: report => reports.push(report) })
  const unreported = eventHandler(definition, settings, ports)
  const send = httpReports(reportTo)
  const { signal } = new AbortController()

  const { items } = await kubernetes.list(kinds.Infrastructure.resource)
  const left = [...items]

  /** Returns the CPU time of one step. */
  const round = async (handle: typeof reported, count: number): Promise<number> => {
    const objects = left.splice(0, count)
    const began = process.cpuUsage()
    const worker = async () => {
      for (let object = objects.shift(); object !== undefined; object = objects.shift()) {
        const event = buildEvent({
          ...{ object, kind: 'Infrastructure' as const, operation: 'reconcile' as const, cause: 'bench' },
          ...{ reason: 'annotation', attempt: 0, source: '/seeds/bench', now: systemClock.now() },
        })
        const outcome = await handle(event, signal)
        if (outcome.kind !== 'recorded' || outcome.how !== 'succeeded')
          throw new Error(`a step ended with ${JSON.stringify(outcome)}`)
      }
    }
    await Promise.all(Array.from({ length: sideBySide }, worker))
    // A process reports its metrics anyway.
    await send({ program: definition.name, series: {}, steps: reports.splice(0) }, signal)
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 1000 / count
  }

  // Compiles the code.
  for (const handle of [reported, unreported, reported, unreported]) await round(handle, 25)
  const results: { readonly reported: number; readonly unreported: number }[] = []
  for (let index = 0; index < Number(rounds); index++) {
    const isFirst = index % 2 === 0
    const first = await round(isFirst ? reported : unreported, Number(perRound))
    const second = await round(isFirst ? unreported : reported, Number(perRound))
    results.push(isFirst ? { reported: first, unreported: second } : { reported: second, unreported: first })
  }
  transport.close()
  process.stdout.write(JSON.stringify(results))
}

// A bundle has no await outside of functions.
void main()
