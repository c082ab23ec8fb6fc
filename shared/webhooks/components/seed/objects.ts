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

/** The permission of `readCluster`. */
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

type ReadCluster = (lookup: Lookup, namespace: string) => Promise<Cluster>

type Parse = (found: KubernetesObject) => ReturnType<typeof parseCluster>

/**
 * Returns the Cluster of a shoot's namespace in the seed. Needs `clusterPermission`. Throws a `CodedError` without
 * codes if the Cluster is missing or invalid, so the object is refused with 403 and the reason.
 *
 * @example
 * const { spec } = await readCluster(lookup, namespace)
 * const version = spec.shoot.spec?.kubernetes?.version
 */
export const readCluster = (lookup: Lookup, namespace: string): Promise<Cluster> =>
  read(lookup, namespace, parseCluster)

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

/** A review of an object that matches a schema. `T`: the parts that the schema names. Unknown fields are retained. */
export interface ReviewOf<T> extends Omit<ReviewRequest, 'object' | 'oldObject'> {
  readonly object: KubernetesObject & T
  readonly oldObject?: KubernetesObject & T
}

/** The answer to a review of an object that matches the schema `S`. Throws a `CodedError` to refuse the object. */
export type ReviewerOf<S extends z.ZodObject, Settings, Outcome> = (
  request: ReviewOf<z.output<S>>,
  lookup: Lookup,
  settings: Settings,
) => Outcome | Promise<Outcome>

/**
 * Creates a reviewer of objects of one kind. An object that does not match the schema is refused with code 400 and a
 * message that names the field, but not its content (docs/contract/webhooks.md#answers).
 *
 * @param schema the parts that are read, as loose objects. It may check, but not transform
 *
 * @example
 * const schema = z.looseObject({ spec: z.looseObject({ replicas: z.int().nullish() }) })
 * const review = reviewerOf(schema, ({ object }) =>
 *   object.spec.replicas === 1 ? { changed: { ...object, spec: { ...object.spec, replicas: 2 } } } : {},
 * )
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

/**
 * The parts of the webhook `controlplane` that are the same for all providers: name, action, target, resources and
 * `objectSelector`. gardenlet labels the objects that it selects. The definition adds `component`, `namespaceSelector`
 * and `review`.
 */
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

/** The changes of one provider to the control planes and nodes of its shoots. */
export interface ControlPlaneChanges<Settings> {
  /** That of the definition. Names the sidecar of the machine controller. */
  readonly component: string
  /** Returns the outcome for one Deployment, by its name: `kube-controller-manager`. `{}`: it does not change. */
  readonly deployment: ReviewerOf<typeof deploymentSchema, Settings, ReviewOutcome>
  /** Returns the changes for an OperatingSystemConfig of purpose `reconcile`. `{}`: none. */
  readonly nodes: ReviewerOf<typeof nodeConfigSchema, Settings, NodeChanges>
}

/**
 * Creates the reviewer of a webhook `controlplane`: `deployment` answers for Deployments, and `nodes` for
 * OperatingSystemConfigs. The VerticalPodAutoscaler of the machine controller gets a policy for the sidecar. An object
 * that does not match its schema is refused with code 400, and a broken kubelet unit or configuration with 403
 * (docs/contract/webhooks.md#controlplane).
 *
 * @example
 * export const definition = defineWebhook({
 *   ...controlPlaneWebhook,
 *   component: 'provider-acme',
 *   namespaceSelector: { matchLabels: { 'shoot.gardener.cloud/provider': 'acme' } },
 *   review: controlPlaneReviewer({
 *     component: 'provider-acme',
 *     deployment: () => ({}),
 *     nodes: () => ({ kubelet: { flags: [['--cloud-provider', 'external']] } }),
 *   }),
 * })
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
