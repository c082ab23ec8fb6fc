import { UnknownStateError, UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import { recordOf } from '../../shared/decode/record-of.ts'
import {
  type ClusterAccess,
  createKubernetes,
  hasStatus,
  httpTransport,
  type Kubernetes,
  type Transport,
} from '../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import { routedTypes } from '../../shared/secondary/secondary.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import type { WebhookDefinition } from '../../shared/webhooks/admission/admission.ts'
import { environmentOf } from './bridge-facts.ts'
import { type AskedRight, type CheckedSeed, type ExpectedRight, objectsOf } from './checked-seed.ts'
import { parsePrograms } from './deployed-functions.ts'
import { expectedRights } from './expected-rights.ts'
import { reachServer } from './reach-server.ts'
import { inParallel, readSeed } from './read-seed.ts'
import { type SeedRead, seedReads } from './reads.ts'
import { type AreaReport, runChecks } from './run-checks.ts'
import { targetOf } from './trigger-target.ts'
import { wakeFunctions } from './wake-functions.ts'

export interface ExamineOptions {
  readonly transport: Transport
  /** For messages. */
  readonly server: string
  readonly clock: Clock
  /** The version of this command. */
  readonly version: string
  /** The namespace of Trellis. Default: the namespace with Triggers of its functions. */
  readonly namespace: string | undefined
  /** All functions of this version. */
  readonly functions: readonly FunctionDefinition[]
  readonly webhooks: readonly WebhookDefinition[]
  /** Sends a test event to each function without pods. Default: false. */
  readonly wake?: boolean
  readonly signal: AbortSignal
}

/** The namespace in `make manifests`; gardenlet chooses a different one. */
const usualNamespace = 'trellis'

/**
 * Reads a seed once and returns a report. Throws an `UnreachableError` if the API server does not answer, and a
 * `UsageError` if the namespace of Trellis is ambiguous. Changes nothing.
 */
export const examineSeed = async (options: ExamineOptions): Promise<readonly AreaReport[]> => {
  const { transport, clock, version, functions, webhooks, signal } = options
  const server = await reachServer(options, signal)
  const kubernetes = createKubernetes({ transport, clock })
  const found =
    options.namespace === undefined
      ? await findNamespace(kubernetes, functions, signal)
      : { namespace: options.namespace }
  const { namespace } = found
  const reads = await readSeed({ kubernetes, namespace, signal })
  if (found.guessed !== undefined && isEmpty(reads))
    throw new UnknownStateError(
      `cannot find the namespace of Trellis: ${found.guessed}, and ${namespace} has nothing of it. Choose it with --namespace`,
    )
  const rights = await askRights(
    kubernetes,
    namespace,
    expectedRights({ namespace, reads }, functions, webhooks),
    signal,
  )
  const checked = functions.map(one => ({ ...one, types: routedTypes(one) }))
  const facts: CheckedSeed = { version, namespace, server, reads, rights, functions: checked }
  if (options.wake !== true) return runChecks(facts)
  const woken = await wakeFunctions(facts, { kubernetes, transport, clock, signal })
  return runChecks({ ...facts, woken })
}

/** Returns true if the namespace was read and has nothing of an installation. */
const isEmpty = (reads: CheckedSeed['reads']): boolean =>
  reads.deployments.kind === 'objects' &&
  objectsOf({ reads }, 'deployments').length === 0 &&
  objectsOf({ reads }, 'triggers').length === 0

interface FoundNamespace {
  readonly namespace: string
  /** Why the search could not see everything. */
  readonly guessed?: string
}

/**
 * Returns the namespace with Triggers of known functions, or with a seed process; the default one if there are none, or
 * if they cannot be read.
 */
const findNamespace = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  functions: readonly FunctionDefinition[],
  signal: AbortSignal,
): Promise<FoundNamespace> => {
  const refused: string[] = []
  const names = new Set(functions.map(({ name }) => name))
  const itemsOf = async (read: SeedRead) => {
    const { resource, labelSelector } = read
    const query = { limit: 500, signal, ...(labelSelector !== undefined && { labelSelector }) }
    try {
      return (await kubernetes.list(resource, query)).items
    } catch (error) {
      // Without Knative, there are no Triggers.
      if (!hasStatus(error, 404))
        refused.push(`cannot list ${resource.plural} in all namespaces (${messageOf(error)})`)
      return []
    }
  }
  const triggers = await itemsOf(seedReads.triggers)
  const bridges = await itemsOf({ ...seedReads.deployments, labelSelector: 'app=bridge' })
  const found = [
    ...triggers.filter(trigger => names.has(targetOf(trigger).functionName)),
    ...bridges.filter(bridge => {
      const programs = parsePrograms(environmentOf(bridge).value('TRELLIS_PROGRAMS') ?? '') ?? []
      return programs.some(({ functions: own }) => own.some(({ name }) => names.has(name)))
    }),
  ]
  const namespaces = [...new Set(found.map(({ metadata }) => metadata.namespace ?? ''))].toSorted()
  if (namespaces.length > 1)
    throw new UsageError(
      `Trellis is installed in several namespaces: ${namespaces.join(', ')}. Choose one with --namespace`,
    )
  const [namespace] = namespaces
  if (namespace !== undefined) return { namespace }
  return { namespace: usualNamespace, ...(refused.length > 0 && { guessed: refused.join('; ') }) }
}

/** Does the same with the connections of a kubeconfig. */
export const examineCluster = async (
  access: ClusterAccess,
  options: Omit<ExamineOptions, 'transport' | 'server'>,
): Promise<readonly AreaReport[]> => {
  const transport = httpTransport({ access })
  try {
    return await examineSeed({ ...options, transport: transport.send, server: access.server })
  } finally {
    transport.close()
  }
}

const reviews = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'subjectaccessreviews',
  namespaced: false,
} as const

/** Asks the API server for the permissions of accounts. Stores nothing there. Unanswered permissions stay undefined. */
const askRights = (
  kubernetes: Pick<Kubernetes, 'create'>,
  namespace: string,
  rights: readonly ExpectedRight[],
  signal: AbortSignal,
): Promise<readonly AskedRight[]> => {
  let refused: { readonly allowed: undefined; readonly unchecked?: boolean } | undefined
  return inParallel(rights, async right => {
    if (refused !== undefined || signal.aborted) return { ...right, allowed: undefined, ...refused }
    const [resource = '', subresource] = right.resource.split('/')
    try {
      const { status } = await kubernetes.create(
        reviews,
        {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          // The API server accepts a review only with empty metadata.
          metadata: { name: '' },
          spec: {
            user: `system:serviceaccount:${namespace}:${right.account}`,
            groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
            resourceAttributes: {
              verb: right.verb,
              group: right.group,
              resource,
              ...(subresource !== undefined && { subresource }),
              ...(right.namespace !== undefined && { namespace: right.namespace }),
              ...(right.name !== undefined && { name: right.name }),
            },
          },
        },
        { signal },
      )
      return { ...right, allowed: recordOf(status).allowed === true }
    } catch (error) {
      const unchecked = hasStatus(error, 404)
      refused = { allowed: undefined, ...(unchecked && { unchecked }) }
      return { ...right, ...refused }
    }
  })
}
