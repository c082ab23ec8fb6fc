import type { AwsSide } from '../../../sandbox/providers/aws/simulation/aws-side.ts'
import { broken, type World } from '../../../sandbox/simulation/simulation.ts'
import type { LifePlan, Trouble } from './plan-life.ts'

const troublesOf = ({ events }: LifePlan): readonly Trouble[] =>
  events.flatMap(event => (event.kind === 'act' ? (event.with ?? []) : [event]))

/** AWS may still show what the predecessor of an object has deleted. */
const isCreatedAgain = ({ events }: LifePlan): boolean => {
  const acts = events.filter(event => event.kind === 'act')
  return acts.some(
    ({ do: what, part }, index) =>
      what === 'delete' && acts.slice(index + 1).some(next => next.part === part),
  )
}

/** Returns true if nothing in a life can fail. */
const isKind = (plan: LifePlan): boolean =>
  !plan.hasOthers &&
  plan.hostility.stuck === undefined &&
  !plan.hostility.pages?.omitted &&
  (plan.hostility.lagMs === 0 || !isCreatedAgain(plan)) &&
  troublesOf(plan).length === 0 &&
  plan.events.every(event => event.kind === 'act' && !/^(?:delete by force|accident)$/.test(event.do))

/** A user enables dual stack in a VPC that cannot have it, or removes a zone. */
const ofUsers = /: expected a VPC with an associated IPv6 CIDR, found none in vpc-|: zones cannot be removed$/

/** Gardener gives up after these codes, so only what lasts may cause them (docs/contract/lifecycle.md). */
const final = ['ERR_INFRA_QUOTA_EXCEEDED', 'ERR_INFRA_UNAUTHENTICATED', 'ERR_INFRA_UNAUTHORIZED'] as const

/** Returns the codes for which a life has no cause. Each user has valid keys and all quotas. */
const causeless = (plan: LifePlan): readonly string[] =>
  troublesOf(plan).some(
    one =>
      one.kind === 'input' ||
      (one.kind === 'window' && one.fault === 'denied') ||
      (one.kind === 'part refused' && one.isDenied),
  ) || plan.events.some(event => event.kind === 'act' && event.do === 'delete by force')
    ? final.slice(0, 1)
    : final

/** The longest time without an error, a success or a new request, in ms: longer than each limit of a wait. */
const longestMs = 24 * 60_000

/**
 * Watches the errors of a life: none without a cause, and one for each operation that does not end. Returns a sentence
 * for each problem.
 */
export const watchErrors = ({ first, clock }: World<AwsSide>, plan: LifePlan): (() => readonly string[]) => {
  const errors = new Set<string>()
  const kind = isKind(plan)
  const never = causeless(plan)
  const since = new Map<string, { readonly time: number; readonly of: string }>()
  first.server.store.subscribe((resource, { type, key, entry: { object } }) => {
    if (!resource.endsWith('.extensions.gardener.cloud')) return
    const { lastOperation, lastError } = Object(object.status)
    const id = `${resource} ${key}`
    const isError = lastOperation?.state === 'Error'
    if (kind && isError && !ofUsers.test(lastError?.description))
      errors.add(broken('no error without a cause', `${id}: ${lastError?.description}`))
    const codes: readonly string[] = isError ? (lastError?.codes ?? []) : []
    for (const code of codes)
      if (never.includes(code))
        errors.add(broken('no error without a cause', `${id}: ${code}: ${lastError?.description}`))
    const { generation, deletionTimestamp, annotations } = object.metadata
    const of = JSON.stringify([generation, deletionTimestamp, annotations?.['gardener.cloud/timestamp']])
    const before = since.get(id)
    // A Bastion waits with a reason until its user gives up.
    const isLimited = object.kind === 'Infrastructure' && lastOperation?.state === 'Processing'
    if (type === 'DELETED' || !isLimited) since.delete(id)
    else if (before?.of !== of) since.set(id, { time: clock.now(), of })
    else if (clock.now() - before.time > longestMs)
      errors.add(
        broken(
          'every wait has a reason, every operation an end',
          `${id} is in Processing for ${longestMs / 60_000} minutes without an error: ${lastOperation.description}`,
        ),
      )
  })
  return () => [...errors].slice(0, 4)
}
