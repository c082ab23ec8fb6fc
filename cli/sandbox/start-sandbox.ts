import { functions } from '../../functions/registry.ts'
import { addHostedZone } from '../../sandbox/aws/route53/inventory.ts'
import { type Seed, type SeedEvent, startSeed } from '../../sandbox/seed/seed.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { UsageError } from '../exit-code.ts'

export interface SandboxOptions {
  readonly kubernetesPort?: number
  readonly awsPort?: number
  readonly idleMs: number
  readonly observe: (event: SeedEvent) => void
}

export interface Sandbox extends Seed {
  /** The hosted zone that the account owns. */
  readonly zone: { readonly id: string; readonly name: string }
}

/** What the sandbox's account owns. RFC 2606 keeps the domain for examples. */
const zone = { name: 'example.com', id: 'Z0SANDBOXEXAMPLECOM' } as const

/**
 * Starts a seed with all functions and an AWS account that owns `example.com`. Route 53's rate limit is lifted: it is
 * there to spare a real account.
 */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  try {
    const seed = await startSeed({
      ...options,
      functions,
      clock: systemClock,
      // The simulated AWS takes a hundredth of AWS's time.
      functionSettings: { clientQps: 1_000, clientBurst: 1_000, waitScale: 0.02 },
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
