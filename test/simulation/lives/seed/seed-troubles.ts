import type { AwsSide } from '../../../../sandbox/providers/aws/simulation/aws-side.ts'
import type { Exchange, Fate, Fates, Random, World } from '../../../../sandbox/simulation/simulation.ts'
import type { Transport } from '../../../../shared/kubernetes/kubernetes.ts'
import { fateOf } from '../troubles.ts'
import type { SeedFault, SeedPlan, SeedTrouble } from './seed-plan.ts'

export interface SeedTroubles {
  readonly fates: (surroundings: { readonly clock: World['clock']; readonly random: Random }) => Fates
  /** The way of controllers, whose statuses are late. */
  readonly controllerWay: (transport: Transport) => Transport
  begin(world: World, race: (path: string) => void): void
  stop(): void
}

type Of<Kind extends SeedTrouble['kind']> = Extract<SeedTrouble, { readonly kind: Kind }>

/** Longer than a claim. */
const suspendedMs = 100_000
const putRightMs = 30_000

const oneObject = /^GET \/apis\/extensions\.gardener\.cloud\/.*\/[^/?]+\/[^/?]+$/
const ofShoot = /^[A-Z]+ \/api\/v1\/nodes/

/** `own`: a part of the path of the object. */
export const createSeedTroubles = ({ events, latencyMs, statusMs }: SeedPlan, own: string): SeedTroubles => {
  const of = <Kind extends SeedTrouble['kind']>(kind: Kind): readonly Of<Kind>[] =>
    events.filter((event): event is Of<Kind> => event.kind === kind)
  const single = of('exchange')
  const counts = new Map<string, number>()
  let refuse = (_: NonNullable<Of<'exchange'>['refusal']>): void => {}
  const faultOf = ({ way, isWrite, about }: Exchange): SeedFault | undefined => {
    const names = isWrite
      ? ['write', ...(way === 'cloud' ? ['cloud write'] : about.includes(own) ? ['own write'] : [])]
      : ['read']
    const found = single.find(one => names.includes(one.of) && one.at === (counts.get(one.of) ?? 0))
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
    const { refusal } = found ?? {}
    // Not this call.
    if (refusal !== undefined) clock?.after(1, () => refuse(refusal))
    return found?.fault
  }
  const slowMs = Math.max(latencyMs, ...of('slow reads').map(({ mostMs }) => mostMs))
  let suspend = (_process: string): void => {}
  let race = (_path: string): void => {}
  let isOver = false
  let clock: World['clock'] | undefined
  let delays = (): number => 0
  const ends: (() => void)[] = []

  const fates: SeedTroubles['fates'] = ({ clock: time, random }) => {
    clock = time
    const start = time.now()
    const ways = random.fork('ways')
    const statuses = random.fork('statuses')
    delays = () => statuses() * statusMs
    const during = ({ at, forMs }: { readonly at: number; readonly forMs: number }): boolean =>
      time.now() - start >= at && time.now() - start < at + forMs
    return (process, exchange) => {
      const pass: Fate = { kind: 'pass', beforeMs: ways() * latencyMs, afterMs: ways() * latencyMs }
      if (isOver) return pass
      if (exchange.way === 'events') {
        const refusal = of('refused events').find(during)
        return refusal === undefined ? pass : { kind: 'refused', status: refusal.status as 500 }
      }
      if (/\/bridge-/.test(process))
        return oneObject.test(exchange.about)
          ? { kind: 'pass', beforeMs: ways() * slowMs, afterMs: ways() * slowMs }
          : pass
      if (ofShoot.test(exchange.about) && of('silent shoot').some(during)) return { kind: 'unreachable' }
      const fault = faultOf(exchange)
      // A cloud has no versions: whatever a process sends late takes effect.
      if (fault === 'suspended' && exchange.way === 'cloud') return pass
      if (fault === 'suspended') {
        suspend(process)
        return { ...pass, thawed: true }
      }
      if (fault === 'raced') {
        race(exchange.about)
        return { kind: 'pass', beforeMs: 50 }
      }
      return fault === undefined ? pass : fateOf(fault, exchange, ways)
    }
  }
  return {
    fates,
    controllerWay: transport => async request => {
      if (!isOver && clock !== undefined && request.method !== 'GET' && request.path.endsWith('/status'))
        await clock.sleep(delays())
      return transport(request)
    },
    begin: ({ first, clock: time, cloud }, racing) => {
      race = racing
      refuse = ({ forMs, is }) => {
        if (isOver || !('aws' in cloud)) return
        const end = (cloud as AwsSide).aws.faults.add({ times: null, effect: { kind: is } })
        time.after(forMs, end)
        ends.push(end)
      }
      suspend = name => {
        const { process } = first.instances().find(one => one.process.name === name) ?? {}
        if (process === undefined) return
        process.freeze(suspendedMs)
        process.skew(-suspendedMs)
        const putRight = () => process.skew(0)
        time.after(suspendedMs + putRightMs, putRight)
        ends.push(putRight)
      }
      for (const { at, do: what, of: target } of of('process'))
        time.after(at, () => {
          if (isOver) return
          if (target === 'bridge') return first.bridges()[0]?.process.kill()
          const instance = first.instances()[0]
          if (what === 'stop') void instance?.stop()
          else if (what === 'kill') instance?.process.kill()
          else instance?.process.freeze(20_000)
        })
    },
    stop: () => {
      isOver = true
      for (const end of ends) end()
    },
  }
}
