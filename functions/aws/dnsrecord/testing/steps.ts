import { type VirtualClock, virtualClock } from '../../../../shared/clock/clock.ts'
import type { DNSRecord } from '../../../../shared/contract/objects.ts'
import type { Secret, StepContext, StepResult } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'
import { connectionOver, notedLog, secretAccessKey, stepContext } from '../../testing/actuator-steps.ts'
import { dnsRecordActuator } from '../actuator.ts'

export interface RecordParts {
  readonly spec?: Partial<DNSRecord['spec']>
  readonly statusZone?: string
  readonly ipStack?: string
}

/** A DNSRecord `A api.example.com 1.2.3.4`, with the changes of a test. */
export const recordOf = ({ spec, statusZone, ipStack }: RecordParts = {}): DNSRecord => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'DNSRecord',
  metadata: {
    name: 'api',
    namespace: 'shoot--foo--bar',
    ...(ipStack !== undefined && { annotations: { 'dns.gardener.cloud/ip-stack': ipStack } }),
  },
  spec: {
    type: 'aws-route53',
    name: 'api.example.com',
    recordType: 'A',
    values: ['1.2.3.4'],
    secretRef: { name: 'dns', namespace: 'shoot--foo--bar' },
    ...spec,
  },
  ...(statusZone !== undefined && { status: { zone: statusZone } }),
})

export { secretAccessKey }

export const accessKey = { accessKeyID: 'AKIAEXAMPLE', secretAccessKey }

export interface RecordStepOptions {
  readonly secret?: Readonly<Record<string, string>>
  readonly throwIfExpired?: () => void
  readonly signal?: AbortSignal
  readonly resumed?: boolean
}

/** An actuator over a (simulated) AWS, and steps for it. */
export const stepsOver = (
  requestHandler: AwsRequestHandler,
  route53PerSecond?: number,
  clock: VirtualClock = virtualClock(Date.parse('2026-11-21T00:00:00Z')),
) => {
  const { lines, log } = notedLog()
  const actuator = dnsRecordActuator({
    connection: { ...connectionOver(requestHandler, {}, 3), route53PerSecond },
    clock,
  })
  const stepOf = (object: DNSRecord, options: RecordStepOptions): StepContext<DNSRecord> => {
    const secret: Secret = {
      name: 'dns',
      namespace: 'shoot--foo--bar',
      labels: {},
      data: options.secret ?? accessKey,
    }
    return stepContext<DNSRecord>({
      object,
      resumed: options.resumed ?? false,
      secret,
      ...(options.signal && { signal: options.signal }),
      ...(options.throwIfExpired && { throwIfExpired: options.throwIfExpired }),
      clock,
      log,
    })
  }
  return {
    clock,
    /** All log lines. */
    lines,
    /** Runs the check first, as the lifecycle does. */
    reconcile: async (object: DNSRecord, options: RecordStepOptions = {}): Promise<StepResult> => {
      const step = stepOf(object, options)
      await actuator.check?.(step)
      return actuator.reconcile(step)
    },
    remove: (object: DNSRecord, options: RecordStepOptions = {}): Promise<StepResult> =>
      actuator.remove(stepOf(object, options)),
    /** `secret` null: no Secret exists. */
    forceRemove: async (
      object: DNSRecord,
      {
        secret,
        ...options
      }: Omit<RecordStepOptions, 'secret'> & { readonly secret?: RecordStepOptions['secret'] | null } = {},
    ): Promise<StepResult> => {
      const step = stepOf(object, { ...options, ...(secret && { secret }) })
      if (actuator.forceRemove === undefined) throw new Error('a forced deletion does nothing')
      return actuator.forceRemove({
        ...step,
        secret: undefined,
        findSecret: async () => (secret === null ? undefined : step.secret),
      })
    },
  }
}

/** Returns the error of a rejected promise. Fails if it is fulfilled. */
export const failureOf = async (promise: Promise<unknown>): Promise<Error & { readonly codes?: unknown }> => {
  try {
    await promise
  } catch (error) {
    if (error instanceof Error) return error
    throw new Error(`no error was thrown, but ${String(error)}`)
  }
  throw new Error('it did not fail')
}

/** Advances the clock until the promise completes. */
export const passing = async <T>(clock: VirtualClock, promise: Promise<T>): Promise<T> => {
  let isOver = false
  const end = () => {
    isOver = true
  }
  promise.then(end, end)
  while (!isOver) await clock.advance(50)
  return promise
}
