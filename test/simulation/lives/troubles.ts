import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import type { Exchange, Fate, Fates, Random, World } from '../../../sandbox/simulation/simulation.ts'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import { block } from './blockers.ts'
import type { Part } from './cast.ts'
import { type DueDeath, letDie } from './deaths.ts'
import { changeInput } from './inputs.ts'
import type { Begin, ExchangeFault, LifePlan, Trouble, WindowFault } from './plan-life.ts'

/** The troubles of a life. They end with `stop`. */
export interface Troubles {
  readonly fates: (surroundings: { readonly clock: World['clock']; readonly random: Random }) => Fates
  begin(world: World<AwsSide>, parts: readonly Part[]): void
  /** An act begins, with troubles of its own. */
  began(what: Begin, own?: readonly Trouble[]): void
  stop(): void
  /** Returns a sentence for each blocker that no status names. */
  unnamed(): readonly string[]
}

type Of<Kind extends Trouble['kind']> = Extract<Trouble, { readonly kind: Kind }>

/** Until five minutes after a creation, an answer that a resource does not exist proves nothing. */
const youngMs = 120_000

/** Longer than a claim. */
const suspendedMs = 100_000
const putRightMs = 30_000

const oneObject = /^GET \/apis\/extensions\.gardener\.cloud\/.*\/[^/?]+\/[^/?]+$/

export const createTroubles = ({ events, latencyMs }: LifePlan): Troubles => {
  const of = <Kind extends Trouble['kind']>(kind: Kind): readonly Of<Kind>[] =>
    events.filter((event): event is Of<Kind> => event.kind === kind)
  /** `seen`: the number of matching exchanges since its beginning. */
  const single = of('exchange').map(event => ({ event, seen: 0 }))
  /** Returns the fault of an exchange, and counts it. */
  const singleFault = ({ way, isWrite, about }: Exchange): ExchangeFault | undefined => {
    const [, action] = / (\w+)$/.exec(about) ?? []
    const names = [
      undefined,
      ...(way === 'cloud' ? [`ec2:${action}`, ...(isWrite ? ['write'] : [])] : []),
      ...(way === 'kubernetes' && isWrite ? ['object write'] : []),
    ]
    const met = single.filter(({ event }) => names.includes(event.of))
    const found = met.find(({ event, seen }) => seen === event.at)
    for (const one of met) one.seen += 1
    return found?.event.fault
  }
  const deaths: DueDeath[] = []
  const awaited = new Map<Begin, (() => void)[]>()
  const ends: (() => void)[] = []
  const refused = new Map<string, 429 | 403>()
  const unnamed: string[] = []
  const slowMs = Math.max(latencyMs, ...of('slow reads').map(({ mostMs }) => mostMs))
  let suspend = (_process: string): void => {}
  let start = (_event: Trouble): void => {}
  let isOver = false

  const began: Troubles['began'] = (what, own = []) => {
    for (const event of own) {
      if (event.kind === 'exchange') single.push({ event, seen: 0 })
      else if (event.kind === 'death') deaths.push({ after: event.after, left: event.at })
      else start(event)
    }
    for (const wait of awaited.get(what) ?? []) wait()
    awaited.delete(what)
  }

  const fates: Troubles['fates'] = ({ clock, random }) => {
    const start = clock.now()
    const outages = of('outage').map(outage => ({ ...outage, random: random.fork(JSON.stringify(outage)) }))
    const ways = random.fork('ways')
    return (process, exchange) => {
      // Fractions, so that no two calls arrive at the same time.
      const pass: Fate = { kind: 'pass', beforeMs: ways() * latencyMs, afterMs: ways() * latencyMs }
      if (isOver || exchange.way === 'events') return pass
      if (/\/bridge-/.test(process) && oneObject.test(exchange.about))
        return { kind: 'pass', beforeMs: ways() * slowMs, afterMs: ways() * slowMs }
      if (!/\/aws-/.test(process)) return pass
      const now = clock.now() - start
      const fault =
        singleFault(exchange) ??
        (exchange.way === 'cloud'
          ? [...refused].find(([text]) => `${exchange.about} `.includes(text))?.[1]
          : undefined) ??
        outages.find(({ at, forMs, rate, random: own }) => at <= now && now < at + forMs && own.chance(rate))
          ?.fault
      if (fault === 'suspended') {
        suspend(process)
        return { ...pass, thawed: true }
      }
      return fault === undefined ? pass : fateOf(fault, exchange, ways)
    }
  }

  const begin: Troubles['begin'] = (world, parts) => {
    const { clock, cloud, first } = world
    letDie(world, deaths)
    suspend = name => {
      const { process } = first.instances().find(one => one.process.name === name) ?? {}
      if (process === undefined) return
      process.freeze(suspendedMs)
      process.skew(-suspendedMs)
      // gardenlet ignores an outcome with a time before its request, so its clock is put right at last.
      const putRight = () => process.skew(0)
      clock.after(suspendedMs + putRightMs, putRight)
      ends.push(putRight)
    }
    cloud.aws.calls.onCall(({ service, action }) => began(`${service}:${action}`))
    const later = (at: number, act: () => void, from?: Begin): void => {
      const wait = (): void => void clock.after(at, () => isOver || act())
      if (from === undefined) wait()
      else awaited.set(from, [...(awaited.get(from) ?? []), wait])
    }
    const strike = (event: Trouble): void => {
      switch (event.kind) {
        case 'window': {
          const { forMs, fault, action } = event
          const [service = '', name = ''] = action.split(':')
          const names = name === 'reads' ? ['Describe*', 'Get*', 'List*', 'Head*'] : [name]
          for (const one of names) {
            const end = cloud.aws.faults.add({ service, action: one, times: null, ...orderOf(fault) })
            ends.push(end)
            clock.after(forMs, end)
          }
          return
        }
        case 'hidden': {
          const { forMs, pick, table, isOld } = event
          const young = cloud.created(isOld ? 0 : clock.now() - youngMs, table)
          const id = young[pick % Math.max(young.length, 1)]
          if (id === undefined) return
          const end = cloud.aws.faults.add({ times: null, effect: { kind: 'not-found', id } })
          ends.push(end)
          clock.after(forMs, end)
          return
        }
        case 'part refused': {
          const { forMs, text, part, isDenied } = event
          for (const one of text === undefined ? otherPlaces(first, parts[part ?? 0]) : [text]) {
            refused.set(one, isDenied ? 403 : 429)
            clock.after(forMs, () => refused.delete(one))
          }
          return
        }
        case 'input': {
          const { forMs, part, input } = event
          const home = parts[part]?.home
          if (home === undefined) return
          const end = changeInput(world, home, input)
          clock.after(forMs, end)
          ends.push(end)
        }
      }
    }
    start = event =>
      later(
        'at' in event ? event.at : 0,
        () => strike(event),
        event.kind === 'window' ? event.from : undefined,
      )
    for (const event of events)
      if (
        event.kind === 'window' ||
        event.kind === 'hidden' ||
        event.kind === 'part refused' ||
        event.kind === 'input'
      )
        later(event.at, () => strike(event), event.from)
    for (const { at, part: index } of of('blocker'))
      later(
        at,
        () => {
          const part = parts[index]
          if (part === undefined) return
          void block(world, part).then(
            problem => problem !== undefined && unnamed.push(problem),
            error => world.trace.note('people', `failed: ${error}`),
          )
        },
        'delete',
      )
    for (const { at, do: what, of: target } of of('process'))
      later(at, () => {
        if (target === 'bridge') return first.bridges()[0]?.process.kill()
        const instance = first.instances()[0]
        if (what === 'stop') void instance?.stop()
        else if (what === 'kill') instance?.process.kill()
        else instance?.process.freeze(20_000)
      })
    for (const { at, forMs, part } of of('failed shoot')) {
      const name = parts[part]?.home.namespace ?? ''
      const write = (state: string) =>
        void first.kubernetes.patch(
          clusterKind.resource,
          { name },
          { spec: { shoot: { status: { lastOperation: { type: 'Reconcile', state } } } } },
        )
      later(at, () => {
        write('Failed')
        const end = () => write('Processing')
        clock.after(forMs, end)
        ends.push(end)
      })
    }
  }
  return {
    unnamed: () => unnamed,
    fates,
    begin,
    began,
    stop: () => {
      isOver = true
      deaths.splice(0)
      for (const end of ends) end()
    },
  }
}

