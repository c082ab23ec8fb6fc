import { findFunctions } from '../../functions/find-functions.ts'
import { addHostedZone } from '../../sandbox/aws/route53/inventory.ts'
import { scaledServices } from '../../sandbox/aws/services.ts'
import { createAws } from '../../sandbox/aws/simulator.ts'
import { type Seed, type SeedEvent, type SeedOptions, startSeed } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { UsageError } from '../exit-code.ts'

export interface SandboxOptions {
  readonly kubernetesPort?: number
  readonly awsPort?: number
  readonly idleMs: number
  /** Factor on AWS's durations; a hundredth when absent. */
  readonly scale?: number
  /** How functions are started; absent: in this process. */
  readonly startFunction?: NonNullable<SeedOptions['startFunction']>
  readonly observe: (event: SeedEvent) => void
}

export interface Sandbox extends Seed {
  /** The hosted zone that the account owns. */
  readonly zone: { readonly id: string; readonly name: string }
}

/** What the sandbox's account owns. RFC 2606 keeps the domain for examples. */
const zone = { name: 'example.com', id: 'Z0SANDBOXEXAMPLECOM' } as const

/** Settings of functions whose AWS takes so much of AWS's time. Looking for something takes a while itself. */
export const sandboxSettings = (scale: number) => ({
  clientQps: 1_000,
  clientBurst: 1_000,
  waitScale: Math.min(1, Math.max(0.001, 2 * scale)),
})

/**
 * Starts a seed with all functions and an AWS account that owns `example.com`. Route 53's rate limit is lifted: it is
 * there to spare a real account.
 */
export const startSandbox = async ({ scale = 0.01, ...options }: SandboxOptions): Promise<Sandbox> => {
  try {
    const seed = await startSeed({
      ...options,
      functions: await findFunctions(),
      clock: systemClock,
      aws: createAws({ clock: systemClock, ...scaledServices(scale) }),
      functionSettings: sandboxSettings(scale),
    })
    addHostedZone(seed.aws.account(), zone)
    return { ...seed, zone }
  } catch (error) {
    throw portInUse(error, options) ?? error
  }
}

const portInUse = (error: unknown, { kubernetesPort, awsPort }: SandboxOptions): UsageError | undefined => {
  const { code, port } = error as { readonly code?: string; readonly port?: number }
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return undefined
  const flag = port === kubernetesPort ? '--kubernetes-port' : port === awsPort ? '--aws-port' : undefined
  if (flag === undefined) return undefined
  return new UsageError(
    `port ${port} is ${code === 'EACCES' ? 'not allowed' : 'taken'}; give another one with ${flag}`,
  )
}
