import { createSteppedSeed, type SteppedSeedOptions } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import { kinds } from '../../../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { CloudRequest, FunctionDefinition } from '../../../../shared/runtime/runtime.ts'
import {
  connectionOf,
  type OpenStackConnection,
} from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import { realTime } from './real-time.ts'

/** An object with the fields of its status that every kind has. */
export interface LiveObject extends KubernetesObject {
  readonly status?: {
    readonly lastOperation?: { readonly state: string; readonly description: string }
    readonly lastError?: { readonly description: string; readonly codes?: readonly string[] }
    readonly providerStatus?: unknown
    readonly state?: { readonly data?: Readonly<Record<string, string>> }
    readonly egressCIDRs?: readonly string[]
    readonly networking?: unknown
    readonly zone?: string
  }
}

/** One operation of an object, from the request to its end, and its cost. */
export interface LedOperation {
  readonly calls: readonly CloudRequest[]
  /** The calls that may have changed something, without logins. */
  readonly writes: readonly string[]
  readonly wallMs: number
  /** CPU of this process: of the function and of the small seed around it. */
  readonly cpuMs: number
  /** Undefined: it is gone. */
  readonly object: LiveObject | undefined
}

export interface LifeOptions extends Pick<SteppedSeedOptions, 'objects' | 'settings'> {
  readonly definition: FunctionDefinition
  readonly object: KubernetesObject
  /** Between the function and the servers. */
  readonly through?: (connection: OpenStackConnection) => OpenStackConnection
}

export type Life = ReturnType<typeof beginLife>

/** The life of one object whose function calls real servers. Each operation ends with success, an error, or nothing left. */
export const beginLife = ({
  definition,
  object,
  through = connection => connection,
  ...options
}: LifeOptions) => {
  const { clock, jumping } = realTime()
  let calls: CloudRequest[] = []
  const connection = through(connectionOf({ onRequest: request => void calls.push(request) }))
  const seed = createSteppedSeed({ definition, connection, clock, waits: 'advance', ...options })
  const { name, namespace } = object.metadata
  const one = seed.object({ name, ...(namespace !== undefined && { namespace }) })
  const live = async () => (await one.live()) as LiveObject | undefined

  const lead = async (ask: () => Promise<unknown>): Promise<LedOperation> => {
    await jumping(ask)
    calls = []
    const began = performance.now()
    const cpu = process.cpuUsage()
    // An error is retried in 30 s at the earliest.
    await one.run({ longestPauseMs: 20_000, until: hasFailed })
    const { user, system } = process.cpuUsage(cpu)
    return {
      calls,
      writes: calls
        .filter(({ write, service }) => write && service !== 'identity')
        .map(({ service, operation }) => `${service} ${operation}`),
      wallMs: performance.now() - began,
      cpuMs: (user + system) / 1_000,
      object: await live(),
    }
  }

  return {
    kubernetes: seed.kubernetes,
    live,
    create: (operation = 'reconcile') => lead(() => one.create(object, operation)),
    ask: (operation: string, patch?: object) => lead(() => one.ask(operation, patch)),
    idle: () => lead(() => one.ask('reconcile')),
    remove: () => lead(() => one.delete()),
    /** Continues after an error. */
    again: () => lead(async () => {}),
    patchStatus: (status: object) =>
      seed.kubernetes.patch(
        kinds[definition.kind].resource,
        { name, ...(namespace !== undefined && { namespace }) },
        { status },
        {
          subresource: 'status',
        },
      ),
    lines: seed.lines,
    close: seed.close,
  }
}

const hasFailed = (object: KubernetesObject | undefined): boolean =>
  ['Error', 'Failed'].includes((object as LiveObject | undefined)?.status?.lastOperation?.state ?? '')

/** Throws an error with the object's last error if the operation has not succeeded. */
export const succeeded = (led: LedOperation): LiveObject => {
  const { object } = led
  if (object?.status?.lastOperation?.state === 'Succeeded') return object
  throw new Error(
    `expected success: ${JSON.stringify(object?.status?.lastOperation)} ${JSON.stringify(object?.status?.lastError)}`,
  )
}

/** The data of a Secret for a user whose password is known, in base64. */
export const secretObject = (
  key: { readonly name: string; readonly namespace: string },
  data: Readonly<Record<string, string>>,
): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: key,
  ...{
    data: Object.fromEntries(
      Object.entries(data).map(([field, text]) => [field, Buffer.from(text).toString('base64')]),
    ),
  },
})
