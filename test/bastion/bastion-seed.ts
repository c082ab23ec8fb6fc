import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { EC2Client } from '@aws-sdk/client-ec2'
import { readObjects } from '../../cli/plan/read-objects.ts'
import { definition as bastion } from '../../functions/aws/bastion/function.ts'
import { definition as infrastructure } from '../../functions/aws/infrastructure/function.ts'
import {
  createAws,
  isRead,
  operatorCredentials,
  simulatedAws,
} from '../../sandbox/providers/aws/simulator/aws.ts'
import { startSeed } from '../../sandbox/seed/seed.ts'
import { virtualClock } from '../../shared/clock/clock.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import type { Bastion } from '../../shared/contract/objects.ts'
import type { GroupVersionResource, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork, secrets } from '../../shared/lifecycle/lifecycle.ts'
import { isReady } from '../e2e/harness.ts'
import { stillnessOn } from '../infrastructure/passing-time.ts'

type Kind = 'Infrastructure' | 'Bastion'

const resources: Readonly<Record<string, GroupVersionResource>> = {
  Namespace: { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
  Secret: secrets,
  Cluster: clusterKind.resource,
  Infrastructure: kinds.Infrastructure.resource,
  Bastion: kinds.Bastion.resource,
}

export const namespace = 'shoot--garden--one-zone'

const exampleObjects = async (file: string): Promise<readonly KubernetesObject[]> => {
  const text = await readFile(new URL(`../../examples/${file}`, import.meta.url), 'utf8')
  return readObjects('-', Readable.from([text]))
}

const isInfrastructure = ({ kind }: KubernetesObject): boolean => kind === 'Infrastructure'

/**
 * Starts a seed with both functions behind bridge and broker, realistic AWS delays, and gardenlet's actions for the
 * example shoot: its infrastructure and its bastion.
 */
export const startBastionSeed = async () => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const real = { durations: { scale: 1 } }
  const aws = createAws({ clock, ec2: real, iam: real })
  const live = new Map<string, Bastion>()
  const stillness = stillnessOn(clock, () => JSON.stringify([...live.values()].map(({ status }) => status)))
  const requestHandler = stillness.watch(aws.requestHandler)
  const checks = new Set<() => void>()
  const seed = await startSeed({
    functions: [
      { ...infrastructure, file: 'functions/aws/infrastructure/function.ts' },
      { ...bastion, file: 'functions/aws/bastion/function.ts' },
    ],
    kinds: ['Infrastructure', 'Bastion'],
    clock,
    clouds: { aws: simulatedAws({ ...aws, requestHandler }) },
    observe: event => {
      stillness.note()
      if (event.part !== 'object') return
      const { kind } = event.object
      if (kind !== 'Infrastructure' && kind !== 'Bastion') return
      if (event.deleted) live.delete(kind)
      // Tests read only the common fields of an Infrastructure.
      else live.set(kind, event.object as Bastion)
      for (const check of checks) check()
    },
  })
  const until = (what: string, holds: () => boolean): Promise<void> => {
    const held = new Promise<void>((resolve, reject) => {
      const check = () => {
        try {
          if (!holds()) return
          resolve()
        } catch (error) {
          reject(error)
        }
        checks.delete(check)
      }
      checks.add(check)
      check()
    })
    return stillness.pass(what, held)
  }
  const object = (kind: Kind): Bastion => {
    const found = live.get(kind)
    if (found === undefined) throw new Error(`there is no ${kind}`)
    return found
  }
  const untilReady = async (kind: Kind): Promise<Bastion> => {
    await until(`the ${kind} to be ready`, () => {
      const found = live.get(kind)
      if (found?.status?.lastError) throw new Error(found.status.lastError.description)
      return (
        found !== undefined &&
        dueWork(kind, found, clock.now()).kind === 'none' &&
        isReady(found as Parameters<typeof isReady>[0])
      )
    })
    return object(kind)
  }
  const timestamp = () => new Date(clock.now()).toISOString().replace('Z', '000001Z')
  const patch = (kind: Kind, body: object) => {
    const { name } = object(kind).metadata
    return stillness.pass('a patch', seed.kubernetes.patch(kinds[kind].resource, { name, namespace }, body))
  }
  const create = async (objects: readonly KubernetesObject[]): Promise<void> => {
    for (const made of objects) {
      const resource = resources[made.kind]
      if (resource === undefined) throw new Error(`an example holds a ${made.kind}`)
      await stillness.pass('a create', seed.kubernetes.create(resource, made))
    }
  }
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
    until,
    makeInfrastructure: async () => {
      await create(await exampleObjects('infrastructure/one-zone.yaml'))
      return untilReady('Infrastructure')
    },
    /** Recreates the infrastructure after its removal. */
    makeInfrastructureAgain: async () => {
      await create((await exampleObjects('infrastructure/one-zone.yaml')).filter(isInfrastructure))
      return untilReady('Infrastructure')
    },
    createBastion: async () => create(await exampleObjects('bastion/one-zone.yaml')),
    isThere: (kind: Kind) => live.has(kind),
    /** Requests another reconcile. Returns the AWS writes during it. */
    reconcile: async (kind: Kind, spec: object = {}): Promise<readonly string[]> => {
      aws.calls.clear()
      await patch(kind, {
        metadata: {
          annotations: { [annotations.operation]: 'reconcile', [annotations.timestamp]: timestamp() },
        },
        spec,
      })
      await untilReady(kind)
      return aws.calls
        .all()
        .filter(call => !isRead(call))
        .map(({ action }) => action)
    },
    remove: async (kind: Kind, more: Readonly<Record<string, string>> = {}) => {
      aws.calls.clear()
      await patch(kind, {
        metadata: {
          annotations: {
            ...more,
            [annotations.deletionConfirmation]: 'true',
            [annotations.timestamp]: timestamp(),
          },
        },
      })
      const { name } = object(kind).metadata
      await stillness.pass('a deletion', seed.kubernetes.delete(kinds[kind].resource, { name, namespace }))
      await until(`the ${kind} to be gone`, () => !live.has(kind))
    },
    close: seed.close,
  }
}