/** Returns the places of a part that its present spec does not name. */
const otherPlaces = ({ server }: World['first'], part: Part | undefined): readonly string[] => {
  const { kind, key } = part?.desired ?? {}
  if (kind === undefined || key === undefined) return []
  const { plural, group } = kinds[kind].resource
  const live = server.store.collection(`${plural}.${group}`).get(`${key.namespace}/${key.name}`)
  const text = JSON.stringify(live?.object.spec ?? {})
  return (part?.places ?? []).filter(place => !text.includes(place))
}

const orderOf = (fault: WindowFault) => {
  if (fault === 'throttled') return { effect: { kind: 'throttle' } } as const
  if (fault === 'denied') return { effect: { kind: 'denied' } } as const
  if (fault === 'failed')
    return { when: 'after', effect: { kind: 'error', code: 'InternalError', status: 500 } } as const
  return { effect: { kind: 'error', code: fault.replace('refused ', ''), status: 400 } } as const
}

/** Returns what happens to an exchange of a life. */
export const fateOf = (
  fault: Exclude<ExchangeFault, 'suspended'> | number,
  { way }: Exchange,
  random: Random,
): Fate => {
  switch (fault) {
    case 'crash before':
      return { kind: 'crash', when: 'before' }
    case 'crash after':
      return { kind: 'crash', when: 'after' }
    case 'silence':
      return { kind: 'silence', acted: random.chance(0.5) }
    case 'late':
      return { kind: 'pass', beforeMs: 5_000 + random.int(40_000) }
    case 'lost':
    case 'unreachable':
      return { kind: fault }
    default:
      // No cloud has a general conflict.
      return { kind: 'refused', status: way === 'cloud' && fault === 409 ? 503 : (fault as 500) }
  }
}
