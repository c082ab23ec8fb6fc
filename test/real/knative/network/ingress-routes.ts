import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'

/** The fields of Knative's Ingress that route requests (networking.internal.knative.dev/v1alpha1). */
export interface Ingress extends KubernetesObject {
  readonly spec: {
    readonly rules?: readonly {
      readonly hosts?: readonly string[]
      readonly http?: { readonly paths: readonly IngressPath[] }
    }[]
  }
}

export interface IngressPath {
  readonly path?: string
  readonly rewriteHost?: string
  readonly headers?: Readonly<Record<string, { readonly exact: string }>>
  readonly appendHeaders?: Readonly<Record<string, string>>
  readonly splits: readonly Split[]
}

interface Split {
  readonly serviceNamespace: string
  readonly serviceName: string
  readonly servicePort: number | string
  readonly percent?: number
  readonly appendHeaders?: Readonly<Record<string, string>>
}

/** The destination of a request, and the headers to set. */
export interface Route {
  readonly service: { readonly namespace: string; readonly name: string }
  readonly port: number | string
  readonly headers: Readonly<Record<string, string>>
  readonly host?: string
}

export interface RoutedRequest {
  readonly host: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Returns the paths of each host. Those with conditions on headers are first. */
export const pathsByHost = (ingresses: Iterable<Ingress>): ReadonlyMap<string, readonly IngressPath[]> => {
  const byHost = new Map<string, IngressPath[]>()
  for (const { spec } of ingresses)
    for (const { hosts = [], http } of spec.rules ?? [])
      for (const host of hosts) byHost.set(host, [...(byHost.get(host) ?? []), ...(http?.paths ?? [])])
  for (const paths of byHost.values()) paths.sort((a, b) => conditions(b) - conditions(a))
  return byHost
}

const conditions = ({ headers = {}, path = '' }: IngressPath) =>
  Object.keys(headers).length * 1_000 + path.length

/**
 * Chooses the destination of a request. Undefined: no rule matches.
 *
 * @param random 0 ≤ x < 1; it selects the split
 */
export const routeOf = (
  byHost: ReadonlyMap<string, readonly IngressPath[]>,
  { host, path, headers }: RoutedRequest,
  random: number,
): Route | undefined => {
  const found = byHost
    .get(host.replace(/:\d+$/, ''))
    ?.find(
      one =>
        path.startsWith(one.path ?? '') &&
        Object.entries(one.headers ?? {}).every(([name, { exact }]) => headers[name.toLowerCase()] === exact),
    )
  const split = found && splitAt(found.splits, random * 100)
  if (found === undefined || split === undefined) return undefined
  return {
    service: { namespace: split.serviceNamespace, name: split.serviceName },
    port: split.servicePort,
    headers: { ...found.appendHeaders, ...split.appendHeaders },
    ...(found.rewriteHost !== undefined && { host: found.rewriteHost }),
  }
}

const splitAt = (splits: readonly Split[], percent: number): Split | undefined => {
  if (splits.length < 2) return splits[0]
  let passed = 0
  return splits.find(split => {
    passed += split.percent ?? 0
    return percent < passed
  })
}

/** The status of an Ingress that is served at a name inside of the cluster. */
export const readyStatus = (ingress: Ingress, domainInternal: string, now: string) => {
  const conditions = ['LoadBalancerReady', 'NetworkConfigured', 'Ready'].map(type => ({
    type,
    status: 'True',
    lastTransitionTime: now,
  }))
  const loadBalancer = { ingress: [{ domainInternal }] }
  return {
    observedGeneration: ingress.metadata.generation,
    conditions,
    publicLoadBalancer: loadBalancer,
    privateLoadBalancer: loadBalancer,
  }
}
