import { findProviders } from '../../sandbox/providers/find-providers.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { clusterKind } from '../../shared/contract/kinds.ts'
import { recordOf, stringOf } from '../../shared/decode/record-of.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { credentialsRefOf, readSecret } from '../../shared/lifecycle/lifecycle.ts'
import { cutText } from '../../shared/text/cut-text.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { printable } from '../../shared/text/printable.ts'
import { durationText, inGardenersOrder, pathOf } from '../observe/observe.ts'
import { connectOnce, type PlanReading, planOne } from '../plan/plan-one.ts'
import { plannedKindOrThrow, plannedKindsOf, plannerFor } from '../plan/planned-kinds.ts'
import { providerPlanners } from '../plan/planner.ts'
import { progressLine, type SurveyGiven, type SurveyOptions, surveySeed } from '../survey/survey.ts'
import { actionLine, type DecidedAction, decideAction } from './decide-action.ts'
import { type ActionOptions, reasonOf, writeAll } from './prepare-action.ts'
import { type ActionSurroundings, askAndWrite } from './run-action.ts'
import { viewOf } from './target.ts'
import { userOf } from './write-action.ts'

export interface AccountSurroundings
  extends Omit<ActionSurroundings, 'kubernetes' | 'clock'>,
    Pick<PlanReading, 'planned' | 'connect' | 'env'>,
    Pick<SurveyOptions<unknown>, 'kubernetes' | 'clock' | 'onProgress'> {}

/** Runs `trellis reconcile --account` with the clouds of all providers. */
export const runAccount = async (
  account: string,
  {
    endpoint,
    ...options
  }: Pick<ActionOptions, 'kinds' | 'reason'> & { readonly endpoint?: string | undefined },
  surroundings: Omit<AccountSurroundings, 'planned' | 'connect' | 'env' | 'onProgress'>,
): Promise<0 | 1 | 2> => {
  const line = progressLine(process.stderr, systemClock)
  return reconcileAccount(account, options, {
    ...surroundings,
    planned: plannedKindsOf((await findProviders()).flatMap(providerPlanners)),
    ...{ connect: connectOnce({ endpoint }), env: process.env, onProgress: line.show },
    print: text => {
      line.clear()
      surroundings.print(text)
    },
  }).finally(line.clear)
}

/** An object of the account. `plan`: of its next reconcile, for readers. */
interface AccountObject extends DecidedAction {
  readonly again: (object: KubernetesObject) => DecidedAction
  readonly plan?: string
  /** The reason why its plan is not known. It is not written. */
  readonly unknown?: string
}

/** A seed shares the rate of an account with its other work. */
const betweenMs = 1_000

/**
 * Reconciles all objects with credentials of an account: prints the plan of each, asks, and annotates them, one each
 * second. Objects without a known plan are not written. Returns the exit code.
 */
