import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import {
  type ClusterAccess,
  createKubernetes,
  httpTransport,
  type Kubernetes,
  type Transport,
} from '../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../shared/runtime/runtime.ts'
import type { WebhookDefinition } from '../../shared/webhooks/admission/admission.ts'
import { askRights } from './ask-rights.ts'
import { environmentOf } from './bridge-facts.ts'
import type { CheckedSeed } from './checked-seed.ts'
import { parsePrograms } from './deployed-functions.ts'
import { expectedRights } from './expected-rights.ts'
import { reachServer } from './reach-server.ts'
import { readSeed } from './read-seed.ts'
import { type SeedRead, seedReads } from './reads.ts'
import { type AreaReport, runChecks } from './run-checks.ts'
import { targetOf } from './trigger-target.ts'

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
  readonly signal: AbortSignal
}

/** The namespace in `make manifests`; gardenlet chooses a different one. */
const usualNamespace = 'trellis'

/**
 * Reads a seed once and returns a report. Throws an `UnreachableError` if the API server does not answer, and a
 * `UsageError` if the namespace of Trellis is ambiguous. Writes nothing.
 */
export const examineSeed = async (options: ExamineOptions): Promise<readonly AreaReport[]> => {
  const { transport, clock, version, functions, webhooks, signal } = options
  const server = await reachServer(options, signal)
  const kubernetes = createKubernetes({ transport, clock })
  const namespace = options.namespace ?? (await findNamespace(kubernetes, functions, signal))
  const reads = await readSeed({ kubernetes, namespace, signal })
  const rights = await askRights(
    kubernetes,
    namespace,
    expectedRights({ namespace, reads }, functions, webhooks),
    signal,
  )
  const facts: CheckedSeed = { version, namespace, server, reads, rights, functions }
  return runChecks(facts)
}

/**
 * Returns the namespace with Triggers of known functions, or with a seed process; the default one if there are none, or
 * if they cannot be read.
 */
const findNamespace = async (
  kubernetes: Pick<Kubernetes, 'list'>,
  functions: readonly FunctionDefinition[],
  signal: AbortSignal,
): Promise<string> => {
  const names = new Set(functions.map(({ name }) => name))
  const itemsOf = async (read: SeedRead) => {
    const { resource, labelSelector } = read
    const query = { limit: 500, signal, ...(labelSelector !== undefined && { labelSelector }) }
    return (await kubernetes.list(resource, query).catch(() => ({ items: [] }))).items
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
  return namespaces[0] ?? usualNamespace
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
