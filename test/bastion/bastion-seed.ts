import { EC2Client } from '@aws-sdk/client-ec2'
import { definition as bastion } from '../../functions/aws/bastion/function.ts'
import { definition as infrastructure } from '../../functions/aws/infrastructure/function.ts'
import { isRead, operatorCredentials } from '../../sandbox/providers/aws/simulator/aws.ts'
import { shuffledAws } from '../../sandbox/providers/aws/simulator/testing/shuffled-aws.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import type { Bastion } from '../../shared/contract/objects.ts'
import { exampleObjects, startRunningSeed } from '../running-seed.ts'

type Kind = 'Infrastructure' | 'Bastion'

export const namespace = 'shoot--garden--one-zone'

/**
 * Starts a seed with both functions, realistic AWS delays, and the example shoot: its infrastructure and its bastion.
 */
export const startBastionSeed = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const real = { durations: { scale: 1 } }
  const aws = shuffledAws({ clock, ec2: real, iam: real })
  const seed = await startRunningSeed({
    functions: [
      { ...infrastructure, file: 'functions/aws/infrastructure/function.ts' },
      { ...bastion, file: 'functions/aws/bastion/function.ts' },
    ],
    kinds: ['Infrastructure', 'Bastion'],
    clock,
    aws,
  })
  /** The only object of a kind. Tests read only the common fields of an Infrastructure. */
  const only = (kind: Kind) => seed.all<Bastion>(kind)[0]
  const object = (kind: Kind): Bastion => {
    const found = only(kind)
    if (found === undefined) throw new Error(`there is no ${kind}`)
    return found
  }
  const key = (kind: Kind) => ({ name: object(kind).metadata.name, namespace })
  const untilReady = async (kind: Kind): Promise<Bastion> => {
    await seed.until(`a ${kind}`, () => only(kind))
    await seed.untilReady(kind, object(kind).metadata.name)
    return object(kind)
  }
  const example = 'infrastructure/one-zone.yaml'
  return {
    aws,
    clock,
    /** Access to the account from outside. The clock stands still meanwhile. */
    ec2: new EC2Client({
      region: 'eu-west-1',
      credentials: operatorCredentials,
      requestHandler: aws.requestHandler,
    }),
    object,
    untilReady,
    until: (what: string, holds: () => boolean) => seed.until(what, () => holds() || undefined),
    makeInfrastructure: async () => {
      await seed.create(...(await exampleObjects(example)))
      return untilReady('Infrastructure')
    },
    /** Recreates the infrastructure after its removal. */
    makeInfrastructureAgain: async () => {
      await seed.create(...(await exampleObjects(example)).filter(({ kind }) => kind === 'Infrastructure'))
      return untilReady('Infrastructure')
    },
    createBastion: async () => seed.create(...(await exampleObjects('bastion/one-zone.yaml'))),
    isThere: (kind: Kind) => only(kind) !== undefined,
    /** Requests another reconcile. Returns the AWS writes during it. */
    reconcile: async (kind: Kind, spec: object = {}): Promise<readonly string[]> => {
      aws.calls.clear()
      await seed.ask(kind, key(kind), 'reconcile', { spec })
      await untilReady(kind)
      return aws.calls
        .all()
        .filter(call => !isRead(call))
        .map(({ action }) => action)
    },
    remove: async (kind: Kind, more: Readonly<Record<string, string>> = {}) => {
      aws.calls.clear()
      const { name } = key(kind)
      await seed.remove(kind, key(kind), more)
      await seed.untilGone(kind, name)
    },
    close: seed.close,
  }
}
