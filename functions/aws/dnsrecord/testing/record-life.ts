import { type VirtualClock, virtualClock } from '../../../../shared/clock/clock.ts'
import type { DNSRecord } from '../../../../shared/contract/objects.ts'
import { mergePatch } from '../../../../shared/kubernetes/kubernetes.ts'
import type { StepContext, StepResult } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'
import { connectionOver, notedLog, stepContext } from '../../testing/actuator-steps.ts'
import { dnsRecordActuator } from '../actuator.ts'
import { accessKey, passing, recordOf } from './steps.ts'

/** The fate of one call of a step, to AWS or to the API server. */
export type Fate = 'crash before' | 'crash after' | 'answer lost' | 'throttled' | 'refused' | 'zone not found'

export const fates: readonly Fate[] = [
  'crash before',
  'crash after',
  'answer lost',
  'throttled',
  'refused',
  'zone not found',
]

/** The simulated AWS, as far as a life uses it. */
export interface LifeAws {
  readonly requestHandler: AwsRequestHandler
  readonly faults: { add(fault: object): void; clear(): void }
}

export type Operation = 'reconcile' | 'remove' | 'forceRemove' | 'restore' | 'migrate'

const inAws: Readonly<Partial<Record<Fate, object>>> = {
  throttled: { kind: 'throttle' },
  refused: {
    kind: 'error',
    code: 'AccessDenied',
    status: 403,
    message: 'User: arn:aws:iam::123456789012:user/dns is not authorized to perform: it',
  },
  'zone not found': {
    kind: 'error',
    code: 'NoSuchHostedZone',
    status: 404,
    message: 'No hosted zone found with ID: Z',
  },
}

/**
 * One DNSRecord over several steps. Each step runs in the current process, on the object that the API server has. A
 * process that crashed does nothing more, and the next step starts a new one.
 */
export const recordLife = (
  aws: LifeAws,
  spec: Partial<DNSRecord['spec']> = {},
  clock: VirtualClock = virtualClock(Date.parse('2026-11-21T00:00:00Z')),
) => {
  const { lines, log } = notedLog()
  let object: DNSRecord = recordOf({ spec })
  let isDead = false
  let calls = 0
  let fate: { readonly at: number; readonly fate: Fate } | undefined
  let actuator = open()

  function open() {
    isDead = false
    const own = { isDead: false }
    const handle: AwsRequestHandler['handle'] = (...request) =>
      pass(
        own,
        () => aws.requestHandler.handle(...request),
        answer => aws.faults.add({ service: 'route53', effect: inAws[answer] }),
      )
    return {
      own,
      ...dnsRecordActuator({ connection: connectionOver({ handle }), clock }),
    }
  }

  async function pass<T>(
    process: { isDead: boolean },
    work: () => Promise<T>,
    answer: (fate: Fate) => void,
  ): Promise<T> {
    const dead = () => {
      isDead = true
      process.isDead = true
      return new Error('the process is dead')
    }
    if (process.isDead) throw dead()
    const chosen = calls++ === fate?.at ? fate.fate : undefined
    if (chosen === undefined) return work()
    if (chosen === 'crash before') throw dead()
    if (inAws[chosen] !== undefined) {
      answer(chosen)
      return work()
    }
    await work()
    throw chosen === 'crash after'
      ? dead()
      : Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  }

  const step = async (operation: Operation): Promise<StepResult | Error> => {
    if (isDead) actuator = open()
    const { own } = actuator
    const merge = (status: object) => {
      object = { ...object, status: mergePatch(object.status ?? {}, status) as DNSRecord['status'] & object }
    }
    const context: StepContext<DNSRecord> = stepContext<DNSRecord>({
      object,
      operation: operation === 'restore' ? 'Restore' : 'Reconcile',
      secret: { name: 'dns', namespace: 'shoot--foo--bar', labels: {}, data: accessKey },
      clock,
      log,
      saveStatus: status =>
        pass(
          own,
          async () => merge(status),
          () => {
            throw new Error('the API server answers with 503')
          },
        ),
    })
    const run = async (): Promise<StepResult> => {
      switch (operation) {
        case 'remove':
          return actuator.remove(context)
        case 'forceRemove':
          return (
            actuator.forceRemove?.({
              ...context,
              secret: undefined,
              findSecret: async () => context.secret,
            }) ?? { kind: 'done' }
          )
        case 'migrate':
          return actuator.migrate?.(context) ?? { kind: 'done' }
        case 'restore':
          return (actuator.restore ?? actuator.reconcile)(context)
        case 'reconcile':
          return actuator.reconcile(context)
      }
    }
    const result = await passing(clock, run()).catch((error: Error) => error)
    if (own.isDead || result instanceof Error) return result instanceof Error ? result : new Error('dead')
    if (result.status !== undefined) merge(result.status)
    return result
  }

  return {
    clock,
    lines,
    object: () => object,
    /** Changes the spec of the object. A field that is undefined is removed. */
    change: (changes: { readonly [key in keyof DNSRecord['spec']]?: unknown }) => {
      const next = Object.entries({ ...object.spec, ...changes }).filter(([, value]) => value !== undefined)
      object = { ...object, spec: Object.fromEntries(next) as DNSRecord['spec'] }
    },
    /** The object as gardenlet restores it in another seed: the spec, and of the status only the state. */
    moveToOtherSeed: () => {
      const state = object.status?.state
      object = { ...recordOf({ spec: object.spec }), ...(state !== undefined && { status: { state } }) }
      isDead = true
    },
    /** The object as earlier versions leave it. */
    forgetState: () => {
      const { state: _, ...status } = object.status ?? {}
      object = { ...object, status }
    },
    /** Lets the fate happen to the call with this number, from 0, counted from now on. */
    strike: (next: { readonly at: number; readonly fate: Fate } | undefined) => {
      fate = next
      calls = 0
    },
    calls: () => calls,
    step,
    /** Repeats the operation until it is done, as the lifecycle does. Fails after many steps. */
    until: async (operation: Operation): Promise<StepResult> => {
      let last: StepResult | Error | undefined
      for (let count = 0; count < 30; count++) {
        last = await step(operation)
        if (!(last instanceof Error) && last.kind === 'done') return last
        await clock.advance(last instanceof Error ? 30_000 : last.afterMs)
      }
      throw new Error('not done after 30 steps', { cause: last })
    },
  }
}
