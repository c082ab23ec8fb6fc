import type * as z from 'zod'
import { CodedError } from '../../../contract/errors.ts'
import { clusterKind } from '../../../contract/kinds.ts'
import type { Cluster } from '../../../contract/objects.ts'
import { parseCluster } from '../../../contract/parse.ts'
import { formatProblems, problemsOf } from '../../../decode/problems.ts'
import type { GroupVersionResource, KubernetesObject } from '../../../kubernetes/kubernetes.ts'
import type { FunctionPermission } from '../../../runtime/runtime.ts'
import type {
  Lookup,
  Reviewer,
  ReviewOutcome,
  ReviewRequest,
  WebhookOptions,
} from '../../admission/admission.ts'
import { changeNodes, type NodeChanges, nodeConfigSchema } from '../node/operating-system-config.ts'
import { autoscalerSchema, withSidecarPolicy } from '../pod/machine-controller.ts'
import { deploymentSchema } from '../pod/pod-template.ts'
import { cloudproviderName } from '../pod/workload-identity.ts'

/** Objects that webhooks read from the seed. */
const secretsResource: GroupVersionResource = {
  group: '',
  version: 'v1',
  plural: 'secrets',
  namespaced: true,
}

export const clusterPermission: FunctionPermission = {
  resource: clusterKind.resource,
  verbs: ['get'],
  why: "The Cluster of a shoot's namespace.",
}

export const cloudproviderPermission: FunctionPermission = {
  resource: secretsResource,
  verbs: ['get'],
  why: 'Credentials of the shoot for its cloud: a key or a token.',
}

/** Returns the Secret `cloudprovider` of a shoot's namespace. Throws a `CodedError` if it is missing. */
export const readCloudprovider = async (lookup: Lookup, namespace: string): Promise<KubernetesObject> => {
  const secret = await lookup.get(secretsResource, { namespace, name: cloudproviderName })
  if (secret !== undefined) return secret
  throw new CodedError(`failed getting cloudprovider secret: secrets "${cloudproviderName}" not found`, {
    codes: [],
  })
}

/** Returns the Cluster of a shoot's namespace. Throws a `CodedError` if it is missing or invalid. */
export type ReadCluster = (lookup: Lookup, namespace: string) => Promise<Cluster>

type Parse = (found: KubernetesObject) => ReturnType<typeof parseCluster>

export const readCluster: ReadCluster = (lookup, namespace) => read(lookup, namespace, parseCluster)

/** Like `readCluster`, but parses an object that a lookup returns several times only once. */
export const clusterReader = (): ReadCluster => {
  const known = new WeakMap<KubernetesObject, ReturnType<Parse>>()
  const parse: Parse = found => {
    const parsed = known.get(found) ?? parseCluster(found)
    known.set(found, parsed)
    return parsed
  }
  return (lookup, namespace) => read(lookup, namespace, parse)
}

const read = async (lookup: Lookup, namespace: string, parse: Parse): Promise<Cluster> => {
  const failed = `could not get cluster for namespace '${namespace}'`
  const found = await lookup.get(clusterKind.resource, { name: namespace })
  if (found === undefined)
    throw new CodedError(`${failed}: Cluster.extensions.gardener.cloud "${namespace}" not found`, {
      codes: [],
    })
  const parsed = parse(found)
  if (!parsed.ok) throw new CodedError(`${failed}: ${formatProblems(parsed.problems)}`, { codes: [] })
  return parsed.object
}

/** A review of objects that match their schema. Unknown fields are retained. */
export interface ReviewOf<T> extends Omit<ReviewRequest, 'object' | 'oldObject'> {
  readonly object: KubernetesObject & T
  readonly oldObject?: KubernetesObject & T
}

type ReviewerOf<S extends z.ZodObject, Settings, Outcome> = (
  request: ReviewOf<z.output<S>>,
  lookup: Lookup,
  settings: Settings,
) => Outcome | Promise<Outcome>

/**
 * Creates a reviewer of objects of one kind. An object that does not match the schema is refused with code 400 and a
 * message that names the field, but not its content (docs/contract/webhooks.md#answers).
 */
export const reviewerOf =
  <S extends z.ZodObject, Settings = Readonly<Record<string, unknown>>>(
    schema: S,
    review: ReviewerOf<S, Settings, ReviewOutcome>,
  ): Reviewer<Settings> =>
  (request, lookup, settings) => {
    for (const object of [request.object, request.oldObject]) {
      const { error } = object === undefined ? {} : schema.safeParse(object)
      if (error !== undefined) {
        const problem = `could not decode the object: ${formatProblems(problemsOf(error.issues, object))}`
        return { refused: { problems: [problem], code: 400 } }
      }
    }
    // These schemas transform nothing, so the objects have the output type.
    return review(request as ReviewOf<z.output<S>>, lookup, settings)
  }

/** The parts of the webhook `controlplane` that are the same for all providers. */
export const controlPlaneWebhook = {
  name: 'controlplane',
  action: 'mutate',
  target: 'seed',
  resources: [
    { group: 'apps', versions: ['v1'], plural: 'deployments', kind: 'Deployment' },
    {
      group: 'autoscaling.k8s.io',
      versions: ['v1'],
      plural: 'verticalpodautoscalers',
      kind: 'VerticalPodAutoscaler',
    },
    {
      group: 'extensions.gardener.cloud',
      versions: ['v1alpha1'],
      plural: 'operatingsystemconfigs',
      kind: 'OperatingSystemConfig',
    },
  ],
  objectSelector: {
    matchLabels: { 'provider.extensions.gardener.cloud/mutated-by-controlplane-webhook': 'true' },
  },
} as const satisfies Partial<WebhookOptions>

/** The changes of one provider. */
export interface ControlPlaneChanges<Settings> {
  /** Names the sidecar of the machine controller. */
  readonly component: string
  readonly deployment: ReviewerOf<typeof deploymentSchema, Settings, ReviewOutcome>
  readonly nodes: ReviewerOf<typeof nodeConfigSchema, Settings, NodeChanges>
}

/**
 * Creates the reviewer of a webhook `controlplane`. Responds by kind and name. Objects with another name do not change
 * (docs/contract/webhooks.md#controlplane).
 */
export const controlPlaneReviewer = <Settings>({
  component,
  deployment,
  nodes,
}: ControlPlaneChanges<Settings>): Reviewer<Settings> => {
  const ofDeployment = reviewerOf(deploymentSchema, deployment)
  const ofAutoscaler = reviewerOf<typeof autoscalerSchema, Settings>(autoscalerSchema, ({ name, object }) =>
    name === 'machine-controller-manager-vpa' ? { changed: withSidecarPolicy(object, component) } : {},
  )
  const ofNodes = reviewerOf<typeof nodeConfigSchema, Settings>(nodeConfigSchema, async (request, ...rest) =>
    request.object.spec.purpose === 'reconcile'
      ? { changed: changeNodes(request.object, await nodes(request, ...rest)) }
      : {},
  )
  return (request, lookup, settings) => {
    switch (request.object.kind) {
      case 'Deployment':
        return ofDeployment(request, lookup, settings)
      case 'VerticalPodAutoscaler':
        return ofAutoscaler(request, lookup, settings)
      default:
        return ofNodes(request, lookup, settings)
    }
  }
}