export const reconcileAccount = async (
  account: string,
  options: Pick<ActionOptions, 'kinds' | 'reason'>,
  surroundings: AccountSurroundings,
): Promise<0 | 1 | 2> => {
  const { kubernetes, clock, planned, print, signal, onProgress } = surroundings
  const began = clock.now()
  // Each plan has a limit of its own.
  const whole = new AbortController()
  const accountsOf = accountReader(surroundings)
  const others = new Set<string>()
  const survey = await surveySeed<AccountObject | undefined>({
    ...{ kubernetes, clock, planned, signal: whole.signal, plansUnsettled: true },
    ...(options.kinds && { kinds: options.kinds.map(name => plannedKindOrThrow(name, planned, '--kind')) }),
    ...(onProgress && { onProgress }),
    plan: async (object, given) => {
      const accounts = await accountsOf(object, given)
      for (const one of accounts) others.add(one)
      return accounts.includes(account) ? accountObject(object, given, surroundings) : undefined
    },
  })
  const found: AccountObject[] = []
  const problems = survey.missing.map(text => `? not read: ${text}`)
  for await (const { objects } of survey.results()) {
    for (const { kind, namespace, name, outcome } of objects) {
      if (outcome.kind === 'planned' && outcome.plan !== undefined) found.push(outcome.plan)
      if (outcome.kind !== 'failed') continue
      const path = pathOf({ kind, metadata: { name, ...(namespace !== undefined && { namespace }) } })
      problems.push(`? ${path}: not known if it is of this account: ${outcome.error}`)
    }
  }
  if (found.length + problems.length === 0)
    throw new UsageError(
      `--account: no object has credentials of ${printable(account)}. The objects have those of ${cutText([...others].sort().map(printable).join(', ') || 'none', 500)}`,
    )
  for (const one of found) print(textOf(one))
  for (const problem of problems) print(`${printable(problem)}\n`)
  const writes = found.filter(
    ({ annotations, unknown }) => annotations !== undefined && unknown === undefined,
  )
  const order = inGardenersOrder(
    writes.map(({ object }) => object),
    false,
  )
  const seconds = durationText(writes.length * betweenMs)
  print(
    `${found.length} object${found.length === 1 ? '' : 's'} of account ${printable(account)}, ${writes.length} to reconcile. The plans took ${durationText(clock.now() - began)}; the requests take ${seconds}, one each second, and each step as long as its cloud.\n`,
  )
  const user = printable(await userOf(kubernetes, surroundings.user, signal()))
  const sorted = writes.toSorted((one, other) => order.indexOf(one.object) - order.indexOf(other.object))
  const pace = async () => clock.sleep(betweenMs, whole.signal)
  const by = { action: 'reconcile', user, reason: reasonOf(options), pace } as const
  const isUnread = problems.length > 0 || found.some(({ unknown }) => unknown !== undefined)
  return askAndWrite(
    'reconcile',
    { user, writes: sorted.length, isUnread, write: written => writeAll(sorted, by, surroundings, written) },
    surroundings,
  )
}

/** Asks the cloud once for each Secret. */
const accountReader = ({ planned, connect, clock }: AccountSurroundings) => {
  const known = new Map<string, Promise<readonly string[]>>()
  return async (
    object: KubernetesObject,
    { kubernetes, signal }: SurveyGiven,
  ): Promise<readonly string[]> => {
    const kind = planned.find(one => one.kind === object.kind)
    const planner = kind && plannerFor(object, kind)
    const ref = credentialsRefOf(object)
    if (planner?.accounts === undefined || ref === undefined) return []
    const { accounts } = planner
    const key = `${ref.namespace}/${ref.name}`
    const read = async () => {
      const [secret, connection] = await Promise.all([readSecret(kubernetes, ref, signal), connect(planner)])
      const region = stringOf(recordOf(object.spec).region) || undefined
      return accounts({ secret, connection, clock, region, signal })
    }
    const reading = known.get(key) ?? read()
    known.set(key, reading)
    reading.catch(() => known.delete(key))
    return reading
  }
}

const accountObject = async (
  object: KubernetesObject,
  { kubernetes, signal }: { readonly kubernetes: Kubernetes; readonly signal: AbortSignal },
  { clock, planned, connect, env }: AccountSurroundings,
): Promise<AccountObject> => {
  const { namespace } = object.metadata
  const cluster =
    namespace === undefined
      ? undefined
      : await kubernetes.get(clusterKind.resource, { name: namespace }, { signal })
  const view = viewOf(object, cluster, clock)
  const again = (live: KubernetesObject) => decideAction('reconcile', live, view, undefined)
  const decided = { ...again(object), again }
  if (decided.annotations === undefined) return decided
  try {
    const { plan } = await planOne(object, { planned, connect, env, kubernetes, signal })
    return { ...decided, plan: plan.differs ? plan.text((_, text) => text) : '' }
  } catch (error) {
    signal.throwIfAborted()
    return { ...decided, unknown: messageOf(error) }
  }
}

const textOf = (one: AccountObject): string => {
  const { object, plan, unknown } = one
  if (unknown !== undefined)
    return printable(`? ${pathOf(object)}: not known, so it is not reconciled: ${unknown}`).concat('\n')
  const line = printable(actionLine(one))
  if (plan === undefined) return `${line}\n`
  return plan === ''
    ? `${line}: changes nothing\n`
    : `${line}:\n${plan.trimEnd().replaceAll(/^(?=.)/gm, '    ')}\n`
}
