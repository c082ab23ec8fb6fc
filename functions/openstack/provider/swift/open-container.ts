import type { Clock } from '../../../../shared/clock/clock.ts'
import { configurationProblem } from '../../../../shared/contract/errors.ts'
import { formatProblems } from '../../../../shared/decode/problems.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import {
  type AccessRequest,
  createAccess,
  type OpenStackConnection,
  readCredentials,
} from '../../../../terraform-free-infra/openstack/account/openstack.ts'
import { containerNameProblems, containerOver, type SwiftContainer } from './container.ts'

export interface SwiftOptions {
  readonly connection: OpenStackConnection
  readonly clock: Clock
}

type ContainerStep = Pick<AccessRequest, 'secret' | 'signal' | 'throwIfExpired'>

/** Returns the container of an object, with the credentials of its step. Its calls reach no other container. */
export type OpenContainer = (name: string, region: string, step: ContainerStep) => SwiftContainer

/** Creates the `OpenContainer` of a process. */
export const createOpenContainer = ({ connection, clock }: SwiftOptions): OpenContainer => {
  const open = createAccess(connection, clock)
  return (name, region, { secret, signal, throwIfExpired }) =>
    containerOver(open({ secret, region, signal, throwIfExpired }), name)
}

/** Checks the name of a container and the Secret for it, without a call. Throws a `CodedError`. */
export const checkContainer = (path: string, name: string, secret: Secret | undefined): void => {
  const problems = containerNameProblems(path, name)
  if (problems.length > 0) throw configurationProblem(formatProblems(problems))
  if (secret !== undefined) readCredentials(secret)
}

/** Returns the Knative Service settings of a function that deletes objects, with at most this many processes. */
export const swiftService = (most: number) => ({
  reaches: ['public-networks' as const, 'private-networks' as const],
  maxScale: {
    value: most,
    why: "Swift's database of a container takes one change at a time: more processes would not delete faster.",
  },
  concurrency: {
    value: 20,
    why: 'Steps wait for Swift most of the time, but a deletion holds a thousand names in memory.',
  },
})
